import type { Deployment, Pod, ReplicaSet } from '../../../api/objects.ts';
import { deployments, pods, replicaSets } from '../../../api/resource.ts';
import { sameResource } from '../../../apiserver/storage/storage.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import {
  isPrompt,
  type Obligations,
  owesNothing,
  type QuietPeriod,
  quietPeriodsIn,
} from '../../../testing/rig/obligations.ts';
import type { DeploymentHistory } from '../history.ts';
import { QUIET_MS } from '../operations.ts';
import type { Snapshot } from '../oracle/obligations.ts';
import type { Law } from './budget.ts';
import { wellMs } from './status.ts';

/** Liveness. In the end no obligation is left. */
export function finishes(obligations: Obligations<Snapshot>): Law {
  const law = owesNothing<DeploymentHistory, Snapshot>(obligations, (history) => {
    const atMs = history.restedMs ?? history.healedMs;
    return {
      atMs,
      snapshot: { ...history.left, nowMs: history.epochMs + (history.endMs ?? atMs + QUIET_MS) },
    };
  });
  return (history) => (history.restedMs === undefined ? [] : law(history));
}

/** The time for a few requests, conflicts included. */
const PROMPT_MS = 2_500;

/** Liveness. In each quiet period no obligation is left. After a fault, it applies once the controller must have recovered. */
export function prompt(obligations: Obligations<Snapshot>): Law {
  return isPrompt<DeploymentHistory, Snapshot>(obligations, PROMPT_MS, quietPeriods, snapshotAt);
}

function* quietPeriods(history: DeploymentHistory): Generator<QuietPeriod> {
  const calmMs = history.wasDisturbed ? wellMs(history) : 0;
  const lastMs = history.journal.at(-1)?.atMs ?? 0;
  const { endMs = Math.max(lastMs, calmMs) + QUIET_MS } = history;
  const options = { longerThanMs: PROMPT_MS, sinceMs: calmMs + PROMPT_MS, endMs, isHeard: isOfIt };
  for (const quietPeriod of quietPeriodsIn(history.journal, options))
    if (quietPeriod.objects(deployments).size > 0) yield quietPeriod;
}

/** Tests whether a write is to a resource that the controller watches. */
function isOfIt({ resource }: JournalEntry): boolean {
  return [deployments, replicaSets, pods].some((each) => sameResource(resource, each));
}

function snapshotAt({ objects }: QuietPeriod, nowMs: number, { epochMs }: DeploymentHistory): Snapshot {
  const [deployment] = objects(deployments).values();
  return {
    deployment: deployment as Deployment,
    replicaSets: [...(objects(replicaSets).values() as Iterable<ReplicaSet>)],
    pods: [...(objects(pods).values() as Iterable<Pod>)],
    nowMs: epochMs + nowMs,
  };
}
