/** Levels 3 and 6 · Whether a pod is ready, and since when. */
import type { Pod } from '#harness';

export function getPodReadyCondition(pod: Pod) {
  return pod.status.conditions?.find(({ type }) => type === 'Ready');
}

export function isPodReady(pod: Pod): boolean {
  return getPodReadyCondition(pod)?.status === 'True';
}

/** Since when it has been ready; `undefined` when it is not, or does not say. */
export function readySinceMs(pod: Pod): number | undefined {
  return isPodReady(pod) ? timeMs(getPodReadyCondition(pod)?.lastTransitionTime) : undefined;
}

/** A timestamp of the API in ms; `undefined` of none. */
export function timeMs(time: string | null | undefined): number | undefined {
  return time ? Date.parse(time) : undefined;
}
