import { deepFreeze } from '../../api/freeze.ts';
import { isObject, type Json, type JsonObject } from '../patch/json-value.ts';
import { type FieldNode, type FieldSet, union } from './field-set.ts';
import { canonicalElement, compareElements, type PathElement } from './path-element.ts';

/**
 * Decodes a set of fields from managedFields: an object whose keys are path steps. `{}` marks a field in the set, and
 * `.` marks one that also has subfields.
 *
 * Decoding and encoding are cached, so unchanged parts stay the same objects after an update.
 *
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 fieldpath/serialize.go Set.ToJSONStream, Set.FromJSON
 *
 * @throws Error when a step is invalid
 */
export function decodeFields(fields: unknown): FieldSet {
  if (typeof fields !== 'object' || fields === null) return new Map();
  let set = decoded.get(fields);
  if (!set) {
    set = decodeNode(fields as Json).children;
    // A mutable value could change later.
    if (Object.isFrozen(fields)) decoded.set(fields, set);
  }
  return set;
}

/** Encodes a set of fields for managedFields; the result is frozen. */
export function encodeFields(set: FieldSet): object {
  let fields = encoded.get(set);
  if (!fields) {
    fields = deepFreeze(encodeLevel(set));
    encoded.set(set, fields);
    decoded.set(fields, set);
  }
  return fields;
}

const decoded = new WeakMap<object, FieldSet>();
const encoded = new WeakMap<FieldSet, object>();

function decodeNode(value: Json): FieldNode {
  const children = new Map<PathElement, FieldNode>();
  let isMember = false;
  if (value !== null && !isObject(value)) throw new Error(`expected an object: ${JSON.stringify(value)}`);
  for (const [key, below] of Object.entries(value ?? {})) {
    if (key === '.') {
      isMember = true;
      continue;
    }
    const element = canonicalElement(key);
    // Skips steps of an unknown kind, which a later version may define.
    if (element === undefined) continue;
    const node = decodeNode(below);
    const twin = children.get(element);
    children.set(
      element,
      twin
        ? { isMember: node.isMember || twin.isMember, children: union(twin.children, node.children) }
        : node,
    );
  }
  return { isMember: isMember || children.size === 0, children };
}

function encodeLevel(set: FieldSet): JsonObject {
  const result: Record<string, Json> = {};
  for (const element of [...set.keys()].sort(compareElements)) {
    const { isMember, children } = set.get(element) as FieldNode;
    const below = encodeLevel(children);
    result[element] = isMember && children.size > 0 ? { '.': {}, ...below } : below;
  }
  return result;
}
