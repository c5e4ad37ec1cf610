import { apiTypes, type Field, type GroupVersionKind, type Struct } from '../../api/table/table.ts';
import { isList, isObject, type Json } from '../patch/json-value.ts';

/**
 * The view of server-side apply on the values of a type. Most types have one form; an arbitrary value has all three.
 *
 * Upstream: kubernetes-sigs/structured-merge-diff@v6.3.3 schema/elements.go Atom
 */
export interface MergeSchema {
  readonly scalar?: Scalar;
  readonly list?: ListSchema;
  readonly map?: MapSchema;
}

/** The required type of a value that is neither a list nor a map. */
export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped';

/** A list: one value, a set of scalars, or items with keys. */
export interface ListSchema {
  readonly type: 'atomic' | 'set' | 'map';
  /** The fields that identify an item; empty unless the type is `map`. */
  readonly keys: readonly string[];
  item(): MergeSchema;
}

/** A struct, or a map. */
export interface MapSchema {
  /** Whether the whole map is one value. */
  readonly atomic: boolean;
  /** The fields of a struct, by name. */
  readonly fields: ReadonlyMap<string, Pick<Field, 'default'>>;
  /** Returns the schema of a value; undefined if the name is not allowed. */
  value(name: string): MergeSchema | undefined;
}

/**
 * Returns the schema of a kind; undefined for an unknown kind.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260519202549-bbf5c5577288 pkg/schemaconv/openapi.go ToSchemaFromOpenAPI
 */
export function schemaOf(kind: GroupVersionKind): MergeSchema | undefined {
  const struct = apiTypes.kind(kind);
  return struct && schemaOfStruct(struct, struct.mapType === 'atomic');
}

/** Returns the form of a value. If no form fits, or the value is missing, returns the first available form. */
export function formOf(schema: MergeSchema, value: Json | undefined): keyof MergeSchema {
  if (isList(value)) {
    if (schema.list) return 'list';
  } else if (isObject(value)) {
    if (schema.map) return 'map';
  } else if (value !== undefined && value !== null && schema.scalar) return 'scalar';
  if (schema.map) return 'map';
  return schema.scalar ? 'scalar' : 'list';
}

/** An arbitrary value as a whole. */
const untyped: MergeSchema = {
  scalar: 'untyped',
  list: { type: 'atomic', keys: [], item: () => untyped },
  map: { atomic: true, fields: new Map(), value: () => untyped },
};

/** An arbitrary value; each entry of a map is a separate field. */
export const deduced: MergeSchema = {
  scalar: 'untyped',
  list: { type: 'atomic', keys: [], item: () => untyped },
  map: { atomic: false, fields: new Map(), value: () => deduced },
};

const special: Readonly<Record<string, MergeSchema>> = {
  string: { scalar: 'string' },
  bool: { scalar: 'boolean' },
  int32: { scalar: 'numeric' },
  int64: { scalar: 'numeric' },
  float64: { scalar: 'numeric' },
  any: deduced,
  '[]uint8': { scalar: 'string' },
  'resource.Quantity': { scalar: 'untyped' },
  'intstr.IntOrString': { scalar: 'untyped' },
  'meta/v1.Time': { scalar: 'untyped' },
  'meta/v1.MicroTime': { scalar: 'untyped' },
  'meta/v1.Duration': { scalar: 'string' },
  'meta/v1.FieldsV1': { map: { atomic: false, fields: new Map(), value: () => deduced } },
  'runtime.RawExtension': untyped,
  'apiextensions/v1.JSON': deduced,
  'apiextensions/v1.JSONSchemaPropsOrArray': deduced,
  'apiextensions/v1.JSONSchemaPropsOrBool': deduced,
  'apiextensions/v1.JSONSchemaPropsOrStringArray': deduced,
};

const fieldSchemas = new WeakMap<Field, MergeSchema>();

function schemaOfField(field: Field): MergeSchema {
  let schema = fieldSchemas.get(field);
  if (!schema) {
    schema = schemaOfType(field.type, field);
    fieldSchemas.set(field, schema);
  }
  return schema;
}

const typeSchemas = new Map<string, MergeSchema>();

/** @param field - the markers in the field's declaration; undefined for an item of a list or a map */
function schemaOfType(written: string, field?: Field): MergeSchema {
  const type = written.replace(/^\*/, '');
  if (Object.hasOwn(special, type)) return special[type] as MergeSchema;
  const struct = apiTypes.struct(type);
  if (struct) return schemaOfStruct(struct, (field?.mapType ?? struct.mapType) === 'atomic');
  if (field === undefined) {
    let known = typeSchemas.get(type);
    if (!known) {
      known = schemaOfNamed(type);
      typeSchemas.set(type, known);
    }
    return known;
  }
  return schemaOfNamed(type, field);
}

function schemaOfNamed(type: string, field?: Field): MergeSchema {
  const underlying = apiTypes.named(type)?.underlying ?? type;
  if (underlying.startsWith('[]')) return { list: listSchema(underlying.slice('[]'.length), field) };
  if (!underlying.startsWith('map[string]')) return schemaOfType(underlying, field);
  const value = underlying.slice('map[string]'.length);
  const map = {
    atomic: field?.mapType === 'atomic',
    fields: new Map(),
    value: () => schemaOfType(value),
  };
  return { map };
}

/** A list without markers for server-side apply merges like in a strategic merge patch, or counts as one value. */
function listSchema(item: string, field: Field | undefined): ListSchema {
  const { listType, listMapKeys = [], patchStrategy = '', patchMergeKey } = field ?? {};
  const items = { item: () => schemaOfType(item) };
  if (listType) return { type: listType, keys: listType === 'map' ? listMapKeys : [], ...items };
  if (!patchStrategy.startsWith('merge')) return { type: 'atomic', keys: [], ...items };
  if (patchMergeKey === undefined) return { type: 'set', keys: [], ...items };
  return { type: 'map', keys: [patchMergeKey], ...items };
}

const structSchemas = new Map<string, MergeSchema>();

function schemaOfStruct({ name, properties }: Struct, atomic: boolean): MergeSchema {
  const key = `${name} ${atomic}`;
  let schema = structSchemas.get(key);
  if (!schema) {
    const value = (field: string): MergeSchema | undefined => {
      const property = properties.get(field);
      return property && schemaOfField(property);
    };
    schema = { map: { atomic, fields: properties, value } };
    structSchemas.set(key, schema);
  }
  return schema;
}
