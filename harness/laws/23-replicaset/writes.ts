import type { KubeObject, Pod, ReplicaSet } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import { pods, type Resource, replicaSets } from '../../api/resource.ts';
import { sameResource } from '../../apiserver/storage/storage.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { ReplicaSetHistory } from './history.ts';
import { PROCESS } from './step.ts';

/** What the controller wrote to pods, oldest first. */
export function podWrites(history: ReplicaSetHistory): readonly JournalEntry<Pod>[] {
  return ownWrites(history, pods);
}

/** What the controller wrote to ReplicaSets, oldest first. */
export function setWrites(history: ReplicaSetHistory): readonly JournalEntry<ReplicaSet>[] {
  return ownWrites(history, replicaSets);
}

/** The uid of the ReplicaSet that controls the pod; absent when none does. */
export function setOf(pod: KubeObject | undefined): string | undefined {
  const owner = pod && controllerOf(pod);
  return owner?.kind === 'ReplicaSet' ? owner.uid : undefined;
}

function ownWrites<T extends KubeObject>(
  { journal }: ReplicaSetHistory,
  resource: Resource<T>,
): readonly JournalEntry<T>[] {
  return journal.filter(
    (entry): entry is JournalEntry<never> =>
      entry.actor === PROCESS && sameResource(entry.resource, resource),
  );
}
