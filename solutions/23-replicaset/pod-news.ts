/** Level 5 · The effect of a pod's change on expectations, and the ReplicaSets that it wakes. */
import type { PodNews } from '#given/23-replicaset';
import { controllerOf, deepEqual, type Pod } from '#harness';
import { isPodActive } from './claims.ts';

export function podNews(previous: Pod | undefined, current: Pod | undefined): PodNews {
  const [before, now] = [previous && controllerOf(previous), current && controllerOf(current)];
  const moved = previous !== undefined && before?.uid !== now?.uid;
  const relabelled = !deepEqual(previous?.metadata.labels, current?.metadata.labels);
  return {
    appearedTo: previous && !moved ? undefined : now,
    lostTo: moved && before ? before : current && !isPodActive(current) ? now : undefined,
    wakes: [moved ? before : undefined, now].filter((owner) => owner !== undefined),
    orphan: current !== undefined && !now && (!previous || moved || relabelled),
  };
}
