import {
  containerStatusOf,
  hasSurvived,
  nothingSeen,
  type Probed,
  type ProbeSight,
  type ProbeState,
  type ProbeTick,
  type ProbeWorkerOptions,
} from '#given/42-probes';
import {
  type core,
  type Pod,
  type ProbeResult,
  type ProbeType,
  shouldAllContainersRestart,
  shouldRestart,
} from '#harness';

/** The result before the first probe. */
const INITIAL: Readonly<Record<ProbeType, ProbeResult>> = {
  liveness: 'Success',
  readiness: 'Failure',
  startup: 'Unknown',
};

// Level 4 · Counting

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker.doProbe, its second half */
export function count(
  { type, probe: { successThreshold = 1, failureThreshold = 3 } }: Probed,
  before: ProbeState,
  result: 'Success' | 'Failure',
): ProbeTick {
  const resultRun = before.lastResult === result ? before.resultRun + 1 : 1;
  const state = { ...before, lastResult: result, resultRun };
  const threshold = result === 'Success' ? successThreshold : failureThreshold;
  if (resultRun < threshold) return { state, results: [], next: 'wait' };
  const isDecided = type === 'startup' || (type === 'liveness' && result === 'Failure');
  return {
    // The container will be killed, or has started: in both cases the probe pauses until there is a new container.
    state: isDecided ? { ...state, onHold: true, resultRun: 0 } : state,
    results: [result],
    next: 'wait',
  };
}

// Level 5 · Looking

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker.doProbe, its first half */
export function look(probed: Probed, before: ProbeState, sight: ProbeSight): ProbeTick {
  const { pod, type, container: spec } = probed;
  const { status } = sight;
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') {
    return { state: before, results: [], next: 'end' };
  }
  const container = containerStatusOf(status, spec.name);
  if (!container) return { state: before, results: [], next: 'wait' };
  const { state, results } = takeUp(probed, before, container, sight.startedMs);
  if (state.onHold) return { state, results, next: 'wait' };
  const { running, terminated } = container.state ?? {};
  if (!running) {
    const comesBack =
      !terminated ||
      shouldRestart(spec, pod.spec ?? {}, terminated.exitCode) ||
      shouldAllContainersRestart(pod.spec ?? {}, status);
    return { state, results: [...results, 'Failure'], next: comesBack ? 'wait' : 'end' };
  }
  if (pod.metadata.deletionTimestamp !== undefined && type !== 'readiness') {
    // Report a success at the end: a pod that is terminating does not need to be killed.
    return { state, results: [...results, 'Success'], next: 'end' };
  }
  return { state, results, next: isHeldBack(probed, container, sight.nowMs) ? 'wait' : 'probe' };
}

/** Starts over for a new container, and continues for a known one. */
function takeUp(
  probed: Probed,
  before: ProbeState,
  container: core.ContainerStatus,
  startedMs: number,
): Pick<ProbeTick, 'state' | 'results'> {
  const { containerID = '' } = container;
  if (containerID === before.containerID) return { state: before, results: [] };
  return {
    // As in upstream, the run of equal results continues across containers: only a decision resets it.
    state: { ...before, containerID, onHold: false },
    results: hasSurvived(container, startedMs) ? inheritedResults(probed, container) : [INITIAL[probed.type]],
  };
}

// Level 6 · What has to wait

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker.doProbe */
export function isHeldBack(
  { type, probe: { initialDelaySeconds = 0 } }: Pick<Probed, 'type' | 'probe'>,
  { state, started = false }: core.ContainerStatus,
  nowMs: number,
): boolean {
  const ageMs = nowMs - Date.parse(state?.running?.startedAt ?? '');
  if (ageMs < initialDelaySeconds * 1_000) return true;
  return (type === 'startup') === started;
}

// Level 8 · In time

/**
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker
 *
 * Differs: a stopped worker deletes its result at once, and a trigger before its first tick has no effect.
 */
export class Worker {
  readonly #probed: Probed;
  readonly #options: ProbeWorkerOptions;
  #state = nothingSeen;
  #isStopped = false;
  #isTriggered = false;
  #wake: () => void = () => {};

  constructor(probed: Probed, options: ProbeWorkerOptions) {
    this.#probed = probed;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { clock, random, startedMs, results, onEnd } = this.#options;
    const periodMs = (this.#probed.probe.periodSeconds ?? 10) * 1_000;
    const isYoung = clock.now() - startedMs < periodMs;
    // When a kubelet starts, it adds all pods of its node at once: this spreads their first probes.
    let dueMs = clock.monotonicMs() + (isYoung ? random.float() * periodMs : 0);
    do await this.#sleepUntil(dueMs);
    while (clock.monotonicMs() < dueMs && !this.#isStopped);
    dueMs = clock.monotonicMs() + periodMs;
    this.#isTriggered = false;
    while (!this.#isStopped && (await this.#tick())) {
      if (!this.#isTriggered) await this.#sleepUntil(dueMs);
      if (this.#isTriggered) dueMs = clock.monotonicMs() + periodMs;
      // All ticks that were due during a probe count as one.
      while (dueMs <= clock.monotonicMs()) dueMs += periodMs;
      this.#isTriggered = false;
    }
    results.remove(this.#state.containerID);
    onEnd();
  }

  /** Runs a tick at once, or right after the running tick. The next one follows a period later. */
  trigger(): void {
    this.#isTriggered = true;
    this.#wake();
  }

  /** Stops the worker for good, and removes its result, even if a probe is running. */
  stop(): void {
    this.#isStopped = true;
    this.#options.results.remove(this.#state.containerID);
    this.#wake();
  }

  /** @returns whether the worker continues */
  async #tick(): Promise<boolean> {
    const { clock, startedMs, statusOf, probe } = this.#options;
    const status = statusOf(this.#probed.pod.metadata.uid);
    const tick = look(this.#probed, this.#state, { status, nowMs: clock.now(), startedMs });
    this.#carryOut(tick);
    if (tick.next !== 'probe' || this.#isStopped) return tick.next === 'wait';
    const result = await probe(this.#state.containerID, status?.podIP ?? '');
    if (result) this.#carryOut(count(this.#probed, this.#state, result));
    return true;
  }

  #carryOut({ state, results }: ProbeTick): void {
    const { results: cache } = this.#options;
    if (state.containerID !== this.#state.containerID) cache.remove(this.#state.containerID);
    this.#state = state;
    for (const result of results) {
      // The notification of one result may remove the pod.
      if (!this.#isStopped) cache.set(state.containerID, result, this.#probed.pod.metadata.uid);
    }
  }

  #sleepUntil(dueMs: number): Promise<void> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      const cancel = clock.after(Math.max(0, dueMs - clock.monotonicMs()), resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}

// Level 13 ★ · A kubelet that was started again

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker.doProbe */
export function inheritedResults(
  { type, pod, container }: Pick<Probed, 'type' | 'pod' | 'container'>,
  { started = false }: core.ContainerStatus,
): readonly ProbeResult[] {
  const isSidecar = pod.spec?.initContainers?.some(({ name }) => name === container.name) ?? false;
  // The containers after a sidecar wait for this result, and no probe will produce it again.
  return type === 'startup' && isSidecar && started ? ['Success'] : [];
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go setReadyStateOnKubeletRestart */
export function wasReady({ spec, status }: Pod, { name }: core.ContainerStatus): boolean {
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  const isProbed = containers.some((container) => container.name === name && container.readinessProbe);
  const isReady = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');
  return !isProbed || isReady === true;
}
