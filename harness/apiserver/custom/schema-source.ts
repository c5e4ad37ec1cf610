import { groupVersion, type Resource } from '../../api/resource.ts';
import { referTo, type Schema, type SchemaKind, type SchemaSource } from '../openapi/schema.ts';
import { customVersionOf } from './custom-version.ts';
import { type StructuralSchema, schemaOfItems } from './structural-schema.ts';

/**
 * The schemas of these resources where they are custom ones, and all that another source has.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/controller/openapi/builder/builder.go
 */
export function withCustomSchemas(resources: readonly Resource[], source: SchemaSource): SchemaSource {
  const names = new Map<string, string>();
  const schemas = new Map<string, Schema>();
  for (const resource of resources) {
    const custom = customVersionOf(resource);
    if (!custom) continue;
    const { group, version, kind } = resource;
    const prefix = [...group.split('.').reverse(), version].join('.');
    const add = (of: string, schema: Schema): void => {
      names.set(`${groupVersion(resource)} ${of}`, `${prefix}.${of}`);
      schemas.set(`${prefix}.${of}`, {
        ...schema,
        'x-kubernetes-group-version-kind': [{ group, version, kind: of }],
      });
    };
    const { properties, ...rest } = described(custom.schema);
    add(kind, { ...rest, properties: { ...properties, ...TYPE, metadata: { allOf: [referTo(META)] } } });
    add(`${kind}List`, {
      type: 'object',
      required: ['items'],
      properties: {
        ...TYPE,
        metadata: { allOf: [referTo(LIST_META)] },
        items: { type: 'array', items: { allOf: [referTo(`${prefix}.${kind}`)] } },
      },
    });
  }
  return {
    nameOf: (kind: SchemaKind) => names.get(`${groupVersion(kind)} ${kind.kind}`) ?? source.nameOf(kind),
    schema: (name) => schemas.get(name) ?? source.schema(name),
  };
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const LIST_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';
const TYPE = { apiVersion: { type: 'string' }, kind: { type: 'string' } } as const;

/** A schema as it is told: types and descriptions, and what kubectl goes by. */
function described(schema: StructuralSchema): Schema {
  const { description, type, format, required, properties, additionalProperties } = schema;
  const items = schemaOfItems(schema);
  return {
    ...(description && { description }),
    ...(type && { type: type as NonNullable<Schema['type']> }),
    ...(format && { format }),
    ...(required && { required }),
    ...(schema.default !== undefined && { default: schema.default }),
    ...(schema.enum?.every((one) => typeof one === 'string') && { enum: schema.enum as string[] }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, described(property)]),
      ),
    }),
    ...(items && { items: described(items) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: described(additionalProperties),
    }),
    ...Object.fromEntries(
      Object.entries(schema).filter(([name]) =>
        [
          'x-kubernetes-preserve-unknown-fields',
          'x-kubernetes-list-type',
          'x-kubernetes-list-map-keys',
          'x-kubernetes-map-type',
          'x-kubernetes-int-or-string',
        ].includes(name),
      ),
    ),
  };
}
