import { apiTypes, type Field, type GroupVersionKind, type Struct } from '../../api/table/table.ts';
import type { MergeField, MergeSchema } from '../../contracts/apply/index.ts';

/**
 * Returns the patch schema of a built-in kind; undefined for any other kind. The server has no Go type for a custom
 * resource, so it answers a strategic merge patch with 415.
 */
export function schemaOf(kind: GroupVersionKind): MergeSchema | undefined {
  const struct = apiTypes.kind(kind);
  return struct && schemaOfStruct(struct);
}

const schemas = new Map<string, MergeSchema>();

function schemaOfStruct({ name, properties }: Struct): MergeSchema {
  const known = schemas.get(name);
  if (known !== undefined) return known;
  const schema: Record<string, MergeField> = {};
  // Set before its fields, because a struct can contain itself.
  schemas.set(name, schema);
  for (const field of properties.values()) {
    const tagged = patchFieldOf(field);
    if (Object.keys(tagged).length > 0) schema[field.name] = tagged;
  }
  return schema;
}

function patchFieldOf({ type, patchStrategy, patchMergeKey }: Field): MergeField {
  const struct = apiTypes.struct(type.replace(/^(?:\*|\[\])+/, ''));
  return {
    ...(patchStrategy === undefined
      ? {}
      : { patchStrategy: patchStrategy as MergeField['patchStrategy'] & string }),
    ...(patchMergeKey === undefined ? {} : { patchMergeKey }),
    ...(struct === undefined ? {} : { schema: schemaOfStruct(struct) }),
  };
}

/** Returns the tags of `field` in `schema`; empty if the field has none. */
export function fieldOf(schema: MergeSchema | undefined, field: string): MergeField {
  return (schema && Object.hasOwn(schema, field) && schema[field]) || {};
}

/** Reports whether a list with this tag merges with the existing list. */
export function mergesLists(field: MergeField): boolean {
  return field.patchStrategy === 'merge' || field.patchStrategy === 'merge,retainKeys';
}
