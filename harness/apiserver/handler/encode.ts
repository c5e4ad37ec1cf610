import type { KubeObject, List } from '../../api/objects.ts';

/** Text of an object from `metadata` on: what it is in a list, and behind its type elsewhere. */
const encoded = new WeakMap<object, string>();

/**
 * The object as it stands alone: kind and apiVersion first, as Go's struct order has it.
 *
 * Objects as JSON text. Frozen objects are encoded once, however many lists and watches they go out in: a
 * hundred watchers of a pod cost one `JSON.stringify`.
 */
export function encodeObject(object: { kind?: string; apiVersion?: string }): string {
  const { kind, apiVersion } = object;
  const type = JSON.stringify({ kind, apiVersion }).slice(1, -1);
  const rest = encodeItem(object).slice(1, -1);
  return `{${type}${type && rest ? ',' : ''}${rest}}`;
}

/**
 * A page of objects. Its items say neither kind nor apiVersion: the list's kind says it for all of them.
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
  // What is not frozen may be another object the next time we see it.
  if (Object.isFrozen(object)) encoded.set(object, text);
  return text;
}
