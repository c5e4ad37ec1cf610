/**
 * Kata 42 · Probes. Read README.md beside this file, then begin at the top: Level 1 is the meaning of an answer.
 *
 * For Level 1, read only as far as {@link execResult}: a `ProbeAnswer` is `{ result: 'success' | 'warning' | 'failure', output }`.
 *
 * From the inside out: {@link probe} runs one probe of one container; {@link look} and {@link count} decide one tick, as pure
 * functions; a {@link Worker} ticks in time; a {@link Manager} has one worker for each probe of each pod.
 *
 * The imported types describe the values that pass between the functions: `ProbeTarget`, `ProbeState`, `ProbeTick`. These
 * types, and the functions that comments name, come from `#given/42-probes` or `#harness`: import the ones you need.
 *
 * For your own design, write {@link newProbeManager} in any shape: `ProbeManager` documents its contract, and the laws
 * require no more.
 */
import type {
  ProbeAnswer,
  Probed,
  ProbeRedirect,
  ProbeSight,
  ProbeState,
  ProbeTarget,
  ProbeTick,
  ProbeTools,
  ProbeWorkerOptions,
} from '#given/42-probes';
import {
  type core,
  type cri,
  type HttpAnswer,
  type HttpRequest,
  type NewProbeManager,
  type Pod,
  type ProbeManager,
  type ProbeManagerOptions,
  type ProbeResult,
  type ProbeType,
  todo,
} from '#harness';

const KATA = '42-probes';

// Level 1 · What an answer means

/**
 * Interprets an HTTP answer. A status from 200 to 299 is a success, with the body as output. A status from 300 to 399 is
 * a warning, with the output `Probe terminated redirects, Response body: …`. Every other status is a failure, with the output
 * `HTTP probe failed with statuscode: 503`. The output contains at most the first 10,240 characters of the body.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/http/http.go DoHTTPProbe
 */
export function httpResult(answer: HttpAnswer): ProbeAnswer {
  return todo(KATA, 'httpResult', 'Level 1');
}

/**
 * Interprets the end of a command. Exit code 0 is a success, every other code a failure. The output is `stdout`, then `stderr`,
 * together at most 10,240 characters.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/probe/exec/exec.go execProber.Probe
 */
export function execResult(response: cri.ExecSyncResponse): ProbeAnswer {
  return todo(KATA, 'execResult', 'Level 1');
}

// Level 2 · Where a probe goes

/**
 * Returns the request of an HTTP probe: a GET to `host`, or to the IP of the pod if the probe names no host, with the headers
 * (`probeHeaders`) and the timeout (`timeoutMsOf`) of the probe.
 *
 * @param action - `port` may be a name: `portOf` finds it. `path` may have a query, and may lack its first slash; the
 * default is `/`. It is parsed as a URL: a space becomes `%20`, and a fragment is not sent. The default of `scheme` is `HTTP`.
 * @throws the Error of `portOf`, if the port has no number
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
 * Probes once.
 *
 * - `exec`: run the command in the container (`runtime.execSync`, which expects the ID without `containerd://` and the
 *   timeout in seconds). In each word of the command, `expand` replaces `$(NAME)` by the value from the container's
 *   `env`; if a name occurs twice, the last value wins. A variable with `valueFrom` is empty. A `cri.CriError` (a class: import `cri` without `type` for it) with the
 *   code `DeadlineExceeded` is a failure; its output is `command timed out: ` and the message of the error.
 * - `httpGet`: `getURL` sends the request, and {@link httpResult} interprets the answer. Without its third argument
 *   `getURL` follows no redirect; that is Level 12.
 * - `tcpSocket`: a success as soon as a connection is open (`network.connect`). `host` and `port` as for HTTP.
 * - `grpc`: ★ {@link checkHealth}, Level 11. Until then leave it out.
 *
 * A `NetworkError` is also an answer: a failure, with the message of the error as output.
 *
 * @throws every other error, because it says nothing about the container; `missing probe handler for web` if the probe has no
 * action
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober.go prober.runProbe
 */
export async function runProbe(tools: ProbeTools, target: ProbeTarget): Promise<ProbeAnswer> {
  return todo(KATA, 'runProbe', 'Level 3');
}

/**
 * Probes, with retries, and emits an event of type Warning about the container (`containerReference`) if something is wrong.
 *
 * | outcome | reason | message | returns |
 * |---|---|---|---|
 * | success | – | – | `Success` |
 * | warning | `ProbeWarning` | `Readiness probe warning: ` and the output | `Success` |
 * | failure | `Unhealthy` | `Readiness probe failed: ` and the output | `Failure` |
 * | {@link runProbe} throws three times in a row | `Unhealthy` | `Readiness probe errored and resulted in unknown state: ` and the message of the last error | `undefined` |
 *
 * @returns `undefined` if the probe could not run
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
 * Counts a result. The state counts equal results in a row (`resultRun`). It stores a result only if at least
 * as many equal results as the threshold came in a row.
 *
 * Two stored results are final for a container: the `Failure` of a liveness probe, and any result of a startup probe.
 * They put the worker on hold, and reset `resultRun` to 0.
 *
 * @returns `next` is always `wait`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker.doProbe
 */
export function count(probed: Probed, before: ProbeState, result: 'Success' | 'Failure'): ProbeTick {
  return todo(KATA, 'count', 'Level 4');
}

// Level 5 · Looking

/**
 * Decides a tick before the probe runs. The first line that applies decides `next`:
 *
 * | situation | next | results |
 * |---|---|---|
 * | no status | wait | |
 * | the phase is `Failed` or `Succeeded`, whatever the containers' statuses are | end | |
 * | the status lacks the container, or the container's ID (`containerStatusOf`) | wait | |
 * | the worker is on hold | wait | |
 * | the container does not run | wait; end if it has terminated and will not restart | `Failure` |
 * | `probed.pod` has a `deletionTimestamp`, and this is not a readiness probe | end | `Success` |
 * | the probe is held back ({@link isHeldBack}) | wait | |
 * | otherwise | probe | |
 *
 * The first three lines leave the state unchanged. If none of them applies, compare the container's ID with that in the
 * state before you go on. A different ID means a new container: store its ID in the state, take the worker off hold, and put
 * an initial result before the results of the table: liveness `Success`, readiness `Failure`, startup `Unknown`.
 *
 * ★ For a new container that is older than the kubelet (`hasSurvived`), {@link inheritedResults} replace that initial
 * result. Until Level 13 leave it out.
 *
 * `shouldRestart` and `shouldAllContainersRestart` decide whether a container will restart.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker.doProbe
 */
export function look(probed: Probed, before: ProbeState, sight: ProbeSight): ProbeTick {
  return todo(KATA, 'look', 'Level 5');
}

// Level 6 · What has to wait

/**
 * Checks whether a probe of a running container has to wait:
 *
 * - if less than `initialDelaySeconds` have passed since `state.running.startedAt`
 * - if it is a startup probe and the container has `started`, or if it is another probe and the container has not
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
 * The results of one type of probe, by container.
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

  /** Returns the result of a container; undefined if none is stored. */
  get(containerID: string): ProbeResult | undefined {
    return todo(KATA, 'Results.get', 'Level 7');
  }

  /** Stores a result, and then calls `onUpdate` if the result differs from the one before. */
  set(containerID: string, result: ProbeResult, podUID: string): void {
    todo(KATA, 'Results.set', 'Level 7');
  }

  /** Deletes a result, without a call of `onUpdate`. */
  remove(containerID: string): void {
    todo(KATA, 'Results.remove', 'Level 7');
  }
}

// Level 8 · In time

/**
 * Ticks once per period, until its container has ended and will not restart.
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
   * Ticks at once, and then every `periodSeconds`. If the kubelet is younger than one period, the first tick comes after
   * a random part of a period.
   *
   * A tick is {@link look}; then a probe, if `next` is `probe`; then {@link count}, unless the probe had no result. Store each
   * result at once. When the worker meets another container, delete the result of the old one.
   *
   * Two probes never overlap. A tick that falls due during a probe comes right after it; several such ticks are one. The
   * ticks after that come at their usual times.
   *
   * @returns when the worker has ended: its result is deleted, and `onEnd` was called
   */
  async run(): Promise<void> {
    todo(KATA, 'Worker.run', 'Level 8');
  }

  /**
   * Ticks at once, also in the middle of a period; during a probe, right after that probe. The next tick comes
   * one period later. Has no effect before the first tick.
   */
  trigger(): void {
    todo(KATA, 'Worker.trigger', 'Level 8');
  }

  /**
   * Ends the worker for good. Deletes its result at once, ignores the result of a running probe, and leaves no timer. `onUpdate`
   * may stop the worker in the middle of a tick: then it stores no further result, and starts no probe.
   */
  stop(): void {
    todo(KATA, 'Worker.stop', 'Level 8');
  }
}

// Level 9 · All probes of a node

/** @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go NewManager */
export const newProbeManager: NewProbeManager = (options) => new Manager(options);

/**
 * Runs one worker for each probe. `ProbeManager` documents its methods. When `options.signal` is aborted, all workers
 * end, and no worker starts after that.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go manager
 */
export class Manager implements ProbeManager {
  readonly #options: ProbeManagerOptions;

  constructor(options: ProbeManagerOptions) {
    this.#options = options;
  }

  /** Does not restart a worker that has ended by itself or was stopped. Starts no worker after the abort. */
  addPod(pod: Pod): void {
    todo(KATA, 'Manager.addPod', 'Level 9');
  }

  /** Stops the probes of containers, not those of sidecars. */
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
   * Sets `started` and `ready` in the status of each container and each sidecar. The first line that applies decides:
   *
   * | situation | started |
   * |---|---|
   * | the container does not run | no |
   * | its startup probe has a stored result | yes if that is `Success`; no if it is `Unknown` or `Failure` |
   * | the status has `started: true` already | yes |
   * | otherwise | yes if no startup worker runs: there is no such probe, or its worker was stopped or has ended |
   *
   * | situation | ready |
   * |---|---|
   * | the container has not started | no |
   * | the result of its readiness probe is `Success` | yes |
   * | ★ its readiness probe has no result, and the container is older than the kubelet (`hasSurvived`) | {@link wasReady}; leave this line out until Level 13 |
   * | otherwise | yes if `addPod` started no readiness worker for it; no if it did, even if that worker has ended by itself |
   *
   * In the third and all later lines of this table, also trigger the readiness worker, if it runs.
   *
   * For an init container that is not a sidecar, `started` follows the same table, and `ready` is true after exit code 0.
   *
   * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go manager.UpdatePodStatus
   */
  updatePodStatus(pod: Pod, status: Pod['status']): Pod['status'] {
    return todo(KATA, 'Manager.updatePodStatus', 'Level 10');
  }
}

// Level 11 ★ · gRPC

/**
 * Checks the health of a service over gRPC, or of the whole server if the probe names no service. The server listens at
 * the pod IP.
 *
 * @returns a success, `service healthy`, for `SERVING`; a failure, `service unhealthy (responded with "NOT_SERVING")`,
 * for every other answer. A `NetworkError` is a failure, too: `sayHealthError` returns its output
 * @throws every other error
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
 * Follows a redirect, and each further one, within the same host; the port and the scheme may change. The timeout of each
 * request (`redirected`, `sendGet`) is the rest of the probe's timeout. In {@link runProbe}, pass `follow` to `getURL` as the
 * third argument.
 *
 * @returns the first answer that is no redirect (`isRedirect`), or the first redirect that leads to another host
 * @throws NetworkError `Get "/next": stopped after 10 redirects` instead of an eleventh request, with the location exactly as
 * the server sent it; `Get "http://10.244.1.2:80/": failed to parse Location header "http://["`, with the URL of the request,
 * if the location is no URL
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
 * Returns the initial results of a container that is older than the kubelet: none, except `Success` for the startup probe of a
 * sidecar that has `started`. The containers after the sidecar wait for that result.
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
 * Decides whether a container is ready while its readiness probe has no result, if the container is older than the kubelet:
 * yes if the spec (of the container or the sidecar) has no such probe, or if the pod's condition `Ready` is `True` in the API.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go setReadyStateOnKubeletRestart
 */
export function wasReady(pod: Pod, container: core.ContainerStatus): boolean {
  return todo(KATA, 'wasReady', 'Level 13');
}
