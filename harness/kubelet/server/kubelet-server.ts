import type { Pod } from '../../api/objects.ts';
import { CriError } from '../../contracts/node/cri/index.ts';
import type { NodeHost } from '../../contracts/node/index.ts';
import { type ContainerOf, KubeletError, type KubeletServer } from '../../contracts/node/kubelet-server.ts';
import type { StreamingService } from '../../contracts/node/streaming-service.ts';
import type { Clock } from '../../sim/index.ts';
import { containerSelector, podSelector } from '../labels.ts';
import { containerWithLog } from './log-container.ts';
import { readLog } from './read-log.ts';

interface KubeletServerOptions {
  /** The machine of the node. */
  readonly host: Pick<NodeHost, 'runtime' | 'files'>;
  readonly streaming: StreamingService;
  readonly clock: Clock;
}

/**
 * The server of a node's kubelet. It needs nothing but the machine, so that any kubelet has one.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go Kubelet.GetKubeletContainerLogs, GetExec, GetAttach, GetPortForward
 */
export function newKubeletServer({ host, streaming, clock }: KubeletServerOptions): KubeletServer {
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

    async portForward(pod) {
      return refusing(streaming.portForward(await sandboxOf(runtime, pod)));
    },
  };
}

/**
 * The newest container of that name which runs.
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
 * The newest sandbox of a pod of which something runs.
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

/** What the runtime refuses, in the kubelet's name. */
async function refusing<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CriError) throw new KubeletError(500, error.message);
    throw error;
  }
}

/** `containerd://4f…` → `4f…` */
function withoutRuntime(id: string): string {
  return id.slice(id.indexOf('://') + '://'.length);
}
