import { getOwn } from '../../api/own.ts';
import type { Cause } from '../../api/status.ts';
import { isList, isObject, type Json, type JsonList, type JsonObject } from '../patch/json-value.ts';
import { duplicate, invalid } from '../validation/field-error.ts';
import { child, type StructuralSchema, schemaOfItems } from './structural-schema.ts';

/**
 * Returns the duplicates in lists of the types `set` and `map`.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/listtype/validation.go ValidateListSetsAndMaps
 */
export function validateListTypes(schema: StructuralSchema, value: Json, path = ''): Cause[] {
  if (isList(value)) {
    const items = schemaOfItems(schema);
    return [
      ...repeated(schema, value, path),
      ...(items ? value.flatMap((item, i) => validateListTypes(items, item, `${path}[${i}]`)) : []),
    ];
  }
  if (!isObject(value)) return [];
  const { properties, additionalProperties } = schema;
  return Object.entries(value).flatMap(([name, part]) => {
    if (part === undefined) return [];
    if (properties && Object.hasOwn(properties, name)) {
      return validateListTypes(properties[name] as StructuralSchema, part, child(path, name));
    }
    if (typeof additionalProperties !== 'object') return [];
    return validateListTypes(additionalProperties, part, `${path}[${name}]`);
  });
}

function repeated(schema: StructuralSchema, list: JsonList, path: string): Cause[] {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return duplicates(list, path);
    case 'map': {
      const wrong = list.findIndex((item) => item !== null && !isObject(item));
      if (wrong >= 0) {
        return [invalid(`${path}[${wrong}]`, list[wrong], 'must be an object for an array of list-type map')];
      }
      const keys = schema['x-kubernetes-list-map-keys'] ?? [];
      return duplicates(
        list.map((item) => keyOf(item as JsonObject | null, keys)),
        path,
      );
    }
    default:
      return [];
  }
}

function keyOf(item: JsonObject | null, keys: readonly string[]): JsonObject {
  const parts = keys.flatMap((key): [string, Json][] => {
    const part = item === null ? undefined : getOwn(item, key);
    return part === undefined ? [] : [[key, part]];
  });
  return Object.fromEntries(parts);
}

/** Reports each duplicate value once, at its second occurrence. */
function duplicates(list: JsonList, path: string): Cause[] {
  const times = new Map<string, number>();
  return list.flatMap((item, i) => {
    const text = sorted(item);
    const seen = (times.get(text) ?? 0) + 1;
    times.set(text, seen);
    return seen === 2 ? [duplicate(`${path}[${i}]`, item)] : [];
  });
}

const sorted = (value: Json): string =>
  JSON.stringify(value, (_, part: Json) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
