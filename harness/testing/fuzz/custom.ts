import { defineResource } from '../../api/define-resource.ts';
import { customResourceDefinitions } from '../../api/plain-resources.ts';
import type { Resource } from '../../api/resource.ts';
import type { Chance } from './chance.ts';
import { manifest as builtIn, type Place } from './manifests.ts';
import { hostile, type JsonObject, mutate, TEXTS } from './mutate.ts';
import type { Population } from './request.ts';

const GROUP = 'fuzz.example.com';

/** One definition, with the schema of each version. */
interface Defined {
  readonly plural: string;
  readonly definition: JsonObject;
  readonly resources: readonly Resource[];
  readonly schemas: ReadonlyMap<Resource, JsonObject>;
}

/**
 * Generates custom resources and their definitions. The definitions are few, with random schemas, and change later.
 * Objects fit their schemas or do not.
 */
export function customPopulation(chance: Chance): Population {
  const all = chance.many(1 + chance.int(3), (index) => defined(chance, index));
  const schemas = new Map(all.flatMap((each) => [...each.schemas]));
  const resources = all.flatMap((each) => each.resources);
  return {
    // Definitions change seldom, because later requests depend on them.
    resources: [...Array.from({ length: 12 }, () => resources).flat(), customResourceDefinitions as Resource],
    first: all.map(({ definition }) => definition),
    nameOf: (resource, name) => {
      if (resource.plural !== customResourceDefinitions.plural) return name;
      return `${chance.one(all).plural}.${GROUP}`;
    },
    manifest: (chance, resource, place) => {
      const schema = schemas.get(resource);
      if (!schema) return redefined(chance, all, place);
      const { apiVersion, kind, metadata } = builtIn(chance, resource, place);
      return structuredClone({ ...fitting(chance, schema), apiVersion, kind, metadata });
    },
  };
}

/** Returns a definition of this name, mostly with other schemas. */
function redefined(chance: Chance, all: readonly Defined[], { name }: Place): JsonObject {
  const index = all.findIndex(({ plural }) => name === `${plural}.${GROUP}`);
  if (index < 0 || chance.oneIn(3)) return structuredClone(all[Math.max(0, index)]?.definition ?? {});
  const { definition } = defined(chance, index);
  return chance.oneIn(2) ? definition : mutate(chance, structuredClone(definition));
}

function defined(chance: Chance, index: number): Defined {
  const kind = `Fuzz${'ABC'[index]}`;
  const plural = `${kind.toLowerCase()}s`;
  const namespaced = index !== 1;
  const versions = chance.one([['v1'], ['v1'], ['v1', 'v2beta1']]).map((name, i) => ({
    name,
    schema: rootSchema(chance),
    hasStatus: chance.oneIn(2),
    hasScale: chance.oneIn(2),
    storage: i === 0,
  }));
  const resources = versions.map(({ name, hasStatus, hasScale }) =>
    defineResource(`${GROUP}/${name}`, kind, plural, {
      namespaced,
      subresources: [...(hasStatus ? (['status'] as const) : []), ...(hasScale ? (['scale'] as const) : [])],
    }),
  );
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: { kind, plural },
      versions: versions.map(({ name, schema, hasStatus, hasScale, storage }) => ({
        ...{ name, served: true, storage, schema: { openAPIV3Schema: schema } },
        subresources: {
          ...(hasStatus && { status: {} }),
          ...(hasScale && {
            scale: {
              specReplicasPath: '.spec.replicas',
              statusReplicasPath: '.status.replicas',
              labelSelectorPath: '.status.selector',
            },
          }),
        },
        additionalPrinterColumns: chance.many(chance.int(4), (at) => column(chance, at)),
        selectableFields: chance.oneIn(2) ? [{ jsonPath: '.spec.text' }] : [],
        ...(chance.oneIn(6) && { deprecated: true }),
      })),
    },
  };
  const schemas = new Map(resources.map((resource, i) => [resource, versions[i]?.schema ?? {}]));
  return { plural, definition, resources, schemas };
}

const column = (chance: Chance, at: number): JsonObject => ({
  name: `C${at}`,
  type: chance.one(['string', 'integer', 'number', 'boolean', 'date']),
  jsonPath: chance.one(PATHS),
});

const PATHS = [
  '.spec.text',
  '.spec.replicas',
  '.spec.list[0]',
  '.spec.list[*].name',
  '.spec.list[?(@.name=="a")].value',
  '..name',
  '.metadata.creationTimestamp',
  '.spec.map',
  '.constructor',
  '.spec.list[',
];

/** Generates the schema of an object whose spec has a string, a number and random fields. */
function rootSchema(chance: Chance): JsonObject {
  return {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          text: textSchema(chance),
          replicas: { type: 'integer', ...(chance.oneIn(2) && { minimum: 0, maximum: 9 }) },
          list: mapList(chance),
          map: { type: 'object', additionalProperties: schemaOf(chance, 1) },
          ...Object.fromEntries(chance.many(chance.int(4), (i) => [`f${i}`, schemaOf(chance, 3)])),
        },
        ...(chance.oneIn(3) && { required: ['text'] }),
      },
      status: {
        type: 'object',
        properties: { replicas: { type: 'integer' }, selector: { type: 'string' } },
        ...(chance.oneIn(2) && { 'x-kubernetes-preserve-unknown-fields': true }),
      },
    },
    ...(chance.oneIn(8) && { 'x-kubernetes-preserve-unknown-fields': true }),
  };
}

const textSchema = (chance: Chance): JsonObject => ({
  type: 'string',
  ...chance.one<JsonObject>([
    {},
    { maxLength: 3 },
    { pattern: chance.one(['^[a-z]*$', '^(a+)+$', '(?i)^X', '\\pL']) },
    { enum: ['a', 'b', 'x'] },
    { format: chance.one(['date', 'uri', 'duration', 'hostname', 'none', 'ipv4']) },
    { default: 'a' },
    { nullable: true },
  ]),
});

const mapList = (chance: Chance): JsonObject => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, value: schemaOf(chance, 1) },
  },
});

function schemaOf(chance: Chance, depth: number): JsonObject {
  const below = (): JsonObject => schemaOf(chance, depth - 1);
  const flat: readonly (() => JsonObject)[] = [
    () => textSchema(chance),
    () => ({ type: 'integer', ...(chance.oneIn(2) && { format: 'int32', minimum: -5 }) }),
    () => ({ type: 'number', ...(chance.oneIn(2) && { multipleOf: 0.5, maximum: 10 }) }),
    () => ({ type: 'boolean', ...(chance.oneIn(3) && { default: true }) }),
    () => ({ 'x-kubernetes-int-or-string': true }),
    () => ({ 'x-kubernetes-preserve-unknown-fields': true }),
  ];
  const nested: readonly (() => JsonObject)[] = [
    () => ({ type: 'array', items: below(), ...(chance.oneIn(3) && { maxItems: 2 }) }),
    () => ({ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' }),
    () => mapList(chance),
    () => ({ type: 'object', additionalProperties: below(), ...(chance.oneIn(3) && { nullable: true }) }),
    () => ({
      type: 'object',
      properties: { a: below(), b: below(), constructor: { type: 'string' } },
      ...(chance.oneIn(3) && { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
      ...(chance.oneIn(3) && { 'x-kubernetes-map-type': 'atomic' }),
      ...(chance.oneIn(4) && { default: {} }),
    }),
    () => ({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    }),
  ];
  return chance.one(depth > 0 ? [...flat, ...nested, ...nested] : flat)();
}

/** Generates a value that mostly fits its schema. */
function fitting(chance: Chance, schema: JsonObject): JsonObject {
  return sampleOf(chance, schema) as JsonObject;
}

function sampleOf(chance: Chance, schema: JsonObject): unknown {
  if (schema.nullable && chance.oneIn(4)) return null;
  if (schema['x-kubernetes-embedded-resource']) {
    return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels: { a: 'b' } }, spec: { any: [1] } };
  }
  switch (schema.type) {
    case 'string':
      return schema.enum
        ? chance.one(schema.enum as string[])
        : chance.one(['a', 'b', 'x', ...TEXTS.slice(0, 3)]);
    case 'integer':
      return chance.int(8);
    case 'number':
      return chance.int(8) / 2;
    case 'boolean':
      return chance.oneIn(2);
    case 'array':
      return chance.many(chance.int(3), (i) => {
        const item = sampleOf(chance, schema.items as JsonObject);
        return schema['x-kubernetes-list-type'] === 'map' ? { ...(item as object), name: `n${i}` } : item;
      });
    case 'object': {
      const { properties = {}, additionalProperties, required = [] } = schema as Partial<Fields>;
      const given = Object.entries(properties).filter(
        ([name]) => required.includes(name) || !chance.oneIn(3),
      );
      return Object.fromEntries([
        ...given.map(([name, below]) => [name, sampleOf(chance, below)]),
        ...(additionalProperties
          ? chance.many(chance.int(3), (i) => [`k${i}`, sampleOf(chance, additionalProperties)])
          : []),
      ]);
    }
    default:
      return chance.oneIn(2) ? chance.one<unknown>([1, 'a']) : hostile(chance);
  }
}

interface Fields {
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly additionalProperties: JsonObject;
  readonly required: readonly string[];
}
