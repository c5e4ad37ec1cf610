import type { Labels } from '../../api/label-selector.ts';
import type { KubeObject } from '../../api/objects.ts';

/** A label that an object must have, and its value. */
export type ExactLabel = readonly [key: string, value: string];

/** The keys of the objects that have a value of one label. */
type KeysByValue = Map<string, Set<string>>;

const NONE: ReadonlySet<string> = new Set();

/**
 * The keys of objects by their labels, so that a list by an exact label need not visit all objects. A label is indexed
 * from the first such list on, while any object has it.
 *
 * Differs: an apiserver has no such index, and visits all objects of the namespace.
 */
export class LabelIndex {
  readonly #byLabel = new Map<string, KeysByValue>();

  /** Records a change of the object under `key`. `undefined` stands for a missing object, before or after. */
  update(key: string, previous: KubeObject | undefined, current: KubeObject | undefined): void {
    if (this.#byLabel.size === 0) return;
    const [before, now] = [previous?.metadata.labels, current?.metadata.labels];
    if (before === now) return;
    for (const [label, keysByValue] of this.#byLabel) {
      const [old, next] = [labelValue(before, label), labelValue(now, label)];
      if (old === next) continue;
      if (old !== undefined) remove(keysByValue, old, key);
      if (next !== undefined) add(keysByValue, next, key);
      if (keysByValue.size === 0) this.#byLabel.delete(label);
    }
  }

  /**
   * Returns the keys of the objects with one of these labels, the rarest: all objects with every label are among them.
   *
   * @param labels at least one
   * @param objects all objects, by key
   */
  candidates(labels: readonly ExactLabel[], objects: ReadonlyMap<string, KubeObject>): ReadonlySet<string> {
    const found = labels.map(([label, value]) => this.#keysOf(label, objects).get(value) ?? NONE);
    return found.reduce((least, keys) => (keys.size < least.size ? keys : least));
  }

  #keysOf(label: string, objects: ReadonlyMap<string, KubeObject>): KeysByValue {
    const known = this.#byLabel.get(label);
    if (known) return known;
    const keysByValue: KeysByValue = new Map();
    for (const [key, { metadata }] of objects) {
      const value = labelValue(metadata.labels, label);
      if (value !== undefined) add(keysByValue, value, key);
    }
    if (keysByValue.size > 0) this.#byLabel.set(label, keysByValue);
    return keysByValue;
  }
}

/** Every object inherits properties such as `constructor`, which are not strings. */
function labelValue(labels: Labels | undefined, label: string): string | undefined {
  const value: unknown = labels?.[label];
  return typeof value === 'string' ? value : undefined;
}

function add(keysByValue: KeysByValue, value: string, key: string): void {
  const keys = keysByValue.get(value);
  if (keys) keys.add(key);
  else keysByValue.set(value, new Set([key]));
}

function remove(keysByValue: KeysByValue, value: string, key: string): void {
  const keys = keysByValue.get(value);
  keys?.delete(key);
  if (keys?.size === 0) keysByValue.delete(value);
}
