/** Level 5 · What a change of a pod says to expectations, and which ReplicaSets are to look. */
import { controllerOf, deepEqual, type OwnerReference, type Pod } from '#harness';
import { isPodActive } from './claims.ts';

/** What a change of a pod means to the ReplicaSets that may be concerned. */
export interface PodNews {
  /** The controller for which the pod is there from now on: if it was awaited, it has been seen. */
  readonly appearedTo: OwnerReference | undefined;
  /** The controller for which the pod no longer counts. */
  readonly lostTo: OwnerReference | undefined;
  /** The controllers that are to look. */
  readonly wakes: readonly OwnerReference[];
  /** Nothing controls the pod, and that is new: are the ReplicaSets that select it to look? */
  readonly orphan: boolean;
}

export function podNews(previous: Pod | undefined, current: Pod | undefined): PodNews {
  const [before, now] = [previous && controllerOf(previous), current && controllerOf(current)];
  const moved = previous !== undefined && before?.uid !== now?.uid;
  const relabelled = !deepEqual(previous?.metadata.labels, current?.metadata.labels);
  return {
    appearedTo: previous ? undefined : now,
    lostTo: moved ? before : current && !isPodActive(current) ? now : undefined,
    wakes: [moved ? before : undefined, now].filter((owner) => owner !== undefined),
    orphan: current !== undefined && !now && (!previous || moved || relabelled),
  };
}
