import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import type { ProbeResult } from '../../contracts/node/probe-manager.ts';
import type { ProbeKey } from './history.ts';
import type { PodPlan, ProbePlan } from './scenario.ts';

/** The probe that is judged: what its pod's spec says of it. */
export interface Subject {
  readonly key: ProbeKey;
  readonly plan: ProbePlan;
  readonly isSidecar: boolean;
  readonly restartPolicy: PodPlan['restartPolicy'];
  /** When the kubelet started that runs it, in ms since 1970. */
  readonly bootMs: number;
}

/**
 * How a worker may stand: all that there is to know of it, as far as it can be told from outside. Where that leaves two ways
 * open, there are two guesses; what happens next shows which of them is wrong.
 */
export interface Hypothesis {
  /** Its next tick comes in this time: at one instant, unless it begins at an instant of its own choice. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly containerID: string;
  /** Which container of this name it is, counted from 1 on. */
  readonly runs: number;
  readonly isOnHold: boolean;
  readonly lastResult: ProbeResult | undefined;
  readonly run: number;
  /** What it holds to be known of the container. */
  readonly result: ProbeResult | undefined;
  /** What is to be told of it before the instant is over. */
  readonly owes: readonly ProbeResult[];
  /** The probe that is under way. `next`: what has to follow at this instant. */
  readonly call?: { readonly tries: number; readonly next?: 'first' | 'again' | 'further' };
  /** Whether it is to tick at once, beside all periods. */
  readonly wanted: 'no' | 'may' | 'must';
  /** No tick any more; and why. */
  readonly ended?: 'ends' | 'quiet';
}

/** Why a tick does not ask. */
export type Reason = 'absent' | 'on hold' | 'does not run' | 'delay' | 'startup' | 'over';

/** What a tick comes to. */
export interface Ticked {
  readonly hypothesis: Hypothesis;
  /** Absent when it asks. */
  readonly reason?: Reason;
}

/** A status, if there is one. */
export type View = Pod['status'] | undefined;

/** What is held to be so of a container of which nothing is known yet. */
const FIRST = { liveness: 'Success', readiness: 'Failure', startup: 'Unknown' } as const;
/** A container that is so much older than the kubelet was there before it. */
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

/** One tick with this status in view. More than one answer where both are right. Says nothing about the next tick. */
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

  /** With the container taken up, if it is another one. Whether failures of the one before still count is left open. */
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

/** A result that is known from now on, and told if it was not known before. */
export function holding(hypothesis: Hypothesis, result: ProbeResult): Hypothesis {
  return hypothesis.result === result
    ? hypothesis
    : { ...hypothesis, result, owes: [...hypothesis.owes, result] };
}

/** One answer more. */
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

/** A container's status, wherever it stands. */
export function containerIn(status: View, name: string): core.ContainerStatus | undefined {
  return [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find(
    (one) => one.name === name,
  );
}

function comesBack({ isSidecar, restartPolicy }: Subject, exitCode: number): boolean {
  return isSidecar || restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && exitCode !== 0);
}

/** Whether a container is one of those that a probe is about. */
export function isOf(
  containerID: string,
  { pod, container }: { readonly pod: string; readonly container: string },
): boolean {
  return containerID.startsWith(`containerd://${pod}-${container}-`);
}

/** The answers so far and what they would have to be, in words. `answer`: the latest one, in words. */
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

/** Why a worker should not report a result of a container that it has not met at a tick. */
export function sayUnmet(
  { key, bootMs }: Subject,
  { toMs }: Hypothesis,
  { containerID, views }: { readonly containerID: string; readonly views: readonly View[] },
): string {
  const seen = views
    .map((view) => containerIn(view, key.container))
    .find((container) => container?.containerID === containerID);
  if (!seen) return 'no status has shown that container to the worker yet';
  return isInherited(seen, bootMs)
    ? 'that container started more than 10 s before its kubelet, so it has no initial result'
    : `the tick that meets that container is due at ${toMs} ms`;
}
