import type { KubeObject } from '../../api/objects.ts';
import { getOwn } from '../../api/own.ts';

/**
 * Returns the value of a label of the object, which may be empty.
 *
 * @returns `undefined` if the object does not have the label. `constructor` is also a valid label name, so only own
 * properties of `metadata.labels` count
 */
export function labelOf({ metadata: { labels } }: KubeObject, key: string): string | undefined {
  return getOwn(labels, key);
}
