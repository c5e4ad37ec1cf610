import { type ApplyRow, other, row } from './row.ts';

const configMap = (name: string, data: string, metadata = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}${metadata} }\ndata: ${data}\n`;

const SHOPS = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: shops.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Shop, plural: shops, singular: shop }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, x-kubernetes-preserve-unknown-fields: true } } } }
`;

const shop = (name: string, spec: string): string =>
  `apiVersion: example.com/v1\nkind: Shop\nmetadata: { name: ${name} }\nspec: ${spec}\n`;

const BAD_KIND = 'apiVersion: example.com/v1\nkind: Bogus\nmetadata: { name: bogus }\n';

/** Manifests of custom resources, of several objects, and with flags. */
export const flowRows: readonly ApplyRow[] = [
  row(
    'custom-resource',
    shop(
      'one',
      '{ size: 3, ratio: 1.5, big: 1e21, tags: [a, b], owner: { name: ann, mail: a@example.com }, shelves: [{ name: x, n: 1 }, { name: y, n: 2 }], extra: {} }',
    ),
    {
      needs: SHOPS,
      change: [
        ['size: 3', 'size: 4'],
        ['{ name: y, n: 2 }', '{ name: y, n: 3 }'],
        ['ratio: 1.5', 'ratio: 2.0'],
      ],
      remove: [
        ['name: ann, mail: a@example.com', ''],
        ['tags: [a, b], ', ''],
        [', extra: {}', ''],
      ],
      others: [
        other('example.com/v1 Shop default/one', {
          spec: { size: 99, shelves: [], added: { by: 'another' }, owner: { phone: '1' } },
        }),
      ],
    },
  ),
  row(
    'custom-resource-nulls',
    shop('two', '{ a: null, b: { c: null, d: 1 }, e: [null, 1], f: [{ g: null }] }'),
    {
      needs: SHOPS,
      change: [
        ['d: 1', 'd: null'],
        ['a: null', 'a: 5'],
      ],
      remove: [['b: { c: null, d: null }, ', '']],
      others: [other('example.com/v1 Shop default/two', { spec: { a: 6, e: [2] } })],
    },
  ),
  row('definition', SHOPS, {
    change: [['singular: shop', 'singular: shop, shortNames: [sh]']],
    remove: [[', shortNames: [sh]', '']],
    others: [
      other('apiextensions.k8s.io/v1 CustomResourceDefinition shops.example.com', {
        metadata: { labels: { a: 'b' } },
        spec: { names: { categories: ['all'] } },
      }),
    ],
  }),
  row('definition-and-object', `${SHOPS}---\n${shop('three', '{ size: 1 }')}`, {
    change: [['{ size: 1 }', '{ size: 2 }']],
    remove: [['{ size: 2 }', '{}']],
    others: [other('example.com/v1 Shop default/three', { spec: { size: 7 } })],
  }),
  row(
    'list',
    `apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: ConfigMap, metadata: { name: a }, data: { a: "1" } }
  - { apiVersion: v1, kind: ConfigMap, metadata: { name: b }, data: { b: "1" } }
  - { apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { c: "1" } }
---
apiVersion: v1
kind: ConfigMapList
items:
  - { apiVersion: v1, kind: ConfigMap, metadata: { name: d }, data: { d: "1" } }
`,
    {
      change: [['data: { b: "1" }', 'data: { b: "2" }']],
      remove: [['data: { c: "1" }', 'data: {}']],
      others: [other('v1 ConfigMap default/d', { data: { d: 'drift' } })],
    },
  ),
  row(
    'broken-documents',
    `${configMap('a', '{ a: "1" }')}---\n${BAD_KIND}---\n# only a comment\n---\n${configMap('b', '{ b: "1" }')}`,
    {
      change: [['{ b: "1" }', '{ b: "2" }']],
      remove: [['data: { a: "1" }\n', '']],
      others: [other('v1 ConfigMap default/b', { data: { c: 'added' } })],
    },
  ),
  row(
    'refused-objects',
    `${configMap('a', '{ a: "1" }')}unknown: field\n---\n${configMap('b', '{ b: "1" }')}---\n${configMap('c_d', '{}')}---\n${configMap('e', '{}', ', namespace: nowhere')}`,
    {
      change: [['{ b: "1" }', '{ b: 2 }']],
      remove: [['unknown: field\n', '']],
      others: [other('v1 ConfigMap default/b', { data: { c: 'added' } })],
    },
  ),
  row(
    'namespaces',
    `apiVersion: v1\nkind: Namespace\nmetadata: { name: shop, labels: { team: a } }\n---\n${configMap('a', '{ a: "1" }', ', namespace: shop')}---\n${configMap('b', '{ b: "1" }')}`,
    {
      change: [['team: a', 'team: b']],
      remove: [[', labels: { team: b }', '']],
      others: [
        other('v1 ConfigMap shop/a', { data: { a: 'drift' } }),
        other('v1 Namespace shop', { metadata: { labels: { team: 'z', other: 'x' } } }),
      ],
    },
  ),
  {
    name: 'nested-list',
    steps: [
      {
        title: 'first',
        manifest: `apiVersion: v1\nkind: List\nitems:\n  - { apiVersion: v1, kind: List, items: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: b } }] }\n`,
      },
    ],
  },
  {
    name: 'unnamed-version',
    steps: [
      {
        title: 'first',
        manifest: `${configMap('a', '{ a: "1" }')}---\nkind: ConfigMap\nmetadata: { name: no-version }\n---\n${configMap('b', '{}')}`,
      },
      {
        title: 'without a kind',
        manifest: `apiVersion: v1\nmetadata: { name: no-kind }\n---\n${configMap('b', '{}')}`,
      },
      {
        title: 'without a name',
        manifest: `apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n---\n${configMap('b', '{}')}`,
      },
      { title: 'not YAML', manifest: `${configMap('c', '{}')}---\na: [\n---\n${configMap('d', '{}')}` },
    ],
  },
  {
    name: 'namespace-flag',
    steps: [
      {
        title: 'first',
        manifest: `apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n---\n${configMap('b', '{ b: "1" }')}`,
        flags: { namespace: 'kube-public' },
      },
      { title: 'no change', manifest: configMap('b', '{ b: "1" }'), flags: { namespace: 'kube-public' } },
      {
        title: 'another namespace',
        manifest: `${configMap('a', '{ a: "1" }', ', namespace: shop')}---\n${configMap('b', '{ b: "2" }')}`,
        flags: { namespace: 'kube-public' },
      },
    ],
  },
  {
    name: 'not-by-apply',
    steps: [
      {
        title: 'by another',
        object: 'v1 ConfigMap default/a',
        does: { create: { metadata: { name: 'a', namespace: 'default' }, data: { a: 'x', z: 'foreign' } } },
      },
      { title: 'first', manifest: configMap('a', '{ a: "1", b: "1" }') },
      { title: 'no change', manifest: configMap('a', '{ a: "1", b: "1" }') },
      { title: 'a field removed', manifest: configMap('a', '{ a: "1" }') },
      { title: 'generated', manifest: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { generateName: a- }\n' },
    ],
  },
  {
    name: 'forced',
    steps: [
      { title: 'first', manifest: service('10.96.77.11') },
      { title: 'refused', manifest: service('10.96.77.12') },
      { title: 'forced', manifest: service('10.96.77.12'), flags: { force: true, timeoutMs: 30_000 } },
      { title: 'no change', manifest: service('10.96.77.12'), flags: { force: true } },
    ],
  },
  {
    name: 'dry-run',
    steps: [
      { title: 'on the server', manifest: configMap('a', '{ a: "1" }'), flags: { dryRun: 'server' } },
      { title: 'on the client', manifest: configMap('a', '{ a: "1" }'), flags: { dryRun: 'client' } },
      { title: 'first', manifest: configMap('a', '{ a: "1" }') },
      {
        title: 'a change on the server',
        manifest: configMap('a', '{ a: "2" }'),
        flags: { dryRun: 'server' },
      },
      {
        title: 'a change on the client',
        manifest: configMap('a', '{ a: "2" }'),
        flags: { dryRun: 'client' },
      },
      {
        title: 'no change on the client',
        manifest: configMap('a', '{ a: "1" }'),
        flags: { dryRun: 'client' },
      },
    ],
  },
  {
    name: 'server-side',
    steps: [
      { title: 'first', manifest: configMap('a', '{ a: "1", b: "1" }'), flags: { serverSide: true } },
      { title: 'no change', manifest: configMap('a', '{ a: "1", b: "1" }'), flags: { serverSide: true } },
      {
        title: 'by another',
        object: 'v1 ConfigMap default/a',
        does: { patch: { type: 'merge', body: { data: { a: 'drift' } } } },
      },
      { title: 'a conflict', manifest: configMap('a', '{ a: "2" }'), flags: { serverSide: true } },
      {
        title: 'taken over',
        manifest: configMap('a', '{ a: "2" }'),
        flags: { serverSide: true, forceConflicts: true },
      },
      {
        title: 'a dry run',
        manifest: configMap('a', '{ a: "3" }'),
        flags: { serverSide: true, dryRun: 'server', forceConflicts: true },
      },
    ],
  },
  {
    name: 'from-client-to-server',
    steps: [
      { title: 'first', manifest: configMap('a', '{ a: "1", b: "1" }') },
      { title: 'on the server', manifest: configMap('a', '{ a: "2" }'), flags: { serverSide: true } },
      { title: 'again', manifest: configMap('a', '{ a: "2" }'), flags: { serverSide: true } },
      { title: 'back', manifest: configMap('a', '{ a: "3", c: "3" }') },
      { title: 'and forth', manifest: configMap('a', '{ c: "4" }'), flags: { serverSide: true } },
    ],
  },
  {
    name: 'pruned',
    steps: [
      {
        title: 'first',
        manifest: `${configMap('a', '{}', ', labels: { app: web }')}---\n${configMap('b', '{}', ', labels: { app: web }')}---\n${configMap('c', '{}')}`,
      },
      {
        title: 'by another',
        object: 'v1 ConfigMap default/d',
        does: { create: { metadata: { name: 'd', namespace: 'default', labels: { app: 'web' } } } },
      },
      {
        title: 'one left out',
        manifest: configMap('a', '{}', ', labels: { app: web }'),
        flags: { prune: { selector: { app: 'web' } } },
      },
      {
        title: 'another selector',
        manifest: configMap('e', '{}', ', labels: { app: other }'),
        flags: { prune: { selector: { app: 'other' } } },
      },
    ],
  },
];

function service(clusterIP: string): string {
  return `apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { clusterIP: ${clusterIP}, ports: [{ port: 80 }] }\n`;
}
