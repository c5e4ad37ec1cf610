/** Levels 5 and 6 · What a pod is beside another version of it. */
import type { Pod } from '#harness';

/** Is it still the same pod, and does it still wait for a node? */
export function isUnbound(pod: Pod, now: Pod | undefined): now is Pod {
  return isSame(pod, now) && !now.spec.nodeName && !hasEnded(now);
}

/** Whether both are the same pod, and not two of one name. */
export function isSame(pod: Pod, other: Pod | undefined): other is Pod {
  return pod.metadata.uid === other?.metadata.uid;
}

/** Whether the containers of the pod will never run again. */
export function hasEnded({ status }: Pod): boolean {
  return status.phase === 'Succeeded' || status.phase === 'Failed';
}
