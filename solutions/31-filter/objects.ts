/** Helpers that several levels share. */
import type { framework, Pod } from '#harness';

/** Counts the pods that match. */
export function count(pods: readonly framework.PodInfo[], matches: (pod: Pod) => boolean): number {
  let n = 0;
  for (const { pod } of pods) if (matches(pod)) n++;
  return n;
}

/** Returns the pod's namespace; empty if it is unset. */
export function namespaceOf({ metadata: { namespace = '' } }: Pod): string {
  return namespace;
}
