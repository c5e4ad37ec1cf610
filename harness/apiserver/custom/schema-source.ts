import { groupVersion, listKindOf, type Resource } from '../../api/resource.ts';
import { without } from '../copy-on-write.ts';
import { referTo, type Schema, type SchemaKind, type SchemaSource } from '../openapi/schema.ts';
import { customVersionOf } from './custom-version.ts';
import { type StructuralSchema, schemaOfItems } from './structural-schema.ts';
import { isIntOrString } from './validate-structural.ts';

/**
 * Returns a source with the schemas of these custom resources and all schemas of another source.
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
    add(kind, { ...rest, properties: { ...properties, ...OBJECT } });
    add(listKindOf(resource), {
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

/** The fields that every object has. */
const OBJECT: NonNullable<Schema['properties']> = { ...TYPE, metadata: { allOf: [referTo(META)] } };

/**
 * Returns a schema for OpenAPI: its own fields, and those that its extensions imply.
 *
 * Upstream: kubernetes/apiextensions-apiserver@v0.36.3 pkg/apiserver/schema/{kubeopenapi,unfold}.go, and
 * pkg/controller/openapi/builder/builder.go addEmbeddedProperties
 */
function described(schema: StructuralSchema): Schema {
  const { properties, additionalProperties, allOf, anyOf, oneOf, not, ...said } = schema;
  const items = schemaOfItems(schema);
  const isObjectOfItsOwn = schema['x-kubernetes-embedded-resource'] === true;
  const below = properties && mapValues(properties, described);
  return {
    ...(without(unfolded({ ...said, ...(allOf && { allOf }), ...(anyOf && { anyOf }) }), 'items') as Schema),
    ...(oneOf && { oneOf: oneOf as readonly Schema[] }),
    ...(not && { not: not as Schema }),
    ...((below || isObjectOfItsOwn) && { properties: { ...below, ...(isObjectOfItsOwn && OBJECT) } }),
    ...(isObjectOfItsOwn && { required: [...new Set([...(said.required ?? []), 'kind', 'apiVersion'])] }),
    ...(items && { items: described(items) }),
    ...(typeof additionalProperties === 'boolean' && { additionalProperties }),
    ...(typeof additionalProperties === 'object' &&
      additionalProperties && { additionalProperties: described(additionalProperties) }),
  };
}

const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

/** Adds the alternatives of an int-or-string. Upstream: Unfold */
function unfolded(schema: StructuralSchema): StructuralSchema {
  const { anyOf, allOf = [] } = schema;
  if (!schema['x-kubernetes-int-or-string']) return schema;
  if (isIntOrString(anyOf) || isIntOrString(allOf[0]?.anyOf)) return schema;
  if (!anyOf) return { ...schema, anyOf: INT_OR_STRING };
  return { ...schema, allOf: [{ anyOf: INT_OR_STRING }, ...allOf] };
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
