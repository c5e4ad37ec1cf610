import type { JSONSchemaProps } from '#api/apiextensions/v1';
import { isList, isObject, type Json, type JsonObject } from '../patch/json-value.ts';

/**
 * The schema of a custom resource, from its definition.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/structural.go Structural
 */
export type StructuralSchema = JSONSchemaProps;

/** A pruned value and the paths of the removed fields. */
interface Pruned {
  readonly value: Json;
  readonly unknownFields: readonly string[];
}

/** Returns the schema of a field; undefined for an unknown field. */
export function schemaBelow(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  if (typeof additionalProperties === 'object') return additionalProperties;
  // Validation later rejects a forbidden field by name.
  return additionalProperties === undefined ? undefined : {};
}

/** Returns the path of a field below another path. */
export const child = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Returns the schema of the items of a list. */
export function schemaOfItems({ items }: StructuralSchema): StructuralSchema | undefined {
  return Array.isArray(items) ? undefined : ((items ?? undefined) as StructuralSchema | undefined);
}

/**
 * Removes unknown fields and returns their paths.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/pruning/algorithm.go PruneWithOptions
 *
 * @param isRoot - whether the value is an object with kind, apiVersion and metadata, regardless of the schema
 */
export function prune(schema: StructuralSchema, value: Json, isRoot: boolean): Pruned {
  const unknownFields: string[] = [];
  const whole = isRoot ? { ...schema, 'x-kubernetes-embedded-resource': true } : schema;
  return { value: pruned(whole, value, '', unknownFields), unknownFields: unknownFields.toSorted() };
}

const OBJECT_FIELDS: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/** @param keptAbove - whether the list of this item preserves unknown fields */
function pruned(
  schema: StructuralSchema,
  value: Json,
  path: string,
  unknown: string[],
  keptAbove = false,
): Json {
  const keepsAll = keptAbove || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (isList(value)) {
    const items = schemaOfItems(schema);
    if (!items && keepsAll) return value;
    const next = value.map((item, i) => pruned(items ?? {}, item, `${path}[${i}]`, unknown, keepsAll));
    return next.some((item, i) => item !== value[i]) ? next : value;
  }
  if (!isObject(value)) return value;
  const isObjectOfItsOwn = schema['x-kubernetes-embedded-resource'] === true;
  let changed = false;
  const kept: [name: string, part: Json][] = [];
  for (const [name, part] of Object.entries(value)) {
    if (part === undefined) continue;
    const partPath = child(path, name);
    const below = isObjectOfItsOwn && OBJECT_FIELDS.includes(name) ? undefined : schemaBelow(schema, name);
    if (below) {
      const next = pruned(below, part, partPath, unknown);
      kept.push([name, next]);
      changed ||= next !== part;
    } else if (keepsAll || (isObjectOfItsOwn && OBJECT_FIELDS.includes(name))) kept.push([name, part]);
    else {
      unknown.push(partPath);
      changed = true;
    }
  }
  // An assignment to a field named `__proto__` would set the prototype.
  return changed ? Object.fromEntries(kept) : value;
}

/**
 * Removes null fields that are not nullable and have no default.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/defaulting/prunenulls.go
 * PruneNonNullableNullsWithoutDefaults
 */
export function withoutNulls(schema: StructuralSchema, value: Json): Json {
  return mapBelow(schema, value, (below, part) =>
    part === null && mayNotBeNull(below) && below.default === undefined
      ? undefined
      : withoutNulls(below, part),
  );
}

/**
 * Adds the defaults of absent fields. A null that is not allowed counts as absent.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/defaulting/algorithm.go Default
 */
export function withDefaults(schema: StructuralSchema, value: Json): Json {
  const given = isObject(value) ? withMissing(schema, value) : value;
  return mapBelow(schema, given, (below, part) =>
    withDefaults(below, part === null && mayNotBeNull(below) ? ((below.default as Json) ?? null) : part),
  );
}

function withMissing({ properties = {} }: StructuralSchema, object: JsonObject): JsonObject {
  const missing = Object.entries(properties).filter(
    ([name, property]) =>
      given(property.default) && (!Object.hasOwn(object, name) || object[name] === undefined),
  );
  if (missing.length === 0) return object;
  const defaults = missing.map(([name, property]) => [name, property.default as Json] as const);
  return Object.fromEntries([...Object.entries(object), ...defaults]);
}

const given = (value: unknown): boolean => value !== undefined && value !== null;

const mayNotBeNull = ({ nullable }: StructuralSchema): boolean => nullable !== true;

/**
 * Returns the value with its parts changed, or the same value if nothing changes.
 *
 * @param change - receives a known part and its schema; undefined removes a field
 */
function mapBelow(
  schema: StructuralSchema,
  value: Json,
  change: (schema: StructuralSchema, part: Json) => Json | undefined,
): Json {
  if (isList(value)) {
    const items = schemaOfItems(schema);
    if (!items) return value;
    const next = value.map((item) => change(items, item) ?? item);
    return next.some((item, i) => item !== value[i]) ? next : value;
  }
  if (!isObject(value)) return value;
  let changed = false;
  const next = Object.entries(value).flatMap(([name, part]): [string, Json][] => {
    const below = part === undefined ? undefined : knownBelow(schema, name);
    const made = below ? change(below, part) : part;
    changed ||= made !== part;
    return made === undefined ? [] : [[name, made]];
  });
  return changed ? Object.fromEntries(next) : value;
}

/** Like {@link schemaBelow}, but returns undefined if arbitrary fields are allowed. */
function knownBelow(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
