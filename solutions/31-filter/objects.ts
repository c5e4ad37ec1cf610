/** What several levels ask of pods and nodes. */
import type { framework, Pod } from '#harness';

/** How many of these pods match. */
export function count(pods: readonly framework.PodInfo[], matches: (pod: Pod) => boolean): number {
  let n = 0;
  for (const { pod } of pods) if (matches(pod)) n++;
  return n;
}

/** Where the pod is; empty when it does not say. */
export function namespaceOf({ metadata: { namespace = '' } }: Pod): string {
  return namespace;
}
