import type { Pod } from '../../api/objects.ts';
import type { ContainerStats } from '../../contracts/node/cri/index.ts';
import type { HttpAnswer, HttpRequest, NodeHost } from '../../contracts/node/index.ts';
import type { ResourceMetrics } from '../../contracts/node/kubelet-server.ts';
import { type Clock, formatTime } from '../../sim/index.ts';
import { containerNameIn, podIn } from '../labels.ts';

/** Options of {@link kubeletPages}. */
export interface PagesOptions {
  /** The name of the node. */
  readonly node: string;
  readonly host: Pick<NodeHost, 'runtime' | 'stats'>;
  readonly clock: Clock;
  /** Returns the pods of the node. */
  readonly pods: () => readonly Pod[];
  readonly resourceMetrics: () => Promise<ResourceMetrics>;
}

/** Answers a request to the port of a kubelet. */
type AnswerRequest = (request: Pick<HttpRequest, 'method' | 'path'>) => Promise<HttpAnswer>;

const TEXT = 'text/plain; charset=utf-8';
const METRICS = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Returns the pages of a kubelet: `/healthz`, `/pods`, `/stats/summary`, `/metrics` and `/metrics/resource`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/server/server.go Server.InstallAuthNotRequiredHandlers
 *
 * Differs: the other pages are missing, `/metrics` has four metrics, and the summary has neither the file systems nor
 * the network. `/pods` lists the pods of the apiserver.
 */
export function kubeletPages(options: PagesOptions): AnswerRequest {
  const { pods, resourceMetrics } = options;
  const pages: Readonly<Record<string, () => Promise<HttpAnswer>>> = {
    '/pods': async () => json({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items: pods() }),
    '/stats/summary': async () => json(await summary(options)),
    '/metrics': async () => answer(200, METRICS, await ownMetrics(options)),
    '/metrics/resource': async () => answer(200, METRICS, resourceText(await resourceMetrics())),
    ...Object.fromEntries(HEALTH.map((path) => [path, async () => answer(200, TEXT, 'ok')])),
  };
  return async ({ method, path }) => {
    const page = pages[path.split('?')[0] ?? ''];
    if (!page) return answer(404, TEXT, '404 page not found\n');
    if (method !== 'GET' && method !== 'HEAD') return answer(405, TEXT, '405: Method Not Allowed');
    return page();
  };
}

const HEALTH = ['/healthz', '/healthz/ping', '/healthz/log', '/healthz/syncloop'];

const answer = (status: number, type: string, body: string): HttpAnswer => ({
  status,
  headers: { 'content-type': type },
  body,
});

const json = (value: object): HttpAnswer => answer(200, 'application/json', JSON.stringify(value));

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/server/stats/summary.go summaryProviderImpl.Get */
async function summary({ node, host, clock, pods }: PagesOptions): Promise<object> {
  const [usage, containers] = await Promise.all([host.stats.usage(), host.runtime.listContainerStats()]);
  const time = formatTime(clock.now());
  return {
    node: {
      nodeName: node,
      cpu: {
        time,
        usageNanoCores: usage.cpuUsageMilli * 1e6,
        usageCoreNanoSeconds: usage.cpuUsageCoreNanoSeconds,
      },
      memory: {
        time,
        availableBytes: usage.memoryAvailableBytes,
        workingSetBytes: usage.memoryWorkingSetBytes,
      },
    },
    pods: pods().flatMap((pod) => {
      const own = containers.filter(({ labels }) => podIn(labels)?.uid === pod.metadata.uid);
      return own.length === 0 ? [] : [podSummary(pod, own)];
    }),
  };
}

function podSummary({ metadata, status }: Pod, containers: readonly ContainerStats[]): object {
  const { name, namespace, uid } = metadata;
  const sum = (of: (stats: ContainerStats) => number): number =>
    containers.reduce((total, each) => total + of(each), 0);
  const all = {
    atMs: Math.max(...containers.map(({ atMs }) => atMs)),
    cpuUsageMilli: sum(({ cpuUsageMilli }) => cpuUsageMilli),
    cpuUsageCoreNanoSeconds: sum(({ cpuUsageCoreNanoSeconds }) => cpuUsageCoreNanoSeconds),
    memoryWorkingSetBytes: sum(({ memoryWorkingSetBytes }) => memoryWorkingSetBytes),
  };
  return {
    podRef: { name, namespace, uid },
    startTime: status.startTime,
    containers: containers.map((each) => ({
      name: containerNameIn(each.labels),
      ...usageOf(each),
      rootfs: { time: formatTime(each.atMs), usedBytes: each.writableLayerBytes },
    })),
    ...usageOf(all),
  };
}

type Usage = Pick<
  ContainerStats,
  'atMs' | 'cpuUsageMilli' | 'cpuUsageCoreNanoSeconds' | 'memoryWorkingSetBytes'
>;

function usageOf({ atMs, cpuUsageMilli, cpuUsageCoreNanoSeconds, memoryWorkingSetBytes }: Usage): object {
  const time = formatTime(atMs);
  return {
    cpu: {
      time,
      usageNanoCores: Math.round(cpuUsageMilli * 1e6),
      usageCoreNanoSeconds: cpuUsageCoreNanoSeconds,
    },
    memory: { time, workingSetBytes: memoryWorkingSetBytes },
  };
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/metrics/metrics.go RunningPodCount, RunningContainerCount, NodeName */
async function ownMetrics({ node, host }: PagesOptions): Promise<string> {
  const [sandboxes, containers] = await Promise.all([
    host.runtime.listPodSandbox({ state: 'SANDBOX_READY' }),
    host.runtime.listContainers(),
  ]);
  const running = containers.filter(({ state }) => state === 'CONTAINER_RUNNING').length;
  return [
    ...metric('kubelet_node_name', 'gauge', 'The name of the node.', [[{ node }, 1]]),
    ...metric('kubelet_running_containers', 'gauge', 'The number of containers, by their state.', [
      [{ container_state: 'exited' }, containers.length - running],
      [{ container_state: 'running' }, running],
    ]),
    ...metric('kubelet_running_pods', 'gauge', 'The number of pods with a running sandbox.', [
      [{}, sandboxes.length],
    ]),
    '',
  ].join('\n');
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/metrics/collectors/resource_metrics.go resourceMetricsCollector */
function resourceText({ node, containers }: ResourceMetrics): string {
  const seconds = ({ cpuUsageCoreNanoSeconds }: { readonly cpuUsageCoreNanoSeconds: number }): number =>
    cpuUsageCoreNanoSeconds / 1e9;
  const rows = containers.map(({ container, pod: { name: pod, namespace }, ...usage }) => ({
    labels: { container, namespace, pod },
    usage,
  }));
  const row = (of: (usage: (typeof rows)[number]['usage']) => number): readonly Sample[] =>
    rows.map(({ labels, usage }) => [labels, of(usage)]);
  const bytes = ({ memoryWorkingSetBytes }: { readonly memoryWorkingSetBytes: number }): number =>
    memoryWorkingSetBytes;
  return [
    ...metric('container_cpu_usage_seconds_total', 'counter', 'The CPU time of a container.', row(seconds)),
    ...metric('container_memory_working_set_bytes', 'gauge', 'The memory of a container.', row(bytes)),
    ...metric(
      'container_start_time_seconds',
      'gauge',
      'The start of a container, in Unix time.',
      row(({ startedAtMs }) => startedAtMs / 1_000),
    ),
    ...metric('node_cpu_usage_seconds_total', 'counter', 'The CPU time of the node.', [[{}, seconds(node)]]),
    ...metric('node_memory_working_set_bytes', 'gauge', 'The memory of the node.', [[{}, bytes(node)]]),
    '',
  ].join('\n');
}

/** The labels and the value of one line. */
type Sample = readonly [Readonly<Record<string, string>>, number];

function metric(name: string, type: string, help: string, samples: readonly Sample[]): readonly string[] {
  const lines = samples.map(([labels, value]) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
    return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}
