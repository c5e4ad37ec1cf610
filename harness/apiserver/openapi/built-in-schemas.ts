import type { ApiTypes, Field, Struct } from '../../api/table/table.ts';
import { ownSchemas } from './own-schemas.ts';
import { referTo, type Schema, type SchemaKind, type SchemaSource, sortedByKey } from './schema.ts';
import { schemaNameOf } from './schema-name.ts';

/**
 * Returns the schemas of the built-in types, derived from their Go types.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/generators/openapi.go openAPITypeWriter;
 * kubernetes/apiserver@v0.36.3 pkg/endpoints/openapi/openapi.go DefinitionNamer
 *
 * Differs: schemas have no descriptions, because these are upstream's texts, and no `x-kubernetes-unions`, because no
 * client reads them.
 */
export function builtInSchemas(types: ApiTypes): SchemaSource {
  const typeOf = new Map(
    Object.entries(types.table.packages).flatMap(([home, { structs, named = {} }]) =>
      [...Object.keys(structs), ...Object.keys(named)].map((name) => {
        const type = `${home}.${name}`;
        return [schemaNameOf(type), type] as const;
      }),
    ),
  );
  return {
    nameOf(kind) {
      const struct = types.kind(kind);
      return struct && schemaNameOf(struct.name);
    },
    schema(name) {
      const type = typeOf.get(name);
      if (type === undefined) return undefined;
      const struct = types.struct(type);
      return struct === undefined ? ownSchemas[type] : structSchema(types, struct);
    },
  };
}

function structSchema(types: ApiTypes, struct: Struct): Schema {
  const fields = [...struct.properties.values()];
  const required = fields.filter(({ optional }) => !optional).map(({ name }) => name);
  const kinds = kindsOf(types, struct.name);
  return {
    type: 'object',
    ...(fields.length > 0 && {
      properties: sortedByKey(fields.map((field) => [field.name, fieldSchema(types, field)])),
    }),
    ...(required.length > 0 && { required }),
    ...(kinds.length > 0 && { 'x-kubernetes-group-version-kind': kinds }),
    ...(struct.mapType && { 'x-kubernetes-map-type': struct.mapType }),
  };
}

function fieldSchema(types: ApiTypes, field: Field): Schema {
  const { patchStrategy, patchMergeKey, listType, listMapKeys, mapType } = field;
  const { $ref, ...schema } = typeSchema(types, field.type);
  const value = field.default ?? zeroOf(types, field);
  const struct = types.struct(field.type.replace(/^\*/, ''));
  return {
    // A reference allows no siblings. Upstream wraps it if there are any. Every field has a description there, so every
    // field wraps its reference here.
    ...($ref === undefined ? schema : { allOf: [{ $ref }] }),
    ...(value !== undefined && { default: value }),
    ...(patchStrategy && { 'x-kubernetes-patch-strategy': patchStrategy }),
    ...(patchMergeKey && { 'x-kubernetes-patch-merge-key': patchMergeKey }),
    ...(listType && { 'x-kubernetes-list-type': listType }),
    ...(listMapKeys.length > 0 && { 'x-kubernetes-list-map-keys': listMapKeys }),
    // The type's own schema contains the markers of the type.
    ...(mapType && mapType !== struct?.mapType && { 'x-kubernetes-map-type': mapType }),
  };
}

/** Returns the schema of a list item or a map value. */
function elementSchema(types: ApiTypes, type: string): Schema {
  const { $ref, ...schema } = typeSchema(types, type);
  const value = zeroOf(types, { type, omit: 'never' });
  if (value === undefined) return $ref === undefined ? schema : { $ref };
  return { ...($ref === undefined ? schema : { allOf: [{ $ref }] }), default: value };
}

/**
 * Returns the default of an omitted field: an empty struct, or the zero value of a type that Go always prints.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/generators/openapi.go mustEnforceDefault
 */
function zeroOf(types: ApiTypes, { type, omit }: Pick<Field, 'type' | 'omit'>): unknown {
  if (types.struct(type) !== undefined) return {};
  if (omit !== 'never') return undefined;
  const underlying = types.named(type)?.underlying ?? type;
  return Object.hasOwn(basics, underlying) ? basics[underlying]?.zero : undefined;
}

function typeSchema(types: ApiTypes, type: string): Schema {
  if (type.startsWith('*')) return typeSchema(types, type.slice(1));
  if (type === '[]uint8') return { type: 'string', format: 'byte' };
  if (type.startsWith('[]')) return { type: 'array', items: elementSchema(types, type.slice('[]'.length)) };
  if (type.startsWith('map[string]')) {
    return { type: 'object', additionalProperties: elementSchema(types, type.slice('map[string]'.length)) };
  }
  const basic = Object.hasOwn(basics, type) ? basics[type] : undefined;
  if (basic !== undefined) return basic.schema;
  const named = types.named(type);
  if (named === undefined || named.underlying === 'custom') return referTo(schemaNameOf(type));
  return { ...typeSchema(types, named.underlying), ...(named.enum && { enum: named.enum }) };
}

/** Go's basic types. */
const basics: Readonly<Record<string, { readonly schema: Schema; readonly zero?: unknown }>> = {
  string: { schema: { type: 'string' }, zero: '' },
  bool: { schema: { type: 'boolean' }, zero: false },
  int32: { schema: { type: 'integer', format: 'int32' }, zero: 0 },
  int64: { schema: { type: 'integer', format: 'int64' }, zero: 0 },
  float64: { schema: { type: 'number', format: 'double' }, zero: 0 },
  any: { schema: {} },
};

/** Returns the group, version and kind of a struct that is a registered kind. */
function kindsOf(types: ApiTypes, type: string): readonly SchemaKind[] {
  const [home = '', kind = ''] = [
    type.slice(0, type.lastIndexOf('.')),
    type.slice(type.lastIndexOf('.') + 1),
  ];
  if (home === 'meta/v1')
    return inEveryGroup.has(kind) || unversioned.has(kind) ? [{ group: '', version: 'v1', kind }] : [];
  const { apiVersion, kinds = {} } = types.table.packages[home] ?? {};
  if (apiVersion === undefined || !Object.hasOwn(kinds, kind)) return [];
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return [{ group, version, kind }];
}

/** The kinds of meta/v1 that belong to the core group. */
const unversioned: ReadonlySet<string> = new Set([
  ...['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList'],
]);

/** The kinds of meta/v1 that every group version registers as its own. */
export const inEveryGroup: ReadonlySet<string> = new Set(['WatchEvent', 'DeleteOptions']);
