import type * as core from '#api/core/v1';
import type { Pod } from '../../../api/objects.ts';
import type { ProbeResult } from '../../../contracts/node/probe-manager.ts';
import type { ProbeKey } from '../history.ts';
import type { PodPlan, ProbePlan } from '../scenario.ts';

/** The probe under test, from the spec of its pod. */
export interface Subject {
  readonly key: ProbeKey;
  readonly plan: ProbePlan;
  readonly isSidecar: boolean;
  readonly restartPolicy: PodPlan['restartPolicy'];
  /** The start of its kubelet, in ms since 1970. */
  readonly bootMs: number;
}

/**
 * A possible state of a worker, as far as it is visible from outside. If two states are possible, there are two
 * hypotheses; later entries refute one of them.
 */
export interface Hypothesis {
  /** Its next tick comes from `fromMs` to `toMs`. They are equal, unless the worker chooses the time of its first tick. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly containerID: string;
  /** The number of containers that the worker has met, including this one. */
  readonly runs: number;
  readonly isOnHold: boolean;
  readonly lastResult: ProbeResult | undefined;
  readonly run: number;
  /** The stored result of the container. */
  readonly result: ProbeResult | undefined;
  /** The calls of onUpdate that are due before the end of the instant. */
  readonly owes: readonly ProbeResult[];
  /** The running probe. `next`: the call that has to follow at this instant. */
  readonly call?: { readonly tries: number; readonly next?: 'first' | 'again' | 'further' };
  /** Whether it has been triggered, and has to tick at once. */
  readonly wanted: 'no' | 'may' | 'must';
  /** The law that forbids further ticks, if the worker has ended. */
  readonly ended?: 'termination' | 'quiet';
}

/** The reason why a tick runs no probe. */
export type Reason = 'absent' | 'on hold' | 'does not run' | 'delay' | 'startup' | 'over';

/** The outcome of a tick. */
export interface Ticked {
  readonly hypothesis: Hypothesis;
  /** Absent if it runs a probe. */
  readonly reason?: Reason;
}

/** A status, if there is one. */
export type View = Pod['status'] | undefined;

/** The initial results. */
const FIRST = { liveness: 'Success', readiness: 'Failure', startup: 'Unknown' } as const;
/** A container that is older than its kubelet by more than this has survived a restart of the kubelet. */
const OLDER_MS = 10_000;

export const NOTHING_SEEN: Omit<Hypothesis, 'fromMs' | 'toMs'> = {
  containerID: '',
  runs: 0,
  isOnHold: false,
  lastResult: undefined,
  run: 0,
  result: undefined,
  owes: [],
  wanted: 'no',
};

/**
 * Computes the result of a tick with this status. Returns several outcomes if each of them is right, and leaves the time of the next tick unchanged.
 */
export function tick(
  subject: Subject,
  hypothesis: Hypothesis,
  status: View,
  nowMs: number,
): readonly Ticked[] {
  const { key, plan, bootMs } = subject;
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') {
    return [{ hypothesis: { ...hypothesis, result: undefined, owes: [], ended: 'quiet' }, reason: 'over' }];
  }
  const container = containerIn(status, key.container);
  if (!container?.containerID) return [{ hypothesis, reason: 'absent' }];
  return met(subject, hypothesis, container).map((one): Ticked => {
    if (one.isOnHold) return { hypothesis: one, reason: 'on hold' };
    const { running, terminated } = container.state ?? {};
    if (!running) {
      const failed = holding(one, 'Failure');
      const isOver = terminated !== undefined && !comesBack(subject, terminated.exitCode);
      return { hypothesis: isOver ? { ...failed, ended: 'quiet' } : failed, reason: 'does not run' };
    }
    const ageMs = nowMs - Date.parse(running.startedAt ?? '');
    if (ageMs < plan.initialDelaySeconds * 1_000) return { hypothesis: one, reason: 'delay' };
    const hasStarted = container.started === true;
    if (hasStarted === (key.type === 'startup')) return { hypothesis: one, reason: 'startup' };
    return { hypothesis: one };
  });

  /** Replaces the container, if it is another one. Failures of the old one may or may not count. */
  function met(
    { isSidecar }: Subject,
    before: Hypothesis,
    seen: core.ContainerStatus,
  ): readonly Hypothesis[] {
    const { containerID = '', started } = seen;
    if (containerID === before.containerID) return [before];
    const fresh = {
      ...before,
      containerID,
      runs: before.runs + 1,
      isOnHold: false,
      result: undefined,
      owes: [],
    };
    const seeded = isSidecar && key.type === 'startup' && started ? holding(fresh, 'Success') : fresh;
    const begun = isInherited(seen, bootMs) ? seeded : holding(seeded, FIRST[key.type]);
    return before.run === 0 ? [begun] : [begun, { ...begun, run: 0 }];
  }
}

/** Whether a container ran before its kubelet started. */
export function isInherited({ state }: core.ContainerStatus, bootMs: number): boolean {
  return Date.parse(state?.running?.startedAt ?? '') < bootMs - OLDER_MS;
}

/** Stores a result, which has to be reported if it has changed. */
export function holding(hypothesis: Hypothesis, result: ProbeResult): Hypothesis {
  return hypothesis.result === result
    ? hypothesis
    : { ...hypothesis, result, owes: [...hypothesis.owes, result] };
}

/** Counts an answer. */
export function counted(
  { key, plan }: Subject,
  hypothesis: Hypothesis,
  result: 'Success' | 'Failure',
): Hypothesis {
  const run = hypothesis.lastResult === result ? hypothesis.run + 1 : 1;
  const { call: _, ...free } = { ...hypothesis, lastResult: result, run };
  if (run < (result === 'Success' ? plan.successThreshold : plan.failureThreshold)) return free;
  const known = holding(free, result);
  const isDecided = key.type === 'startup' || (key.type === 'liveness' && result === 'Failure');
  return isDecided ? { ...known, isOnHold: true, run: 0 } : known;
}

/** Returns the status of a container or an init container. */
export function containerIn(status: View, name: string): core.ContainerStatus | undefined {
  return [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find(
    (one) => one.name === name,
  );
}

function comesBack({ isSidecar, restartPolicy }: Subject, exitCode: number): boolean {
  return isSidecar || restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && exitCode !== 0);
}

/** Whether a container ID belongs to the container of a probe. */
export function isOf(
  containerID: string,
  { pod, container }: { readonly pod: string; readonly container: string },
): boolean {
  return containerID.startsWith(`containerd://${pod}-${container}-`);
}

/** Describes the answers so far, and the thresholds. `answer` describes the latest one. */
export function sayAnswers(
  { successThreshold, failureThreshold }: ProbePlan,
  { lastResult, run, call }: Hypothesis,
  answer: string,
): string {
  if (call?.next === 'further')
    return 'its answer was a redirect to another path of the same host, which the prober must follow first';
  const several = run > 1 ? `its last ${run} answers were ${lastResult}; ` : '';
  return `${several}${answer}; successThreshold is ${successThreshold} and failureThreshold ${failureThreshold}`;
}

/** Explains why a worker must not report a result of a container that no tick has met. */
export function sayUnmet(
  { key, bootMs }: Subject,
  { toMs }: Hypothesis,
  { containerID, views }: { readonly containerID: string; readonly views: readonly View[] },
): string {
  const seen = views
    .map((view) => containerIn(view, key.container))
    .find((container) => container?.containerID === containerID);
  if (!seen) return 'no status contains that container yet';
  return isInherited(seen, bootMs)
    ? 'that container started more than 10 s before its kubelet, so it has no initial result'
    : `the tick that meets that container is due at ${toMs} ms`;
}
