import type { Field } from '../../api/table/table.ts';
import { deduced, type MergeSchema, schemaOf } from '../apply/merge-schema.ts';
import { type StructuralSchema, schemaBelow, schemaOfItems } from './structural-schema.ts';

/**
 * Returns the view of server-side apply on a custom resource.
 *
 * Upstream: kubernetes/kube-openapi@v0.0.0-20260519202549-bbf5c5577288 pkg/schemaconv/openapi.go ToSchemaFromOpenAPI
 */
export function customMergeSchema(schema: StructuralSchema): MergeSchema {
  const whole = mergeSchemaOf(schema);
  const metadata = schemaOf({ group: '', version: 'v1', kind: 'ConfigMap' })?.map?.value('metadata');
  const text: MergeSchema = { scalar: 'string' };
  const own = new Map([
    ['apiVersion', text],
    ['kind', text],
    ['metadata', metadata],
  ]);
  const fields = new Map([
    ...(whole.map?.fields ?? []),
    ...[...own.keys()].map((name) => [name, NO_DEFAULT] as const),
  ]);
  return {
    map: { atomic: false, fields, value: (name) => own.get(name) ?? whole.map?.value(name) },
  };
}

const NO_DEFAULT: Pick<Field, 'default'> = { default: undefined };

const known = new WeakMap<StructuralSchema, MergeSchema>();

function mergeSchemaOf(schema: StructuralSchema): MergeSchema {
  let made = known.get(schema);
  if (!made) {
    made = newMergeSchema(schema);
    known.set(schema, made);
  }
  return made;
}

function newMergeSchema(schema: StructuralSchema): MergeSchema {
  if (schema['x-kubernetes-int-or-string']) return { scalar: 'untyped' };
  switch (schema.type) {
    case 'object': {
      const fields = new Map(
        Object.entries(schema.properties ?? {}).map(
          ([name, property]) => [name, { default: property.default as Field['default'] }] as const,
        ),
      );
      const keepsAll = schema['x-kubernetes-preserve-unknown-fields'] === true;
      const value = (name: string): MergeSchema | undefined => {
        const below = schemaBelow(schema, name);
        return below ? mergeSchemaOf(below) : keepsAll ? deduced : undefined;
      };
      return { map: { atomic: schema['x-kubernetes-map-type'] === 'atomic', fields, value } };
    }
    case 'array': {
      const type = (schema['x-kubernetes-list-type'] ?? 'atomic') as 'atomic' | 'set' | 'map';
      const keys = type === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [];
      return { list: { type, keys, item: () => mergeSchemaOf(schemaOfItems(schema) ?? {}) } };
    }
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
    case 'string':
      return { scalar: schema.type };
    default:
      return deduced;
  }
}
