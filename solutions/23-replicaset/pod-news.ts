/** Level 5 · Expectations: what a change of a pod says to them, and to whom it matters. */
import { deepEqual, type OwnerReference, type Pod } from '#harness';
import { getControllerOf, isPodActive } from './claims.ts';

/** What a change of a pod means to those who may be its controller. */
export interface PodNews {
  /** For whom the pod is there from now on: who awaits it has seen it. */
  readonly appearedTo: OwnerReference | undefined;
  /** For whom it no longer counts: it is gone or going, has ended, or is no longer theirs. */
  readonly lostTo: OwnerReference | undefined;
  /** Who should have a look. */
  readonly wakes: readonly OwnerReference[];
  /** Nobody controls it: should whoever selects it have a look? */
  readonly orphan: boolean;
}

export function podNews(previous: Pod | undefined, current: Pod | undefined): PodNews {
  const [before, now] = [previous && getControllerOf(previous), current && getControllerOf(current)];
  const moved = previous !== undefined && before?.uid !== now?.uid;
  const relabelled = !deepEqual(previous?.metadata.labels, current?.metadata.labels);
  return {
    appearedTo: previous ? undefined : now,
    lostTo: moved ? before : current && !isPodActive(current) ? now : undefined,
    wakes: [moved ? before : undefined, now].filter((owner) => owner !== undefined),
    orphan: current !== undefined && !now && (!previous || moved || relabelled),
  };
}
