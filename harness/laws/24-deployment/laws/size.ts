import type { Deployment, ReplicaSet } from '../../../api/objects.ts';
import { deployments, pods } from '../../../api/resource.ts';
import { sameResource } from '../../../apiserver/storage/storage.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import { USER } from '../environment/index.ts';
import type { DeploymentHistory } from '../history.ts';
import { availableOf, budgetOf, DESIRED, isOf, MAX, sameTemplate, sum } from '../oracle/truth.ts';
import type { Law } from './budget.ts';
import { violation } from './end.ts';

/**
 * Liveness. After a change of size during a paused roll-out, each ReplicaSet has its rounded share, and the largest gets the rest.
 */
export const inProportion: Law = (history) => {
  const change = lastChange(history);
  if (!change) return [];
  const { before, max } = change;
  const toAdd = max - sum(before.map((each) => each.spec.replicas));
  const most = Math.max(...before.map((each) => each.spec.replicas));
  const gain = (each: ReplicaSet): number => Math.round(shareOf(each, max)) - each.spec.replicas;
  for (const each of before) {
    const after = history.left.replicaSets.find(({ metadata }) => metadata.uid === each.metadata.uid);
    if (!after || each.spec.replicas === most) continue;
    // Larger ReplicaSets first, within the rest that remains. The order of equal ones is free.
    const left = (used: readonly ReplicaSet[]): number => {
      const rest = toAdd - sum(used.map(gain));
      return toAdd > 0 ? Math.min(gain(each), Math.max(0, rest)) : Math.max(gain(each), Math.min(0, rest));
    };
    const ahead = before.filter((one) => one.spec.replicas > each.spec.replicas);
    const level = before.filter((one) => one !== each && one.spec.replicas === each.spec.replicas);
    const shares = [left(ahead), left([...ahead, ...level])];
    const got = after.spec.replicas - each.spec.replicas;
    if (got >= Math.min(...shares) && got <= Math.max(...shares)) continue;
    const message = `the controller scaled ${each.metadata.name} from ${each.spec.replicas} to ${after.spec.replicas}; its share of the new total of ${max} is ${shareOf(each, max).toFixed(2)}, which is rounded`;
    return violation(history, message, after);
  }
  return [];
};

/** A change of size that gave shares to several ReplicaSets, without later changes by other clients. */
interface Change {
  /** The ReplicaSets that had pods before the change. */
  readonly before: readonly ReplicaSet[];
  /** The limit of pods after the change. */
  readonly max: number;
}

/**
 * The last change of size in a run, if the Deployment stayed paused afterwards; undefined if the law does not apply.
 */
export function lastChange(history: DeploymentHistory): Change | undefined {
  const { journal, replicaSets, left } = history;
  const { deployment } = left;
  const { spec, metadata } = deployment;
  const last = journal.findLast(isScaled);
  if (!last || !spec.paused || spec.strategy.type === 'Recreate' || spec.replicas === 0) return undefined;
  if (last.object.metadata.uid !== metadata.uid || !(last.object as Deployment).spec.paused) return undefined;
  const since = journal.filter(({ revision }) => revision > last.revision);
  if (since.some(({ actor, resource }) => actor === USER && !sameResource(resource, pods))) return undefined;
  const before = replicaSets
    .allAt(last.revision)
    .filter((each) => isOf(each, deployment) && each.spec.replicas > 0);
  const { replicas } = (last.previous as Deployment).spec;
  if (before.length < 2 || before.some((each) => Number(each.metadata.annotations?.[DESIRED]) !== replicas))
    return undefined;
  const current = before.find((each) => sameTemplate(each.spec.template, spec.template));
  // Once a new ReplicaSet has all pods available, the old ones are scaled to 0.
  const isSaturated = since.some(
    ({ object }) =>
      object.metadata.uid === current?.metadata.uid && availableOf(object as ReplicaSet) === spec.replicas,
  );
  return isSaturated ? undefined : { before, max: budgetOf(deployment).max };
}

function isScaled({ resource, type, object, previous }: JournalEntry): boolean {
  if (type !== 'MODIFIED' || !sameResource(resource, deployments)) return false;
  return (object as Deployment).spec.replicas !== (previous as Deployment).spec.replicas;
}

function shareOf({ metadata, spec }: ReplicaSet, max: number): number {
  return (spec.replicas * max) / Number(metadata.annotations?.[MAX]);
}
