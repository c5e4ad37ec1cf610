import type { Pod } from '../../api/objects.ts';
import { CriError } from '../../contracts/node/cri/index.ts';
import type { NodeHost } from '../../contracts/node/index.ts';
import {
  type ContainerOf,
  KubeletError,
  type KubeletServer,
  type ResourceMetrics,
} from '../../contracts/node/kubelet-server.ts';
import type { StreamingService } from '../../contracts/node/streaming-service.ts';
import type { Clock } from '../../sim/index.ts';
import { containerNameIn, containerSelector, podIn, podSelector } from '../labels.ts';
import { kubeletPages, type PagesOptions } from './kubelet-pages.ts';
import { containerWithLog } from './log-container.ts';
import { readLog } from './read-log.ts';

interface KubeletServerOptions extends Pick<PagesOptions, 'node' | 'pods'> {
  /** The machine of the node. */
  readonly host: Pick<NodeHost, 'runtime' | 'files' | 'stats'>;
  readonly streaming: StreamingService;
  readonly clock: Clock;
}

/**
 * Returns the server of a node's kubelet. It depends only on the machine, so it works for any kubelet.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go Kubelet.GetKubeletContainerLogs, GetExec, GetAttach, GetPortForward
 */
export function newKubeletServer({ host, streaming, clock, ...of }: KubeletServerOptions): KubeletServer {
  const { runtime, files } = host;
  return {
    async containerLogs({ pod, container }, options, signal) {
      const id = containerWithLog(pod, container, options.previous ?? false);
      const containerId = withoutRuntime(id);
      const status = await runtime.containerStatus(containerId).catch(() => undefined);
      if (!status) throw new KubeletError(400, `unable to retrieve container logs for ${id}`);
      return readLog({ files, runtime, clock, path: status.logPath, containerId, options, signal });
    },

    async exec(of, command, streams) {
      const containerId = await runningContainer(runtime, of);
      return refusing(streaming.exec(containerId, command, streams));
    },

    async attach(of, streams) {
      const containerId = await runningContainer(runtime, of);
      return refusing(streaming.attach(containerId, streams));
    },

    openStreams: streaming.openStreams,

    resourceMetrics: () => resourceMetrics(host, clock),

    answer: kubeletPages({ ...of, host, clock, resourceMetrics: () => resourceMetrics(host, clock) }),

    async portForward(pod) {
      return refusing(streaming.portForward(await sandboxOf(runtime, pod)));
    },
  };
}

/**
 * The usage of a container counts from its creation, as in upstream's conversion of runtime statistics.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/stats/cri_stats_provider.go ListPodCPUAndMemoryStats, makeContainerCPUAndMemoryStats
 */
async function resourceMetrics(
  { runtime, stats }: Pick<NodeHost, 'runtime' | 'stats'>,
  clock: Clock,
): Promise<ResourceMetrics> {
  const [usage, running, measured] = await Promise.all([
    stats.usage(),
    runtime.listContainers({ state: 'CONTAINER_RUNNING' }),
    runtime.listContainerStats(),
  ]);
  const createdAtMs = new Map(running.map((container) => [container.id, container.createdAtMs]));
  const { cpuUsageCoreNanoSeconds, memoryWorkingSetBytes } = usage;
  return {
    node: { startedAtMs: 0, atMs: clock.now(), cpuUsageCoreNanoSeconds, memoryWorkingSetBytes },
    containers: measured.flatMap((each) => {
      const [pod, container] = [podIn(each.labels), containerNameIn(each.labels)];
      const startedAtMs = createdAtMs.get(each.id);
      if (!pod || !container || startedAtMs === undefined) return [];
      return [
        {
          pod: { namespace: pod.namespace, name: pod.name },
          container,
          startedAtMs,
          atMs: each.atMs,
          cpuUsageCoreNanoSeconds: each.cpuUsageCoreNanoSeconds,
          memoryWorkingSetBytes: each.memoryWorkingSetBytes,
        },
      ];
    }),
  };
}

/**
 * Returns the newest running container of that name.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go Kubelet.findContainer
 */
async function runningContainer(
  runtime: NodeHost['runtime'],
  { pod, container: name }: ContainerOf,
): Promise<string> {
  const labelSelector = containerSelector(pod.metadata.uid, name);
  const found = await runtime.listContainers({ state: 'CONTAINER_RUNNING', labelSelector });
  const [newest] = found.toSorted((a, b) => b.createdAtMs - a.createdAtMs);
  if (newest) return newest.id;
  throw new KubeletError(404, `container not found ("${name}")`);
}

/**
 * Returns the newest sandbox of a pod that has a ready sandbox or a running container.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_sandbox.go kubeGenericRuntimeManager.GetPortForward
 */
async function sandboxOf(runtime: NodeHost['runtime'], { metadata }: Pod): Promise<string> {
  const labelSelector = podSelector(metadata.uid);
  const sandboxes = await runtime.listPodSandbox({ labelSelector });
  const running = await runtime.listContainers({ state: 'CONTAINER_RUNNING', labelSelector });
  const runs = running.length > 0 || sandboxes.some(({ state }) => state === 'SANDBOX_READY');
  const [newest] = sandboxes.toSorted((a, b) => b.createdAtMs - a.createdAtMs);
  if (runs && newest) return newest.id;
  throw new KubeletError(500, `pod not found ("${metadata.name}_${metadata.namespace}")`);
}

/** Converts an error of the runtime to an error of the kubelet. */
async function refusing<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CriError) throw new KubeletError(500, error.message);
    throw error;
  }
}

/** Strips the runtime: `containerd://4f…` → `4f…` */
function withoutRuntime(id: string): string {
  return id.slice(id.indexOf('://') + '://'.length);
}
