import { apiTypes, type Field, type GroupVersionKind, type Struct } from '../../api/table/table.ts';

/**
 * The tagged fields of an object, by their JSON name.
 *
 * The schema defines how strategic merge patches treat the fields of an object, from the `patchStrategy` and
 * `patchMergeKey` tags of upstream's Go structs. A field without an entry has no tag and is not an object. It is
 * replaced as a whole, like a list without a tag.
 */
export interface PatchSchema {
  readonly [field: string]: PatchField;
}

/** The patch rules of one field. */
export interface PatchField {
  /** The tag in upstream's spelling. Without it, objects merge and lists are replaced. */
  readonly patchStrategy?: PatchStrategy;
  /** The field that identifies the objects of a merging list; undefined for lists of scalars. */
  readonly patchMergeKey?: string;
  /** The schema of the object, or of each element of the list. */
  readonly schema?: PatchSchema;
}

/** The values of the `patchStrategy` tag that occur upstream. */
type PatchStrategy = 'merge' | 'replace' | 'retainKeys' | 'merge,retainKeys';

/**
 * Returns the patch schema of a built-in kind; undefined for any other kind. The server has no Go type for a custom
 * resource, so it answers a strategic merge patch with 415.
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
  // Set before its fields, because a struct can contain itself.
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

/** Returns the tags of `field` in `schema`; empty if the field has none. */
export function fieldOf(schema: PatchSchema | undefined, field: string): PatchField {
  return (schema && Object.hasOwn(schema, field) && schema[field]) || {};
}

/** Reports whether a list with this tag merges with the existing list. */
export function mergesLists(field: PatchField): boolean {
  return field.patchStrategy === 'merge' || field.patchStrategy === 'merge,retainKeys';
}

/** Reports whether a patch of this field should name the keys to keep, so that the others are cleared. */
export function retainsKeys(field: PatchField): boolean {
  return field.patchStrategy === 'retainKeys' || field.patchStrategy === 'merge,retainKeys';
}
