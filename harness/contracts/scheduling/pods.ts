import type { Pod } from '../../api/objects.ts';
import { hasEnded } from '../../api/predicates.ts';

/** Is it still the same pod, and does it still wait for a node? */
export function isUnbound(pod: Pod, now: Pod | undefined): now is Pod {
  return isSame(pod, now) && !now.spec.nodeName && !hasEnded(now);
}

/** Whether both are the same pod, and not two of one name. */
export function isSame(pod: Pod, other: Pod | undefined): other is Pod {
  return pod.metadata.uid === other?.metadata.uid;
}

/** Whether the pod has scheduling gates: it is not to be tried yet. */
export function isGated({ spec }: Pod): boolean {
  return (spec.schedulingGates ?? []).length > 0;
}
