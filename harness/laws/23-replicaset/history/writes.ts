import type { KubeObject, Pod, ReplicaSet } from '../../../api/objects.ts';
import { controllerOf } from '../../../api/predicates.ts';
import { pods, type Resource, replicaSets } from '../../../api/resource.ts';
import { sameResource } from '../../../apiserver/storage/storage.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import { PROCESS } from '../operations.ts';
import type { ReplicaSetHistory } from './index.ts';

interface Writes {
  readonly pods: readonly JournalEntry<Pod>[];
  readonly sets: readonly JournalEntry<ReplicaSet>[];
}

const known = new WeakMap<ReplicaSetHistory, Writes>();

/** Returns the controller's writes to pods, oldest first. */
export function podWrites(history: ReplicaSetHistory): readonly JournalEntry<Pod>[] {
  return writesIn(history).pods;
}

/** Returns the controller's writes to ReplicaSets, oldest first. */
export function setWrites(history: ReplicaSetHistory): readonly JournalEntry<ReplicaSet>[] {
  return writesIn(history).sets;
}

function writesIn(history: ReplicaSetHistory): Writes {
  const writes = known.get(history) ?? {
    pods: ownWrites(history, pods),
    sets: ownWrites(history, replicaSets),
  };
  known.set(history, writes);
  return writes;
}

/** Returns the uid of the ReplicaSet that controls the pod, or undefined. */
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
