import {
  type Clock,
  type core,
  type Pod,
  type ProbeResult,
  type ProbeType,
  type Random,
  shouldAllContainersRestart,
  shouldRestart,
} from '#harness';
import type { Results } from './results.ts';

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

export const nothingSeen: WorkerState = {
  containerID: '',
  onHold: false,
  lastResult: 'Unknown',
  resultRun: 0,
};

/** What is held to be so until a probe says more. */
const INITIAL: Readonly<Record<ProbeType, ProbeResult>> = {
  liveness: 'Success',
  readiness: 'Failure',
  startup: 'Unknown',
};

/** A container that is older than the kubelet by more than this was there before it. */
const GRACE_MS = 10_000;

/**
 * Was it there before the kubelet? Then what the API says of it still holds, until a probe says otherwise.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go kubeletRestartGracePeriod
 */
export function hasSurvived({ state }: core.ContainerStatus, startedMs: number): boolean {
  const { startedAt } = state?.running ?? {};
  return !!startedAt && Date.parse(startedAt) < startedMs - GRACE_MS;
}

// Level 4 · Counting

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker.doProbe, its second half */
export function count(
  { type, probe: { successThreshold = 1, failureThreshold = 3 } }: Probed,
  before: WorkerState,
  result: 'Success' | 'Failure',
): Tick {
  const resultRun = before.lastResult === result ? before.resultRun + 1 : 1;
  const state = { ...before, lastResult: result, resultRun };
  const threshold = result === 'Success' ? successThreshold : failureThreshold;
  if (resultRun < threshold) return { state, results: [], next: 'wait' };
  const isDecided = type === 'startup' || (type === 'liveness' && result === 'Failure');
  return {
    // The container is to be killed, or has started: either way there is no more to ask until there is a new one.
    state: isDecided ? { ...state, onHold: true, resultRun: 0 } : state,
    results: [result],
    next: 'wait',
  };
}

// Level 5 · Looking

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker.doProbe, its first half */
export function look(probed: Probed, before: WorkerState, sight: Sight): Tick {
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
    // The last word is a good one: what is to end anyway need not be killed.
    return { state, results: [...results, 'Success'], next: 'end' };
  }
  return { state, results, next: isHeldBack(probed, container, sight.nowMs) ? 'wait' : 'probe' };
}

/** A container that was not seen before begins anew; one that was seen goes on. */
function takeUp(
  probed: Probed,
  before: WorkerState,
  container: core.ContainerStatus,
  startedMs: number,
): Pick<Tick, 'state' | 'results'> {
  const { containerID = '' } = container;
  if (containerID === before.containerID) return { state: before, results: [] };
  return {
    // The run goes on, as upstream's does: only a decision ends it.
    state: { ...before, containerID, onHold: false },
    results: hasSurvived(container, startedMs) ? inheritedResults(probed, container) : [INITIAL[probed.type]],
  };
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
  /** Told when it has ended by itself. */
  readonly onEnd: () => void;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/worker.go worker */
export class Worker {
  readonly #probed: Probed;
  readonly #options: WorkerOptions;
  #state = nothingSeen;
  #isStopped = false;
  #isTriggered = false;
  #wake: () => void = () => {};

  constructor(probed: Probed, options: WorkerOptions) {
    this.#probed = probed;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { clock, random, startedMs, results, onEnd } = this.#options;
    const periodMs = (this.#probed.probe.periodSeconds ?? 10) * 1_000;
    const isYoung = clock.now() - startedMs < periodMs;
    // All pods of a node come at once when its kubelet starts: their probes need not.
    let dueMs = clock.now() + (isYoung ? random.float() * periodMs : 0);
    do await this.#sleepUntil(dueMs);
    while (clock.now() < dueMs && !this.#isStopped);
    dueMs = clock.now() + periodMs;
    this.#isTriggered = false;
    while (!this.#isStopped && (await this.#tick())) {
      if (!this.#isTriggered) await this.#sleepUntil(dueMs);
      if (this.#isTriggered) dueMs = clock.now() + periodMs;
      // Ticks that fell due while a probe was under way are one.
      while (dueMs <= clock.now()) dueMs += periodMs;
      this.#isTriggered = false;
    }
    results.remove(this.#state.containerID);
    onEnd();
  }

  /** Ticks at once; if a tick is under way, right after it. The next one is a period later. */
  trigger(): void {
    this.#isTriggered = true;
    this.#wake();
  }

  /** For good. What was found out is forgotten, also if a probe is under way. */
  stop(): void {
    this.#isStopped = true;
    this.#options.results.remove(this.#state.containerID);
    this.#wake();
  }

  /** @returns whether it goes on */
  async #tick(): Promise<boolean> {
    const { clock, startedMs, statusOf, probe } = this.#options;
    const status = statusOf(this.#probed.pod.metadata.uid);
    const tick = look(this.#probed, this.#state, { status, nowMs: clock.now(), startedMs });
    this.#carryOut(tick);
    if (tick.next !== 'probe') return tick.next === 'wait';
    const result = await probe(this.#state.containerID, status?.podIP ?? '');
    if (result && !this.#isStopped) this.#carryOut(count(this.#probed, this.#state, result));
    return true;
  }

  #carryOut({ state, results }: Tick): void {
    const { results: cache } = this.#options;
    if (state.containerID !== this.#state.containerID) cache.remove(this.#state.containerID);
    this.#state = state;
    for (const result of results) cache.set(state.containerID, result, this.#probed.pod.metadata.uid);
  }

  #sleepUntil(dueMs: number): Promise<void> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      const cancel = clock.after(Math.max(0, dueMs - clock.now()), resolve);
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
  // The containers that come after a sidecar wait for this result, and no probe will give it once more.
  return type === 'startup' && isSidecar && started ? ['Success'] : [];
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go setReadyStateOnKubeletRestart */
export function wasReady({ spec, status }: Pod, { name }: core.ContainerStatus): boolean {
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  const isProbed = containers.some((container) => container.name === name && container.readinessProbe);
  const isReady = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');
  return !isProbed || isReady === true;
}
