/** What several levels ask of pods and nodes. */
import type { framework, KubeObject, Pod } from '#harness';

/** How many of these pods match. */
export function count(pods: readonly framework.PodInfo[], matches: (pod: Pod) => boolean): number {
  let n = 0;
  for (const { pod } of pods) if (matches(pod)) n++;
  return n;
}

/** "constructor" is a valid name of a label, so only own properties are labels. */
export function labelOf({ metadata: { labels } }: KubeObject, key: string): string | undefined {
  return labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
}

/** Where the pod is; empty when it does not say. */
export function namespaceOf({ metadata: { namespace = '' } }: Pod): string {
  return namespace;
}
