import type { JSONSchemaProps } from '#api/apiextensions/v1';
import { isList, isObject, type Json, type JsonObject } from '../patch/json-value.ts';

/**
 * The schema of a custom resource, as its definition says it.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/structural.go Structural
 */
export type StructuralSchema = JSONSchemaProps;

/** What is left of a value, and the paths of what went. */
export interface Pruned {
  readonly value: Json;
  readonly unknownFields: readonly string[];
}

/** The schema of what stands in a field; undefined where the schema does not know it. */
export function schemaBelow(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  if (typeof additionalProperties === 'object') return additionalProperties;
  // What may not be there at all is refused later, by name.
  return additionalProperties === undefined ? undefined : {};
}

/** The path of a field of what is at a path. */
export const child = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** The schema of the items of a list. */
export function schemaOfItems({ items }: StructuralSchema): StructuralSchema | undefined {
  return Array.isArray(items) ? undefined : ((items ?? undefined) as StructuralSchema | undefined);
}

/**
 * Takes away the fields that the schema does not know, and tells of them.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/pruning/algorithm.go PruneWithOptions
 *
 * @param isRoot - is it an object of its own, which has a kind, an apiVersion and metadata whatever the schema says?
 */
export function prune(schema: StructuralSchema, value: Json, isRoot: boolean): Pruned {
  const unknownFields: string[] = [];
  const whole = isRoot ? { ...schema, 'x-kubernetes-embedded-resource': true } : schema;
  return { value: pruned(whole, value, '', unknownFields), unknownFields: unknownFields.toSorted() };
}

const OBJECT_FIELDS: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/**
 * @param keptAbove - does a list that this item stands in keep what it does not know?
 */
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
  // Not by assignment: a field may be called `__proto__`.
  return changed ? Object.fromEntries(kept) : value;
}

/**
 * Takes away the fields that are null and may not be, unless there is a default for them.
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
 * Fills in what is absent and has a default. A null that may not be is taken for absent.
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
 * The value with its parts changed, or the very same.
 *
 * @param change - given a part that the schema knows and its schema; undefined takes it away, if it is a field
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

/** {@link schemaBelow}, unless any field is let in, of which nothing is known. */
function knownBelow(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
