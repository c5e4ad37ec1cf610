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
  return additionalProperties === true ? {} : undefined;
}

/** The schema of the items of a list. */
export function schemaOfItems({ items }: StructuralSchema): StructuralSchema | undefined {
  return Array.isArray(items) ? items[0] : (items as StructuralSchema | undefined);
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
  return { value: pruned(schema, value, '', isRoot, unknownFields), unknownFields };
}

const OBJECT_FIELDS: readonly string[] = ['apiVersion', 'kind', 'metadata'];

function pruned(
  schema: StructuralSchema,
  value: Json,
  path: string,
  isObjectOfItsOwn: boolean,
  unknown: string[],
): Json {
  const keepsAll = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (isList(value)) {
    const items = schemaOfItems(schema);
    if (!items && keepsAll) return value;
    return value.map((item, i) =>
      pruned(items ?? {}, item, `${path}[${i}]`, items?.['x-kubernetes-embedded-resource'] === true, unknown),
    );
  }
  if (!isObject(value)) return value;
  const kept: Record<string, Json> = {};
  for (const [name, part] of Object.entries(value)) {
    if (part === undefined) continue;
    const partPath = path ? `${path}.${name}` : name;
    if (isObjectOfItsOwn && OBJECT_FIELDS.includes(name)) {
      kept[name] = part;
      continue;
    }
    const below = schemaBelow(schema, name);
    if (below) {
      kept[name] = pruned(below, part, partPath, below['x-kubernetes-embedded-resource'] === true, unknown);
    } else if (keepsAll) kept[name] = part;
    else unknown.push(partPath);
  }
  return kept;
}

/**
 * Fills in what is absent and has a default. A null that may not be is taken for absent where there is a default.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/defaulting/algorithm.go Default,
 * prunenulls.go PruneNonNullableNullsWithoutDefaults
 */
export function withDefaults(schema: StructuralSchema, value: Json): Json {
  if (isList(value)) {
    const items = schemaOfItems(schema);
    if (!items) return value;
    const next = value.map((item) => withDefaults(items, item));
    return next.some((item, i) => item !== value[i]) ? next : value;
  }
  if (!isObject(value)) return value;
  const next: Record<string, Json> = { ...(value as JsonObject) } as Record<string, Json>;
  let changed = false;
  const set = (name: string, part: Json): void => {
    if (next[name] === part) return;
    next[name] = part;
    changed = true;
  };
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const part = next[name];
    const { default: byDefault, nullable = false } = property;
    if (part === undefined || (part === null && !nullable)) {
      if (byDefault !== undefined) set(name, byDefault as Json);
    }
  }
  for (const [name, part] of Object.entries(next)) {
    const below = schemaBelow(schema, name);
    if (!below || part === undefined) continue;
    if (part === null && below.nullable !== true && below.type !== undefined) {
      delete next[name];
      changed = true;
    } else set(name, withDefaults(below, part));
  }
  return changed ? next : value;
}
