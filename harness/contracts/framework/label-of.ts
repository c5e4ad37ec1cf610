import type { KubeObject } from '../../api/objects.ts';

/**
 * @returns the value of a label of the object, perhaps empty; `undefined` if it has no such label. `constructor` is a valid name of
 * a label, too: only what stands in `metadata.labels` counts
 */
export function labelOf({ metadata: { labels } }: KubeObject, key: string): string | undefined {
  return labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
}
