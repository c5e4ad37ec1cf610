import type { KubeObject } from '../../../api/objects.ts';
import type { Resource } from '../../../api/resource.ts';
import { decode } from '../../../apiserver/decode.ts';
import { kinds } from '../../../apiserver/kinds/index.ts';
import { kindsByResource } from '../../../apiserver/verbs/registry.ts';
import type { JsonMap } from '../scenario/fields.ts';
import { isMap, without } from './json.ts';

const kindOf = kindsByResource(kinds);

/**
 * Returns an object as the server would store it: with its defaults, in canonical notation, and without the fields that
 * each write changes. Undefined if the server cannot read it.
 *
 * @param isCustom - a custom resource has no defaults, its empty values count, and its `status` is a field like others
 */
export function normalized(resource: Resource, object: unknown, isCustom: boolean): JsonMap | undefined {
  if (isCustom) return withoutSystemFields(object as JsonMap);
  try {
    const { object: decoded } = decode<KubeObject>(resource, object as object, { fieldValidation: 'Ignore' });
    return withoutEmpties(
      without(withoutSystemFields(kindOf(resource).setDefaults(decoded) as unknown as JsonMap), ['status']),
    );
  } catch {
    return undefined;
  }
}

/** Fields that the server sets by itself. */
const SYSTEM = ['resourceVersion', 'generation', 'managedFields', 'uid', 'creationTimestamp', 'selfLink'];

function withoutSystemFields(object: JsonMap): JsonMap {
  return { ...object, metadata: without(object.metadata as JsonMap, SYSTEM) };
}

/** Removes empty maps and lists: Go prints some of them, and omits others. */
function withoutEmpties(value: JsonMap): JsonMap {
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const kept = Array.isArray(inner)
      ? inner.map((item) => (isMap(item) ? withoutEmpties(item) : item))
      : isMap(inner)
        ? withoutEmpties(inner)
        : inner;
    const isEmpty = kept === null || (typeof kept === 'object' && Object.keys(kept).length === 0);
    // An empty volume source chooses the volume's type.
    return isEmpty && key !== 'emptyDir' ? [] : [[key, kept] as const];
  });
  return Object.fromEntries(entries);
}
