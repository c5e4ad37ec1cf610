import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resources, verbsOf } from '../../api/resource.ts';
import { apiTypes, type Field, type Struct } from '../../api/table/table.ts';
import { unmarshal } from '../schema/unmarshal.ts';
import { agoAt } from './ago.ts';
import { NOW } from './cells.fixture.ts';
import { defaultColumns } from './default-columns.ts';
import { columnsOf } from './index.ts';

/** All kinds that are resources, served or not. */
const kinds = Object.values(apiTypes.table.packages).flatMap(({ apiVersion = '', kinds: all = {} }) => {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return Object.entries(all).flatMap(([kind, scope]) => (scope ? [{ group, version, kind }] : []));
});

const idOf = ({ group, kind }: { readonly group: string; readonly kind: string }): string =>
  `${group}/${kind}`;

/**
 * Generates an object of a struct as a client may send it: any subset of its fields, each of which may be null or
 * empty.
 */
function objectOf(struct: Struct, depth = 0): fc.Arbitrary<object> {
  const fields = [...struct.properties].map(([name, field]) => [name, fieldOf(field, depth)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
}

function fieldOf({ type }: Pick<Field, 'type'>, depth: number): fc.Arbitrary<unknown> {
  const [, modifier = '', element = ''] = /^(\*|\[\](?!uint8)|map\[string\])?(.*)$/.exec(type) ?? [];
  if (modifier === '*') return fieldOf({ type: element }, depth);
  const inner = () => fieldOf({ type: element }, depth + 1);
  if (modifier === '[]')
    return fc.option(fc.array(depth > 6 ? fc.constant(null) : inner(), { maxLength: 2 }));
  if (modifier !== '') return fc.option(fc.dictionary(word, inner(), { maxKeys: 2 }));
  const struct = apiTypes.struct(type);
  if (struct) return depth > 6 ? fc.constant(null) : objectOf(struct, depth + 1);
  const underlying = apiTypes.named(type)?.underlying ?? type;
  if (underlying !== 'custom' && underlying !== type) return fieldOf({ type: underlying }, depth);
  return fc.option(SCALARS[type] ?? fc.constant(null));
}

const word = fc.constantFrom('', 'a', 'Ready', 'True', 'storage', 'Resource', 'External');

const SCALARS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: word,
  bool: fc.boolean(),
  int32: fc.nat(300),
  int64: fc.nat(300),
  float64: fc.nat(300),
  '[]uint8': fc.constantFrom('', 'YQ=='),
  'resource.Quantity': fc.constantFrom('1Gi', '100m'),
  'intstr.IntOrString': fc.constantFrom(3, '25%'),
  'meta/v1.Time': fc.constantFrom('2024-04-16T00:00:00Z', '0001-01-01T00:00:00Z'),
  'meta/v1.MicroTime': fc.constant('2024-04-16T00:00:00.000000Z'),
};

describe('columnsOf', () => {
  test('has columns for every served kind', () => {
    const without = resources.filter(
      (resource) =>
        verbsOf(resource).includes('list') && columnsOf(resource.group, resource.kind) === defaultColumns,
    );
    expect(resources.length).toBeGreaterThan(10);
    const none = ['/LimitRange', 'rbac.authorization.k8s.io/Role', 'rbac.authorization.k8s.io/ClusterRole'];
    const expected = [...none, 'apiextensions.k8s.io/CustomResourceDefinition'];
    expect(without.map(idOf).filter((kind) => !expected.includes(kind))).toEqual([]);
  });

  test('has name and creation time for an unknown kind', () => {
    const columns = columnsOf('example.com', 'Widget');
    expect(columns.map(({ name, type, format }) => [name, type, format])).toEqual([
      ['Name', 'string', 'name'],
      ['Created At', 'date', ''],
    ]);
    const cells = (object: unknown) => columns.map(({ cell }) => cell(object as never, agoAt(NOW)));
    const metadata = { name: 'a', creationTimestamp: '2024-04-16T00:00:00Z' };
    expect(cells({ metadata })).toEqual(['a', '2024-04-16T00:00:00Z']);
    expect(cells({ metadata: {} })).toEqual(['', '0001-01-01T00:00:00Z']);
  });

  test('has unique column names, each with a description', () => {
    for (const { group, kind } of kinds) {
      const columns = columnsOf(group, kind);
      expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length);
      expect(columns.filter(({ description }) => !/^[A-Z].+\.$/.test(description))).toEqual([]);
    }
  });

  test.each(kinds.map((kind) => [idOf(kind), kind] as const))(
    'prints every %s, whichever fields are missing',
    (_, kind) => {
      const struct = apiTypes.kind(kind);
      if (!struct) throw new Error(`Failed to find the type of ${idOf(kind)}.`);
      const columns = columnsOf(kind.group, kind.kind);
      const ago = agoAt(NOW);
      fc.assert(
        fc.property(objectOf(struct), (sent) => {
          const { object } = unmarshal(struct, sent);
          for (const { cell } of columns)
            expect(['string', 'number', 'boolean']).toContain(typeof cell(object as never, ago));
        }),
      );
    },
  );
});
