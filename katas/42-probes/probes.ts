/**
 * Kata 42 · Probes. Read README.md beside this file, then begin at the top: Level 1 is what an answer means.
 *
 * From the inside out: {@link probe} asks one container once; {@link look} and {@link count} decide, as pure functions, what one
 * tick comes to; a {@link Worker} ticks in time; a {@link Manager} has one worker for each probe of each pod.
 *
 * To go your own way, write {@link newProbeManager} in any shape: its contract stands at `ProbeManager`, and the laws ask for no
 * more.
 */
import {
  type Clock,
  type core,
  type cri,
  type HttpAnswer,
  type HttpRequest,
  NetworkError,
  type NewProbeManager,
  type Pod,
  type ProbeManager,
  type ProbeManagerOptions,
  type ProbeResult,
  type ProbeType,
  type Random,
  todo,
  urlOf,
} from '#harness';

const KATA = '42-probes';

/** What came of one probe. A warning is a success that people are told of. */
export interface ProbeAnswer {
  readonly result: 'success' | 'warning' | 'failure';
  /** Why, for people. */
  readonly output: string;
}

/** Whose probe, and where it is at the moment. */
export interface ProbeTarget {
  readonly pod: Pod;
  readonly container: core.Container;
  readonly type: ProbeType;
  readonly probe: core.Probe;
  readonly podIP: string;
  /** As in the status: `containerd://…`. */
  readonly containerID: string;
}

/** What a probe needs of the node. */
export type Tools = Pick<ProbeManagerOptions, 'runtime' | 'network' | 'recorder' | 'clock'>;

// Level 1 · What an answer means

/**
 * Of an HTTP answer: a status from 200 to 299 is a success, with the body as output. One from 300 to 399 is a warning, with the
 * output `Probe terminated redirects, Response body: …`. Every other one is a failure, with the output
 * `HTTP probe failed with statuscode: 503`. No more than the first 10,240 characters of a body are told.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/http/http.go DoHTTPProbe
 */
export function httpResult(answer: HttpAnswer): ProbeAnswer {
  return todo(KATA, 'httpResult', 'Level 1');
}

/**
 * Of a command that has ended: exit code 0 is a success, every other one a failure. What it wrote is the output, `stdout` before
 * `stderr`, no more than 10,240 characters.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/exec/exec.go execProber.Probe
 */
export function execResult(response: cri.ExecSyncResponse): ProbeAnswer {
  return todo(KATA, 'execResult', 'Level 1');
}

// Level 2 · Where a probe goes

/**
 * The port that a probe names: a number, the name of one of the container's ports, or a number that is written as a string.
 *
 * @throws Error `strconv.Atoi: parsing "web": invalid syntax` for a name that no port has; `invalid port number: 0` for a number
 * outside 1 … 65,535
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/util.go ResolveContainerPort
 */
export function portOf(port: number | string, container: core.Container): number {
  return todo(KATA, 'portOf', 'Level 2');
}

/**
 * The request of an HTTP probe: a GET to `host`, or to the pod's own address, with the probe's time ({@link timeoutMsOf}).
 *
 * Headers are the probe's own, with names in lower case; a name that comes twice has both values, joined by `, `. Unless the
 * probe has them, there are also `user-agent: kube-probe/1.36` and `accept: *\/*`. The probe can leave out `user-agent`,
 * `accept` and `host` by an empty value.
 *
 * @param action `path` may have a query, and is `/` by default; `scheme` is `HTTP` by default
 * @throws Error like {@link portOf}
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/http/request.go NewRequestForHTTPGetAction
 */
export function httpRequestOf(
  action: core.HTTPGetAction,
  target: Pick<ProbeTarget, 'container' | 'podIP' | 'probe'>,
): HttpRequest {
  return todo(KATA, 'httpRequestOf', 'Level 2');
}

/** How long a probe may take. */
export function timeoutMsOf({ timeoutSeconds = 1 }: core.Probe): number {
  return timeoutSeconds * 1_000;
}

// Level 3 · One probe

/**
 * Asks once.
 *
 * - `exec`: the command runs in the container (`runtime.execSync`, which knows the container without `containerd://`, and is
 *   told the timeout in seconds). `$(NAME)` in it stands for the value of the container's `env` (`expand` of `#harness`): only
 *   what the spec says is known, and a variable with `valueFrom` is empty. A `cri.CriError` (a class: import
 *   `cri` without `type` for it) with the code `DeadlineExceeded` is a failure, `command timed out: …` and the error's message
 * - `httpGet`: {@link get}, and {@link httpResult} of the answer
 * - `tcpSocket`: success as soon as a connection is open. `host` and `port` as for HTTP
 * - `grpc`: Level 11
 *
 * No answer is an answer: a `NetworkError` is a failure, and its message the output.
 *
 * @throws whatever else goes wrong: then nothing is known of the container. `missing probe handler for web` when the probe has
 * no action
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober.go prober.runProbe
 */
export async function runProbe(tools: Tools, target: ProbeTarget): Promise<ProbeAnswer> {
  return todo(KATA, 'runProbe', 'Level 3');
}

/**
 * Asks, and tells people when something is wrong: an event about the container (`containerReference` of `#harness`), of type
 * Warning.
 *
 * | what came of it | reason | message | gives |
 * |---|---|---|---|
 * | success | – | – | `Success` |
 * | warning | `ProbeWarning` | `Readiness probe warning: ` and the output | `Success` |
 * | failure | `Unhealthy` | `Readiness probe failed: ` and the output | `Failure` |
 * | {@link runProbe} throws three times in a row | `Unhealthy` | `Readiness probe errored and resulted in unknown state: ` and the message of the last error | `undefined` |
 *
 * @returns `undefined` when it could not ask
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober.go prober.probe, prober.runProbeWithRetries
 */
export async function probe(tools: Tools, target: ProbeTarget): Promise<'Success' | 'Failure' | undefined> {
  return todo(KATA, 'probe', 'Level 3');
}

/** One GET. Redirects are Level 12. */
export async function get(tools: Tools, first: HttpRequest): Promise<HttpAnswer> {
  const endMs = tools.clock.now() + first.timeoutMs;
  const answer = await send(tools.network, first);
  return isRedirect(answer) ? follow(tools, { first, answer, endMs }) : answer;
}

/** A request, as Go does it: an error says where it went. */
async function send(network: Tools['network'], request: HttpRequest): Promise<HttpAnswer> {
  try {
    return await network.request(request);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    throw new NetworkError(error.code, `Get "${urlOf(request)}": ${error.message}`);
  }
}

// Level 4 · Counting

/** One probe of one container. What it says of them is what its pod said when it was added. */
export interface Probed {
  readonly pod: Pod;
  readonly container: core.Container;
  readonly type: ProbeType;
  readonly probe: core.Probe;
}

/** What a worker remembers from tick to tick. */
export interface WorkerState {
  /** The container that it saw last; empty while it saw none. */
  readonly containerID: string;
  /** Nothing is to be found out about this container any more. */
  readonly onHold: boolean;
  /** What its last probe gave, and how often in a row. */
  readonly lastResult: ProbeResult;
  readonly resultRun: number;
}

/** What a worker sees when it looks. */
export interface Sight {
  readonly status: Pod['status'] | undefined;
  readonly nowMs: number;
  /** When the kubelet started. */
  readonly startedMs: number;
}

/** What comes of a tick, or of a part of it. */
export interface Tick {
  readonly state: WorkerState;
  /** To be stored for `state.containerID`, in this order. */
  readonly results: readonly ProbeResult[];
  readonly next: 'wait' | 'probe' | 'end';
}

/** How every worker begins. */
export const nothingSeen: WorkerState = {
  containerID: '',
  onHold: false,
  lastResult: 'Unknown',
  resultRun: 0,
};

/**
 * One result more. Equal ones in a row are counted. Below the threshold nothing is known yet: no result is to be stored. From
 * the threshold on each one is.
 *
 * Two results decide all that there is to know about a container: a liveness probe's `Failure`, and a startup probe's result,
 * whichever it is. Then the worker is on hold, and its run begins anew.
 *
 * @returns `next` is always `wait`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker.doProbe
 */
export function count(probed: Probed, before: WorkerState, result: 'Success' | 'Failure'): Tick {
  return todo(KATA, 'count', 'Level 4');
}

// Level 5 · Looking

/**
 * What a tick comes to before anything is asked. The first line that applies decides `next`:
 *
 * | the status | next | results |
 * |---|---|---|
 * | there is none | wait | |
 * | the phase is `Failed` or `Succeeded`, whatever it says of containers | end | |
 * | it has no such container, or that has no id yet ({@link containerStatusOf}) | wait | |
 * | the worker is on hold | wait | |
 * | the container does not run | wait; end if it has terminated and is not started again | `Failure` |
 * | the pod had a `deletionTimestamp`, and it is no readiness probe | end | `Success` |
 * | the probe is held back ({@link isHeldBack}) | wait | |
 * | | probe | |
 *
 * A container with another id is a new one. From the fourth line on, where a container is looked at, it is remembered; then the worker is not on hold any more, and
 * before all other results comes what is held to be so until a probe says more: liveness `Success`, readiness `Failure`,
 * startup `Unknown`. For one that was there before the kubelet ({@link hasSurvived}) it is {@link inheritedResults} instead.
 *
 * Whether a container is started again: `shouldRestart` and `shouldAllContainersRestart` of `#harness`.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker.doProbe
 */
export function look(probed: Probed, before: WorkerState, sight: Sight): Tick {
  return todo(KATA, 'look', 'Level 5');
}

/** The status of a container, if it was ever made: an app's, or a sidecar's. */
export function containerStatusOf(
  { containerStatuses = [], initContainerStatuses = [] }: NonNullable<Pod['status']> = {},
  name: string,
): core.ContainerStatus | undefined {
  return [...containerStatuses, ...initContainerStatuses].find(
    (status) => status.name === name && status.containerID,
  );
}

// Level 6 · What has to wait

/**
 * Is it too early to ask a container that runs, or too late?
 *
 * - Too early: since `state.running.startedAt`, less than `initialDelaySeconds` have passed.
 * - A startup probe is made until the container has `started`; all others are made only after that.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker.doProbe
 */
export function isHeldBack(
  probed: Pick<Probed, 'type' | 'probe'>,
  container: core.ContainerStatus,
  nowMs: number,
): boolean {
  return todo(KATA, 'isHeldBack', 'Level 6');
}

// Level 7 · Results

/**
 * What is known by one kind of probe, by container.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/results/results_manager.go manager
 */
export class Results {
  readonly #type: ProbeType;
  readonly #onUpdate: ProbeManagerOptions['onUpdate'];

  constructor(type: ProbeType, onUpdate: ProbeManagerOptions['onUpdate']) {
    this.#type = type;
    this.#onUpdate = onUpdate;
  }

  /** Undefined when nothing is known. */
  get(containerID: string): ProbeResult | undefined {
    return todo(KATA, 'Results.get', 'Level 7');
  }

  /** Stores a result; and tells of it, if it is not what was known before. It is known already when it is told. */
  set(containerID: string, result: ProbeResult, podUID: string): void {
    todo(KATA, 'Results.set', 'Level 7');
  }

  /** Forgets what is known. Nothing is told of that. */
  remove(containerID: string): void {
    todo(KATA, 'Results.remove', 'Level 7');
  }
}

// Level 8 · In time

/** What a worker works with. */
export interface WorkerOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** When the kubelet started. */
  readonly startedMs: number;
  readonly statusOf: (podUID: string) => Pod['status'] | undefined;
  readonly results: Results;
  /** Makes one probe: undefined when it could not be made. */
  readonly probe: (containerID: string, podIP: string) => Promise<'Success' | 'Failure' | undefined>;
  /** Told when it has ended by itself, or was stopped. */
  readonly onEnd: () => void;
}

/**
 * Ticks once each period for as long as its container may be started again.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker
 */
export class Worker {
  readonly #probed: Probed;
  readonly #options: WorkerOptions;

  constructor(probed: Probed, options: WorkerOptions) {
    this.#probed = probed;
    this.#options = options;
  }

  /**
   * Ticks at once, and then each `periodSeconds`. If the kubelet is younger than one period, it waits first: a random part of
   * a period.
   *
   * A tick is {@link look}; then a probe, if that is what comes next; then {@link count}, unless the probe could not be made.
   * Results are stored as they come. When another container is taken up, what was known of the one before is forgotten.
   *
   * Never two probes at once. If a tick falls due while a probe is under way, it comes right after that; if several do, they are
   * one. After it, ticks come when they would have come anyway.
   *
   * @returns when it is at its end: then what it knew is forgotten, and `onEnd` was told
   */
  async run(): Promise<void> {
    todo(KATA, 'Worker.run', 'Level 8');
  }

  /**
   * Ticks now, also in the midst of a period; if a probe is under way, right after that. The next tick is a period later. Before
   * its first tick nothing comes of it.
   */
  trigger(): void {
    todo(KATA, 'Worker.trigger', 'Level 8');
  }

  /** Ends it, for good. What it knew is forgotten at once; a probe that is under way changes nothing. No timer stays. */
  stop(): void {
    todo(KATA, 'Worker.stop', 'Level 8');
  }
}

// Level 9 · All probes of a node

/** @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go NewManager */
export const newProbeManager: NewProbeManager = (options) => new Manager(options);

/**
 * One worker for each probe. Its methods are described at `ProbeManager`. When `options.signal` is aborted, all ends,
 * and nothing begins any more.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go manager
 */
export class Manager implements ProbeManager {
  readonly #options: ProbeManagerOptions;

  constructor(options: ProbeManagerOptions) {
    this.#options = options;
  }

  /** A worker that has ended by itself, or was stopped, is not begun again. After the abort nothing is begun. */
  addPod(pod: Pod): void {
    todo(KATA, 'Manager.addPod', 'Level 9');
  }

  /** Of its containers, and not of its sidecars. */
  stopLivenessAndStartup(pod: Pod): void {
    todo(KATA, 'Manager.stopLivenessAndStartup', 'Level 9');
  }

  removePod(pod: Pod): void {
    todo(KATA, 'Manager.removePod', 'Level 9');
  }

  cleanupPods(desired: ReadonlySet<string>): void {
    todo(KATA, 'Manager.cleanupPods', 'Level 9');
  }

  result(type: ProbeType, containerID: string): ProbeResult | undefined {
    return todo(KATA, 'Manager.result', 'Level 9');
  }

  // Level 10 · Ready and started

  /**
   * Puts `started` and `ready` into the status of each container and each sidecar. The first line that applies decides:
   *
   * | started | |
   * |---|---|
   * | it does not run | no |
   * | its startup probe has a result | whether that is `Success` |
   * | `started` is true already | yes |
   * | | whether there is no startup worker: there is no such probe, or it was stopped |
   *
   * | ready | |
   * |---|---|
   * | it has not started | no |
   * | its readiness probe says `Success` | yes |
   * | its readiness probe says nothing, and it was there before the kubelet ({@link hasSurvived}) | {@link wasReady} |
   * | | whether there never was a readiness worker: one that has ended by itself counts |
   *
   * From the third line on, a readiness worker is triggered.
   *
   * An init container that is no sidecar has `started` by the same table, and is ready when it has exited with 0.
   *
   * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go manager.UpdatePodStatus
   */
  updatePodStatus(pod: Pod, status: Pod['status']): Pod['status'] {
    return todo(KATA, 'Manager.updatePodStatus', 'Level 10');
  }
}

// Level 11 ★ · gRPC

/**
 * Asks a gRPC server for the health of a service; of the whole server, if the probe names none. It listens at the pod's own
 * address.
 *
 * @returns a success, `service healthy`, for `SERVING`; a failure for every other answer,
 * `service unhealthy (responded with "NOT_SERVING")`. A `NetworkError` is a failure: `sayHealthError` of `#harness`
 * @throws whatever else goes wrong
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/grpc/grpc.go grpcProber.Probe
 */
export async function checkHealth(
  tools: Pick<Tools, 'network'>,
  target: Pick<ProbeTarget, 'podIP' | 'probe'>,
  action: core.GRPCAction,
): Promise<ProbeAnswer> {
  return todo(KATA, 'checkHealth', 'Level 11');
}

// Level 12 ★ · Redirects

/** What the first answer of an HTTP probe leads to. */
export interface Redirect {
  readonly first: HttpRequest;
  readonly answer: HttpAnswer;
  /** When the probe's time is over. */
  readonly endMs: number;
}

/**
 * Goes where a redirect leads, and where that leads, as long as it is the same host: another port or scheme will do. Each request
 * ({@link send}, {@link redirected}) has what is left of the probe's time.
 *
 * @returns the first answer that leads nowhere ({@link isRedirect}), or to another host
 * @throws NetworkError `Get "/next": stopped after 10 redirects` instead of an eleventh request, with the location as the server
 * gave it
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/http/http.go RedirectChecker
 */
export async function follow(
  tools: Pick<Tools, 'network' | 'clock'>,
  redirect: Redirect,
): Promise<HttpAnswer> {
  return todo(KATA, 'follow', 'Level 12');
}

/** Whether an answer leads somewhere else: to its `location`, which may be a path alone. */
function isRedirect({ status, headers }: HttpAnswer): boolean {
  return [301, 302, 303, 307, 308].includes(status) && !!headers.location;
}

/** A request like this one, to another place on the same host. */
export function redirected(from: HttpRequest, to: URL, isAbsolute: boolean): HttpRequest {
  const scheme = to.protocol === 'https:' ? 'https' : 'http';
  const { host: _, ...others } = from.headers;
  return {
    ...from,
    scheme,
    port: Number(to.port) || (scheme === 'https' ? 443 : 80),
    path: `${to.pathname}${to.search}`,
    // A location that says a host speaks of that host, whatever name it was asked by before.
    headers: isAbsolute ? others : from.headers,
  };
}

// Level 13 ★ · A kubelet that was started again

/**
 * Was it there before the kubelet? Then what the API says of it still holds, until a probe says otherwise.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go kubeletRestartGracePeriod
 */
export function hasSurvived({ state }: core.ContainerStatus, startedMs: number): boolean {
  const { startedAt } = state?.running ?? {};
  return !!startedAt && Date.parse(startedAt) < startedMs - 10_000;
}

/**
 * What is known of a container that was there before the kubelet: nothing; but of a sidecar that has `started` its startup
 * probe knows `Success`. The containers that come after it wait for that.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker.doProbe
 */
export function inheritedResults(
  probed: Pick<Probed, 'type' | 'pod' | 'container'>,
  container: core.ContainerStatus,
): readonly ProbeResult[] {
  return todo(KATA, 'inheritedResults', 'Level 13');
}

/**
 * Whether a container that was there before the kubelet is ready until its readiness probe says so: yes, if the spec has no such
 * probe; otherwise if the pod's condition `Ready` is `True` in the API.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go setReadyStateOnKubeletRestart
 */
export function wasReady(pod: Pod, container: core.ContainerStatus): boolean {
  return todo(KATA, 'wasReady', 'Level 13');
}
