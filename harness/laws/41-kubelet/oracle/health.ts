import type { Pod } from '../../../api/objects.ts';
import { type ContainerHistory, runsAt } from '../history/machine.ts';
import type { ContainerPlan, ProbePlan } from '../scenario/index.ts';
import { WELL_WITHIN_MS } from '../simulation/programs.ts';
import type { Snapshot } from './obligations.ts';

/** Time window of the answers of a running program, in virtual ms. */
export interface Answers {
  readonly probes: ProbePlan;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Time until the kubelet has a result: two answers, two seconds apart, the first within one period. */
const SEEN_WITHIN_MS = 8_000;
/** Time that a startup probe leaves a program: five periods. */
const STARTED_WITHIN_MS = 10_000;

/** Returns the window of a container's program; undefined if it has no probes. */
export function answersOf(
  { uid, name, id, startedMs }: ContainerHistory,
  { machine, plans, healedMs }: Snapshot['history'],
): Answers | undefined {
  const plan = plans.get(uid);
  const container: ContainerPlan | undefined = plan?.containers.find((each) => each.name === name);
  if (!container?.probes) return undefined;
  const { probes, runs } = container;
  const nth = machine
    .attempts(uid, name)
    .filter((each) => each.startedMs < Number.POSITIVE_INFINITY)
    .findIndex((each) => each.id === id);
  const isPlanned = startedMs <= healedMs && runs[nth]?.lastsMs !== undefined;
  const { answersAfterMs, failsAfterMs } = probes;
  const fromMs = startedMs + (isPlanned ? answersAfterMs : Math.min(answersAfterMs, WELL_WITHIN_MS));
  return {
    probes,
    fromMs,
    untilMs: isPlanned && failsAfterMs !== undefined ? fromMs + failsAfterMs : Number.POSITIVE_INFINITY,
  };
}

/** Returns the containers that the kubelet must have killed by now because a probe failed. */
export function failedProbesIn(pod: Pod, { nowMs, history }: Snapshot): readonly ContainerHistory[] {
  const bornMs = startedBefore(history, nowMs);
  return history.machine.running(pod.metadata.uid, nowMs).filter((container) => {
    const answers = answersOf(container, history);
    if (!answers || countsAsStarted(container, answers, bornMs)) return false;
    const { probes, fromMs, untilMs } = answers;
    const askedMs = Math.max(container.startedMs, bornMs);
    const isLate = probes.startup && fromMs > askedMs + STARTED_WITHIN_MS;
    if (isLate) return nowMs > askedMs + STARTED_WITHIN_MS + SEEN_WITHIN_MS;
    return probes.liveness === true && nowMs > Math.max(untilMs, bornMs) + SEEN_WITHIN_MS;
  });
}

/** Whether the program of a container is ready; undefined while the probes may not have a result. */
export function isReady(
  container: ContainerHistory | undefined,
  { nowMs, history }: Snapshot,
): boolean | undefined {
  if (!container || !runsAt(container, nowMs)) return false;
  const answers = answersOf(container, history);
  if (!answers || !(answers.probes.readiness || answers.probes.startup)) return true;
  const { probes, fromMs, untilMs } = answers;
  if (countsAsStarted(container, answers, startedBefore(history, nowMs))) return undefined;
  if (nowMs < fromMs) return false;
  const sinceMs = nowMs < untilMs ? fromMs : untilMs;
  if (nowMs < Math.max(sinceMs, startedBefore(history, nowMs)) + SEEN_WITHIN_MS) return undefined;
  return nowMs < untilMs || !probes.readiness;
}

/**
 * Whether upstream may take a container for started although its startup probe has not succeeded: the kubelet has restarted since,
 * and reports the container before it has a worker for the probe. It then runs no startup probe at all.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go manager.isContainerStarted
 */
function countsAsStarted(
  { startedMs }: ContainerHistory,
  { probes, fromMs }: Answers,
  bornMs: number,
): boolean {
  return probes.startup === true && startedMs < bornMs && fromMs > bornMs - SEEN_WITHIN_MS;
}

function startedBefore({ incarnations }: Snapshot['history'], nowMs: number): number {
  return incarnations.findLast(({ bornMs }) => bornMs <= nowMs)?.bornMs ?? 0;
}
