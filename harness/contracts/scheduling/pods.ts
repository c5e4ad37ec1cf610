import type { Pod } from '../../api/objects.ts';
import { hasEnded } from '../../api/predicates.ts';

/** Returns whether the second is the same pod and still waits for a node. */
export function isUnbound(pod: Pod, now: Pod | undefined): now is Pod {
  return isSame(pod, now) && !now.spec.nodeName && !hasEnded(now);
}

/** Returns whether both have the same uid, not just the same name. */
export function isSame(pod: Pod, other: Pod | undefined): other is Pod {
  return pod.metadata.uid === other?.metadata.uid;
}

/** Returns whether the pod has scheduling gates, so that the scheduler must not try it yet. */
export function isGated({ spec }: Pod): boolean {
  return (spec.schedulingGates ?? []).length > 0;
}
