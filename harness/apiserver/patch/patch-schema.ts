import { apiTypes, type Field, type GroupVersionKind, type Struct } from '../../api/table/table.ts';

/**
 * The tagged fields of an object, by their JSON name.
 *
 * How strategic merge patches treat the fields of an object: the `patchStrategy` and `patchMergeKey` tags of
 * upstream's Go structs. A field that is not listed has no tag and is no object: it is replaced whole, as is a
 * list without a tag.
 */
export interface PatchSchema {
  readonly [field: string]: PatchField;
}

/** How one field is patched. */
export interface PatchField {
  /** The tag as upstream spells it. Absent: objects merge, lists are replaced. */
  readonly patchStrategy?: PatchStrategy;
  /** The field by which the objects of a merging list are told apart; absent for lists of scalars. */
  readonly patchMergeKey?: string;
  /** The schema of the object, or of each element of the list. */
  readonly schema?: PatchSchema;
}

/** The values of the `patchStrategy` tag in use. */
export type PatchStrategy = 'merge' | 'replace' | 'retainKeys' | 'merge,retainKeys';

/**
 * The patch schema of a built-in kind; undefined for any other. The server knows no Go type for a custom resource
 * and so answers a strategic merge patch of it with 415.
 */
export function schemaOf(kind: GroupVersionKind): PatchSchema | undefined {
  const struct = apiTypes.kind(kind);
  return struct && schemaOfStruct(struct);
}

const schemas = new Map<string, PatchSchema>();

function schemaOfStruct({ name, properties }: Struct): PatchSchema {
  const known = schemas.get(name);
  if (known !== undefined) return known;
  const schema: Record<string, PatchField> = {};
  // Before its fields: a struct may contain itself.
  schemas.set(name, schema);
  for (const field of properties.values()) {
    const tagged = patchFieldOf(field);
    if (Object.keys(tagged).length > 0) schema[field.name] = tagged;
  }
  return schema;
}

function patchFieldOf({ type, patchStrategy, patchMergeKey }: Field): PatchField {
  const struct = apiTypes.struct(type.replace(/^(?:\*|\[\])+/, ''));
  return {
    ...(patchStrategy === undefined ? {} : { patchStrategy: patchStrategy as PatchStrategy }),
    ...(patchMergeKey === undefined ? {} : { patchMergeKey }),
    ...(struct === undefined ? {} : { schema: schemaOfStruct(struct) }),
  };
}

/** The tagging of `field` in `schema`; empty where the field has none. */
export function fieldOf(schema: PatchSchema | undefined, field: string): PatchField {
  return (schema && Object.hasOwn(schema, field) && schema[field]) || {};
}

/** Whether a list with this tag merges with the list it patches. */
export function mergesLists(field: PatchField): boolean {
  return field.patchStrategy === 'merge' || field.patchStrategy === 'merge,retainKeys';
}

/** Whether a patch of this field should name the keys to keep, so that the others are cleared. */
export function retainsKeys(field: PatchField): boolean {
  return field.patchStrategy === 'retainKeys' || field.patchStrategy === 'merge,retainKeys';
}
