import type { Pod } from '../../api/objects.ts';
import type { HttpAnswer, HttpRequest } from './host.ts';
import type { ServePorts, StreamingService, Streams } from './streaming-service.ts';

/**
 * The server of a kubelet. The apiserver calls it on behalf of users (`kubectl logs`, `exec`, `attach` and
 * `port-forward`), and a metrics-server reads metrics.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/server/server.go Server
 */
export interface KubeletServer {
  /**
   * Streams the log of a container, in chunks of whole lines. With `follow` the stream continues until the container
   * exits or the signal is aborted.
   *
   * @throws KubeletError with the reason why the log is not available
   */
  containerLogs(of: ContainerOf, options: LogOptions, signal: AbortSignal): Promise<AsyncIterable<string>>;

  /**
   * Runs a command in a container.
   *
   * @returns its exit code
   * @throws KubeletError when it cannot start
   */
  exec(of: ContainerOf, command: readonly string[], streams: Streams): Promise<number>;

  /**
   * Streams the output of a container from now on, until it exits or the user disconnects. @throws KubeletError when
   * the container does not run
   */
  attach(of: ContainerOf, streams: Streams): Promise<void>;

  /** Accepts the streams of a user without WebSocket support, for one of these commands. */
  readonly openStreams: StreamingService['openStreams'];

  /**
   * Returns the resource usage of the node and of each running container.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/metrics/collectors/resource_metrics.go, which is
   * `/metrics/resource`
   *
   * Differs: the result is a value instead of Prometheus text.
   */
  resourceMetrics(): Promise<ResourceMetrics>;

  /** Answers an HTTP request to the port of the kubelet, such as `/healthz` or `/stats/summary`. */
  answer(request: Pick<HttpRequest, 'method' | 'path'>): Promise<HttpAnswer>;

  /** Connects a user to the ports of a pod. @throws KubeletError when the pod does not run */
  portForward(pod: Pod): Promise<ServePorts>;
}

/** The resource usage of a node and its containers. */
export interface ResourceMetrics {
  readonly node: ResourceUsage;
  readonly containers: readonly ContainerResourceUsage[];
}

/** The resource usage at one moment. */
export interface ResourceUsage {
  /** The start of the measurement, in ms since 1970. */
  readonly startedAtMs: number;
  readonly atMs: number;
  /** The total since the start, in nanoseconds of one CPU. */
  readonly cpuUsageCoreNanoSeconds: number;
  readonly memoryWorkingSetBytes: number;
}

/** The resource usage of a container. */
export interface ContainerResourceUsage extends ResourceUsage {
  readonly pod: { readonly namespace: string; readonly name: string };
  readonly container: string;
}

/** A container of a pod. */
export interface ContainerOf {
  readonly pod: Pod;
  readonly container: string;
}

/**
 * The lines of a log to return, and their format.
 *
 * Upstream: kubernetes/api@v0.36.3 core/v1/types.go PodLogOptions
 */
export interface LogOptions {
  readonly follow?: boolean;
  /** Whether to return the log of the previous container instance. */
  readonly previous?: boolean;
  /** Only lines since this time, in ms since 1970. */
  readonly sinceMs?: number;
  /** Only lines of the last seconds, on the clock of the node. */
  readonly sinceSeconds?: number;
  /** Whether each line starts with its time. */
  readonly timestamps?: boolean;
  /** Only this many lines from the end. */
  readonly tailLines?: number;
  /** The maximum number of bytes. */
  readonly limitBytes?: number;
  /** @defaultValue `All` */
  readonly stream?: 'All' | 'Stdout' | 'Stderr';
}

/** An error response of a kubelet: an HTTP status code and plain text, instead of a `Status` object. */
export class KubeletError extends Error {
  override readonly name = 'KubeletError';
  readonly code: 400 | 404 | 500;

  constructor(code: KubeletError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
