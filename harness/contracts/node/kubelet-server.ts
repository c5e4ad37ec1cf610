import type { Pod } from '../../api/objects.ts';
import type { ServePorts, StreamingService, Streams } from './streaming-service.ts';

/**
 * What the kubelet of a node serves to the apiserver, which asks it on behalf of users: `kubectl logs`, `exec`,
 * `attach` and `port-forward`; and to a metrics-server.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/server/server.go Server
 */
export interface KubeletServer {
  /**
   * The log of a container, in chunks of whole lines. With `follow` it goes on until the container has ended, or the signal is
   * aborted.
   *
   * @throws KubeletError when there is no log, and why
   */
  containerLogs(of: ContainerOf, options: LogOptions, signal: AbortSignal): Promise<AsyncIterable<string>>;

  /**
   * Runs a command in a container.
   *
   * @returns its exit code, when it has ended
   * @throws KubeletError when it cannot begin
   */
  exec(of: ContainerOf, command: readonly string[], streams: Streams): Promise<number>;

  /** Shows what a container writes from now on, until it ends or the user leaves. @throws KubeletError when it does not run */
  attach(of: ContainerOf, streams: Streams): Promise<void>;

  /** Takes the streams for one of these, of a user who does not speak WebSocket. */
  readonly openStreams: StreamingService['openStreams'];

  /**
   * What the node, and each container that runs on it, uses.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/metrics/collectors/resource_metrics.go, which is `/metrics/resource`
   *
   * Differs: it is values, and no text for Prometheus.
   */
  resourceMetrics(): Promise<ResourceMetrics>;

  /** Lets a user connect to the ports of a pod. @throws KubeletError when it does not run */
  portForward(pod: Pod): Promise<ServePorts>;
}

/** What a node and its containers use. */
export interface ResourceMetrics {
  readonly node: ResourceUsage;
  readonly containers: readonly ContainerResourceUsage[];
}

/** What something had used at one moment. */
export interface ResourceUsage {
  /** When it began to count, in ms since 1970. */
  readonly startedAtMs: number;
  readonly atMs: number;
  /** Since it began, in nanoseconds of one CPU. */
  readonly cpuUsageCoreNanoSeconds: number;
  readonly memoryWorkingSetBytes: number;
}

/** What a container had used. */
export interface ContainerResourceUsage extends ResourceUsage {
  readonly pod: { readonly namespace: string; readonly name: string };
  readonly container: string;
}

/** One container of a pod. */
export interface ContainerOf {
  readonly pod: Pod;
  readonly container: string;
}

/**
 * Which lines of a log, and how.
 *
 * Upstream: kubernetes/api@v0.36.3 core/v1/types.go PodLogOptions
 */
export interface LogOptions {
  readonly follow?: boolean;
  /** The log of the container that ran before this one. */
  readonly previous?: boolean;
  /** From this moment on, in ms since 1970. */
  readonly sinceMs?: number;
  /** Of the last so many seconds, on the clock of the node. */
  readonly sinceSeconds?: number;
  /** Each line begins with the time at which it was written. */
  readonly timestamps?: boolean;
  /** The last lines alone. */
  readonly tailLines?: number;
  /** No more bytes than that. */
  readonly limitBytes?: number;
  /** @defaultValue `All` */
  readonly stream?: 'All' | 'Stdout' | 'Stderr';
}

/** What a kubelet refuses. It is a text with a status of HTTP, and no Status of the API. */
export class KubeletError extends Error {
  override readonly name = 'KubeletError';
  readonly code: 400 | 404 | 500;

  constructor(code: KubeletError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
