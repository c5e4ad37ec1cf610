/**
 * Kata 42 · Probes. Read README.md beside this file, then begin at the top: Level 1 is what an answer means.
 *
 * From the inside out: {@link probe} asks one container once; {@link look} and {@link count} decide, as pure functions, what one
 * tick comes to; a {@link Worker} ticks in time; a {@link Manager} has one worker for each probe of each pod.
 *
 * The types that are imported here say what goes from one function to the next: `ProbeTarget`, `ProbeState`, `ProbeTick`. They and
 * all functions that a comment names in `code` are given in `#harness`: import what you need.
 *
 * To go your own way, write {@link newProbeManager} in any shape: its contract stands at `ProbeManager`, and the laws ask for no
 * more.
 */
import {
  type core,
  type cri,
  type HttpAnswer,
  type HttpRequest,
  type NewProbeManager,
  type Pod,
  type ProbeAnswer,
  type Probed,
  type ProbeManager,
  type ProbeManagerOptions,
  type ProbeRedirect,
  type ProbeResult,
  type ProbeSight,
  type ProbeState,
  type ProbeTarget,
  type ProbeTick,
  type ProbeTools,
  type ProbeType,
  type ProbeWorkerOptions,
  todo,
} from '#harness';

const KATA = '42-probes';

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
 * The request of an HTTP probe: a GET to `host`, or to the pod's own address if the probe names no host, with the headers of the
 * probe (`probeHeaders`) and the time of the probe (`timeoutMsOf`).
 *
 * @param action `port` may be a name: `portOf` finds it. `path` may have a query, and may lack the slash at its beginning; it is
 * `/` by default. `scheme` is `HTTP` by default
 * @throws Error as `portOf`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/http/request.go NewRequestForHTTPGetAction
 */
export function httpRequestOf(
  action: core.HTTPGetAction,
  target: Pick<ProbeTarget, 'container' | 'podIP' | 'probe'>,
): HttpRequest {
  return todo(KATA, 'httpRequestOf', 'Level 2');
}

// Level 3 · One probe

/**
 * Asks once.
 *
 * - `exec`: the command runs in the container (`runtime.execSync`, which knows the container without `containerd://`, and takes
 *   the timeout in seconds). In each word of it `$(NAME)` stands for the value of the container's `env` (`expand`). A variable
 *   with `valueFrom` is empty. A `cri.CriError` (a class: import `cri` without `type` for it) with the code `DeadlineExceeded` is
 *   a failure with the output `command timed out: ` and the message of the error
 * - `httpGet`: `getURL` makes the request, and {@link httpResult} reads the answer. Without its third argument `getURL` follows no
 *   redirect; that is Level 12
 * - `tcpSocket`: a success as soon as a connection is open (`network.connect`). `host` and `port` as for HTTP
 * - `grpc`: ★ {@link checkHealth}, Level 11. Until then leave it out
 *
 * No answer is an answer: a `NetworkError` is a failure, and its message the output.
 *
 * @throws whatever else goes wrong: then nothing is known of the container. `missing probe handler for web` when the probe has
 * no action
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober.go prober.runProbe
 */
export async function runProbe(tools: ProbeTools, target: ProbeTarget): Promise<ProbeAnswer> {
  return todo(KATA, 'runProbe', 'Level 3');
}

/**
 * Asks, and tells people if something is wrong: an event of type Warning about the container (`containerReference`).
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
export async function probe(
  tools: ProbeTools,
  target: ProbeTarget,
): Promise<'Success' | 'Failure' | undefined> {
  return todo(KATA, 'probe', 'Level 3');
}

// Level 4 · Counting

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
export function count(probed: Probed, before: ProbeState, result: 'Success' | 'Failure'): ProbeTick {
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
 * | it has no such container, or that has no id yet (`containerStatusOf`) | wait | |
 * | the worker is on hold | wait | |
 * | the container does not run | wait; end if it has terminated and is not started again | `Failure` |
 * | the pod had a `deletionTimestamp`, and it is no readiness probe | end | `Success` |
 * | the probe is held back ({@link isHeldBack}) | wait | |
 * | | probe | |
 *
 * The first three lines change nothing in the state. From the fourth line on the worker looks at a container. If its id is another
 * one than before, it is a new container: the state takes the new id, the worker is not on hold any more, and a first result comes
 * before the results of the table: liveness `Success`, readiness `Failure`, startup `Unknown`.
 *
 * ★ If the new container was there before the kubelet (`hasSurvived`), {@link inheritedResults} come in place of that first result.
 * Until Level 13 leave it out.
 *
 * `shouldRestart` and `shouldAllContainersRestart` say whether a container is started again.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker.doProbe
 */
export function look(probed: Probed, before: ProbeState, sight: ProbeSight): ProbeTick {
  return todo(KATA, 'look', 'Level 5');
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

/**
 * Ticks once each period for as long as its container may be started again.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker
 */
export class Worker {
  readonly #probed: Probed;
  readonly #options: ProbeWorkerOptions;

  constructor(probed: Probed, options: ProbeWorkerOptions) {
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
   * Ticks now, also in the middle of a period; if a probe is under way, right after that. The next tick is a period later. Before
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
   * | ★ its readiness probe says nothing, and it was there before the kubelet (`hasSurvived`) | {@link wasReady}; leave this line out until Level 13 |
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
 * `service unhealthy (responded with "NOT_SERVING")`. A `NetworkError` is a failure: `sayHealthError`
 * @throws whatever else goes wrong
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/grpc/grpc.go grpcProber.Probe
 */
export async function checkHealth(
  tools: Pick<ProbeTools, 'network'>,
  target: Pick<ProbeTarget, 'podIP' | 'probe'>,
  action: core.GRPCAction,
): Promise<ProbeAnswer> {
  return todo(KATA, 'checkHealth', 'Level 11');
}

// Level 12 ★ · Redirects

/**
 * Goes where a redirect leads, and where that leads, as long as it is the same host: another port or scheme will do. Each request
 * (`redirected`, `sendGet`) has what is left of the probe's time. Give it to `getURL` in {@link runProbe}, as the third argument.
 *
 * @returns the first answer that leads nowhere (`isRedirect`), or to another host
 * @throws NetworkError `Get "/next": stopped after 10 redirects` instead of an eleventh request, with the location as the server
 * gave it
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/http/http.go RedirectChecker
 */
export async function follow(
  tools: Pick<ProbeTools, 'network' | 'clock'>,
  redirect: ProbeRedirect,
): Promise<HttpAnswer> {
  return todo(KATA, 'follow', 'Level 12');
}

// Level 13 ★ · A kubelet that was started again

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
