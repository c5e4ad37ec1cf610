/**
 * What wakes a pod. Kata 33 keeps pods that were turned away until something happens that could help them: each plugin says
 * what that is, at the end of its file. The stub has this, too.
 */
import type { framework, KubeObject, Pod } from '#harness';

/** Wakes the pod if what happened could help it. */
export function queueIf(could: boolean): framework.QueueingHint {
  return could ? 'Queue' : 'QueueSkip';
}

/** Did it happen to the pod itself? */
export function isSame(pod: Pod, other: KubeObject | undefined): boolean {
  return pod.metadata.uid === other?.metadata.uid;
}
