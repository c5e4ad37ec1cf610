import type { Pod } from '../../api/objects.ts';
import { type ContainerHistory, runsAt } from './machine-history.ts';
import type { Snapshot } from './obligations.ts';
import { WELL_WITHIN_MS } from './programs.ts';
import type { ContainerPlan, ProbePlan } from './scenario.ts';

/** How a program that runs answers its probes, in virtual ms: from then on, and until then. */
export interface Answers {
  readonly probes: ProbePlan;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Probes ask every two seconds, and two answers decide; the first one comes within a period. */
const SEEN_WITHIN_MS = 8_000;
/** A startup probe gives a program five periods. */
const STARTED_WITHIN_MS = 10_000;

/** How the program in a container answers its probes; undefined if it has none. */
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

/** Which containers are to be killed by now, for what their probes have found. */
export function illIn(pod: Pod, { nowMs, history }: Snapshot): readonly ContainerHistory[] {
  const bornMs = bornBefore(history, nowMs);
  return history.machine.running(pod.metadata.uid, nowMs).filter((container) => {
    const answers = answersOf(container, history);
    if (!answers) return false;
    const { probes, fromMs, untilMs } = answers;
    const askedMs = Math.max(container.startedMs, bornMs);
    const isLate = probes.startup && fromMs > askedMs + STARTED_WITHIN_MS;
    if (isLate) return nowMs > askedMs + STARTED_WITHIN_MS + SEEN_WITHIN_MS;
    return probes.liveness === true && nowMs > Math.max(untilMs, bornMs) + SEEN_WITHIN_MS;
  });
}

/** Whether a container is ready, by its program; undefined while its probes may not have found out. */
export function isReady(
  container: ContainerHistory | undefined,
  { nowMs, history }: Snapshot,
): boolean | undefined {
  if (!container || !runsAt(container, nowMs)) return false;
  const answers = answersOf(container, history);
  if (!answers || !(answers.probes.readiness || answers.probes.startup)) return true;
  const { probes, fromMs, untilMs } = answers;
  if (nowMs < fromMs) return false;
  const sinceMs = nowMs < untilMs ? fromMs : untilMs;
  if (nowMs < Math.max(sinceMs, bornBefore(history, nowMs)) + SEEN_WITHIN_MS) return undefined;
  return nowMs < untilMs || !probes.readiness;
}

function bornBefore({ incarnations }: Snapshot['history'], nowMs: number): number {
  return incarnations.findLast(({ bornMs }) => bornMs <= nowMs)?.bornMs ?? 0;
}
