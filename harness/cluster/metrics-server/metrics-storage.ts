import { keyToString, type ObjectKey } from '../../api/objects.ts';
import type {
  ContainerResourceUsage,
  ResourceMetrics,
  ResourceUsage,
} from '../../contracts/node/kubelet-server.ts';

/**
 * Scrape interval in ms. Upstream: kubernetes-sigs/metrics-server@v0.8.1 manifests/base/deployment.yaml
 * --metric-resolution
 */
export const RESOLUTION_MS = 15_000;

/**
 * The shortest time since a container's start that gives a useful average. Upstream: pkg/storage/pod.go
 * freshContainerMinMetricsResolution
 */
const FRESH_MS_MIN = 10_000;

/** Usage over a window. */
export interface Usage {
  /** The end of the window, in ms since 1970. */
  readonly atMs: number;
  readonly windowMs: number;
  /** Average, in billionths of a CPU. */
  readonly cpuNanoCores: number;
  /** At the end of the window. */
  readonly memoryBytes: number;
}

/** The usage of a pod. The window is that of the container that was scraped first. */
interface PodUsage extends Pick<Usage, 'atMs' | 'windowMs'> {
  readonly containers: readonly (Usage & { readonly name: string })[];
}

/** By container name. */
type PodPoint = ReadonlyMap<string, ResourceUsage>;

/**
 * The last two points of each node and container: usage is the difference.
 *
 * Upstream: kubernetes-sigs/metrics-server@v0.8.1 pkg/storage/storage.go storage
 */
export class MetricsStorage {
  #nodes = new Map<string, ResourceUsage>();
  #nodesBefore = new Map<string, ResourceUsage>();
  #pods = new Map<string, PodPoint>();
  #podsBefore = new Map<string, PodPoint>();

  /** Whether the usage of any node is known. */
  get isReady(): boolean {
    return this.#nodesBefore.size > 0;
  }

  /** Stores the reports of the kubelets that responded, by node. Forgets all others. */
  store(answers: ReadonlyMap<string, ResourceMetrics>): void {
    const [nodes, nodesBefore] = [new Map<string, ResourceUsage>(), new Map<string, ResourceUsage>()];
    const [pods, podsBefore] = [new Map<string, PodPoint>(), new Map<string, PodPoint>()];
    for (const [name, { node, containers }] of answers) {
      if (isWhole(node)) {
        const last = this.#nodes.get(name);
        nodes.set(name, node);
        if (last && last.atMs < node.atMs) nodesBefore.set(name, last);
      }
      for (const [pod, points] of byPod(containers)) {
        const before = new Map<string, ResourceUsage>();
        for (const [container, point] of points) {
          const earlier = earlierThan(point, this.#pods.get(pod)?.get(container));
          if (earlier) before.set(container, earlier);
        }
        pods.set(pod, points);
        if (before.size > 0) podsBefore.set(pod, before);
      }
    }
    this.#nodes = nodes;
    this.#nodesBefore = nodesBefore;
    this.#pods = pods;
    this.#podsBefore = podsBefore;
  }

  /** Returns the usage of a node; undefined with fewer than two points. */
  node(name: string): Usage | undefined {
    return usageBetween(this.#nodesBefore.get(name), this.#nodes.get(name));
  }

  /** Returns the usage of a pod; undefined if a container has fewer than two points. */
  pod(key: ObjectKey): PodUsage | undefined {
    const name = keyToString(key);
    const [before, last] = [this.#podsBefore.get(name), this.#pods.get(name)];
    if (!before || !last || [...last.keys()].some((container) => !before.has(container))) return undefined;
    const containers = [...last].flatMap(([container, point]) => {
      const usage = usageBetween(before.get(container), point);
      return usage ? [{ name: container, ...usage }] : [];
    });
    const [first] = containers.toSorted((a, b) => a.atMs - b.atMs);
    return first && { atMs: first.atMs, windowMs: first.windowMs, containers };
  }
}

/** Upstream: pkg/scraper/client/resource/decode.go decodeBatch, checkContainerMetrics */
function isWhole({ cpuUsageCoreNanoSeconds, memoryWorkingSetBytes }: ResourceUsage): boolean {
  return cpuUsageCoreNanoSeconds > 0 && memoryWorkingSetBytes > 0;
}

/** Groups by pod, without the pods that have a container without usage. */
function byPod(containers: readonly ContainerResourceUsage[]): ReadonlyMap<string, PodPoint> {
  const pods = new Map<string, Map<string, ResourceUsage>>();
  for (const usage of containers) {
    const key = keyToString(usage.pod);
    pods.set(key, (pods.get(key) ?? new Map()).set(usage.container, usage));
  }
  return new Map([...pods].filter(([, points]) => [...points.values()].every(isWhole)));
}

/**
 * Returns the first point of a window. For a new container that is its start. Upstream: pkg/storage/pod.go
 * podStorage.Store
 */
function earlierThan(point: ResourceUsage, last: ResourceUsage | undefined): ResourceUsage | undefined {
  const ageMs = point.atMs - point.startedAtMs;
  if (ageMs >= FRESH_MS_MIN && ageMs < RESOLUTION_MS) {
    return { ...point, atMs: point.startedAtMs, cpuUsageCoreNanoSeconds: 0 };
  }
  const isSame = last && point.startedAtMs < last.atMs && last.atMs < point.atMs;
  return isSame ? last : undefined;
}

/** Upstream: pkg/storage/types.go resourceUsage */
function usageBetween(before: ResourceUsage | undefined, last: ResourceUsage | undefined): Usage | undefined {
  if (!before || !last || last.startedAtMs < before.startedAtMs) return undefined;
  const used = last.cpuUsageCoreNanoSeconds - before.cpuUsageCoreNanoSeconds;
  if (used < 0) return undefined;
  const windowMs = last.atMs - before.atMs;
  return {
    atMs: last.atMs,
    windowMs,
    cpuNanoCores: Math.floor((used * 1_000) / windowMs),
    memoryBytes: last.memoryWorkingSetBytes,
  };
}
