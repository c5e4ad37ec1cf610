/**
 * The tagged fields of an object, by their JSON name.
 *
 * The schema defines how strategic merge patches treat the fields of an object, from the `patchStrategy` and
 * `patchMergeKey` tags of upstream's Go structs. A field without an entry has no tag and is not an object. It is
 * replaced as a whole, like a list without a tag.
 */
export interface MergeSchema {
  readonly [field: string]: MergeField;
}

/** The merge rules of one field. */
export interface MergeField {
  /** The tag in upstream's spelling. Without it, objects merge and lists are replaced. */
  readonly patchStrategy?: 'merge' | 'replace' | 'retainKeys' | 'merge,retainKeys';
  /** The field that identifies the objects of a merging list; undefined for lists of scalars. */
  readonly patchMergeKey?: string;
  /** The schema of the object, or of each element of the list. */
  readonly schema?: MergeSchema;
}
