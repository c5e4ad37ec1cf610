import type { KubeObject, List } from '../../api/objects.ts';

/** The text of an object without its kind and apiVersion: the form it has in a list. */
const encoded = new WeakMap<object, string>();

/**
 * Encodes a single object: kind and apiVersion first, in the order of Go's struct.
 *
 * A frozen object is encoded once, however many lists and watches send it: a hundred watchers of a pod cost one
 * `JSON.stringify`.
 */
export function encodeObject(object: { kind?: string; apiVersion?: string }): string {
  const { kind, apiVersion } = object;
  const type = JSON.stringify({ kind, apiVersion }).slice(1, -1);
  const rest = encodeItem(object).slice(1, -1);
  return `{${type}${type && rest ? ',' : ''}${rest}}`;
}

/**
 * Encodes a page of objects. Its items have neither kind nor apiVersion; the list's kind implies both.
 *
 * Upstream: kubernetes/api@v0.36.3 core/v1/types.go PodList and its siblings
 */
export function encodeList(list: List<KubeObject>): string {
  const { kind, apiVersion, metadata, items } = list;
  const head = JSON.stringify({ kind, apiVersion, metadata });
  return `${head.slice(0, -1)},"items":[${items.map(encodeItem).join(',')}]}`;
}

function encodeItem(object: object): string {
  const known = encoded.get(object);
  if (known !== undefined) return known;
  const { kind: _, apiVersion: __, ...rest } = object as Partial<KubeObject>;
  const text = JSON.stringify(rest);
  // A mutable object may have changed by the next call.
  if (Object.isFrozen(object)) encoded.set(object, text);
  return text;
}
