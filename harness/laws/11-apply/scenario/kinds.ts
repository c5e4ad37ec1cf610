import { customResourceDefinitions } from '../../../api/plain-resources.ts';
import {
  configMaps,
  deployments,
  namespaces,
  type Resource,
  serviceAccounts,
  services,
} from '../../../api/resource.ts';
import { deploymentFields } from './deployments.ts';
import { at, type Field, inItem, METADATA, type Values } from './fields.ts';

/** The kinds of a scenario. */
export type KindName =
  | 'deployment'
  | 'service'
  | 'configmap'
  | 'serviceaccount'
  | 'namespace'
  | 'definition'
  | 'widget';

/** The chosen value of each field of a manifest: 0 or absent means no value, n its n-th value. */
export type FieldChoices = Readonly<Record<string, number>>;

/** A kind: its smallest object, and the fields that scenarios write. */
export interface KindPlan {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Undefined for the custom resource, which discovery finds. */
  readonly resource?: Resource;
  /** The content of every object besides metadata. */
  readonly base: object;
  readonly fields: Readonly<Record<string, Field>>;
}

const TEXTS: Values = [
  'v',
  'w',
  '<a href="x">&amp;</a>',
  'line\u2028line\u2029',
  'two\nlines\tand \u0007 \\',
  '',
  'V',
  'v\n',
  ' v',
];

/** Fields of a ConfigMap's data. JavaScript lists the numeric keys first and by value; Go sorts them as text. */
const data = Object.fromEntries(
  ['9', '10', 'a', 'B', 'tls.crt', '_x'].map((key) => [`data ${key}`, at(['data', key], TEXTS)]),
);

const configMapFields: Readonly<Record<string, Field>> = {
  ...METADATA,
  ...data,
  'data null': at(['data', 'gone'], [null, 'kept']),
  immutable: at(['immutable'], [true]),
  'foreign data': at(['data', 'added'], ['by a controller', 'by another'], 'others'),
};

const port = (number: number, values: Values): Field => inItem(['spec', 'ports'], { port: number }, values);

const serviceFields: Readonly<Record<string, Field>> = {
  ...METADATA,
  selector: at(['spec', 'selector', 'app'], ['web', 'api']),
  tier: at(['spec', 'selector', 'tier'], ['front']),
  affinity: at(['spec', 'sessionAffinity'], ['ClientIP', 'None']),
  'port 80': port(80, [
    { name: 'http', targetPort: 8080 },
    { name: 'http', targetPort: 'web' },
    { name: 'web' },
  ]),
  'port 443': port(443, [{ name: 'https' }, { name: 'https', targetPort: 8443 }]),
  'port 9': port(9, [{ name: 'discard', protocol: 'UDP' }, { name: 'nine' }]),
  'foreign port': inItem(['spec', 'ports'], { port: 9100 }, [{ name: 'metrics' }], 'others'),
  'foreign selector': at(['spec', 'selector', 'added'], ['yes'], 'others'),
  'foreign policy': at(['spec', 'internalTrafficPolicy'], ['Local', 'Cluster'], 'others'),
};

/** The merge key of a port is its number alone: for kubectl these two are one. */
const twinFields: Readonly<Record<string, Field>> = {
  'udp 53': inItem(['spec', 'ports'], { port: 53, protocol: 'UDP' }, [{ name: 'dns' }], 'twins'),
  'tcp 53': inItem(['spec', 'ports'], { port: 53, protocol: 'TCP' }, [{ name: 'dns-tcp' }], 'twins'),
};

const accountFields: Readonly<Record<string, Field>> = {
  ...METADATA,
  automount: at(['automountServiceAccountToken'], [true, false]),
  'secret one': inItem(['secrets'], { name: 'one' }, [{}]),
  'secret two': inItem(['secrets'], { name: 'two' }, [{}]),
  'pull one': inItem(['imagePullSecrets'], { name: 'one' }, [{}]),
  'pull two': inItem(['imagePullSecrets'], { name: 'two' }, [{}]),
  'foreign secret': inItem(['secrets'], { name: 'token-x' }, [{}], 'others'),
};

/** The spec of a Widget has no schema: a client that merges its lists by key has guessed. */
const widgetFields: Readonly<Record<string, Field>> = {
  ...METADATA,
  size: at(['spec', 'size'], [1, 2, 1.5, 1e21, 0.000001, 1e-7, -3]),
  count: at(['spec', 'count'], [2, 2.5, 3]),
  enabled: at(['spec', 'enabled'], [false, true]),
  text: at(['spec', 'text'], ['x', '', '<&>', 'a\u2028b', 'X', 'x\n']),
  reference: at(['spec', '$ref'], ['#/a', '#/b']),
  phase: at(['status', 'phase'], ['Ready', 'Busy']),
  'nested a': at(['spec', 'nested', 'a'], [1, { b: 1 }, {}, [1]]),
  steps: at(
    ['spec', 'steps'],
    [
      [{ a: 1, b: null }, null, 2],
      [{ a: 1 }, [{ b: null }]],
    ],
    'creates',
  ),
  'nested null': at(['spec', 'nested', 'gone'], [null, 1]),
  'deep c': at(['spec', 'nested', 'deep', 'c'], ['1', {}]),
  'deep d': at(['spec', 'nested', 'deep', 'd'], ['1']),
  map: at(['spec', 'map'], [{}, { x: 1 }, { x: 1, y: {} }, { '\u{1f600}': 1, '\uff76': 2 }]),
  numbers: at(['spec', 'numbers'], [[1, 2], [2, 1], [], [1, [2, { z: 1, a: 2 }]]]),
  containers: at(
    ['spec', 'containers'],
    [[{ name: 'a', image: 'x' }], [{ name: 'a', image: 'x' }, { name: 'b' }], [{ image: 'y', name: 'a' }]],
  ),
  '9': at(['spec', 'keys', '9'], ['nine']),
  '10': at(['spec', 'keys', '10'], ['ten']),
  // UTF-8 sorts the first before the second, UTF-16 after it.
  halfwidth: at(['spec', 'keys', '\uff76'], ['half']),
  emoji: at(['spec', 'keys', '\u{1f600}'], ['smile']),
  'foreign field': at(['spec', 'nested', 'added'], ['yes'], 'others'),
  'foreign status': at(['spec', 'phase'], ['Ready', 'Busy'], 'others'),
};

/** The kinds by their names. */
export const kinds: Readonly<Record<KindName, KindPlan>> = {
  deployment: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    namespaced: true,
    resource: deployments as Resource,
    base: {
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            containers: [{ name: 'main', image: 'nginx:1.26' }],
            volumes: [{ name: 'base', emptyDir: {} }],
          },
        },
      },
    },
    fields: { ...METADATA, ...deploymentFields },
  },
  service: {
    apiVersion: 'v1',
    kind: 'Service',
    namespaced: true,
    resource: services as Resource,
    base: { spec: { ports: [{ port: 8000, name: 'base' }] } },
    fields: { ...serviceFields, ...twinFields },
  },
  configmap: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespaced: true,
    resource: configMaps as Resource,
    base: {},
    fields: configMapFields,
  },
  serviceaccount: {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    namespaced: true,
    resource: serviceAccounts as Resource,
    base: {},
    fields: accountFields,
  },
  namespace: {
    apiVersion: 'v1',
    kind: 'Namespace',
    namespaced: false,
    resource: namespaces as Resource,
    base: {},
    fields: METADATA,
  },
  definition: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    namespaced: false,
    resource: customResourceDefinitions as unknown as Resource,
    base: definitionOf('gadgets', 'Gadget'),
    fields: METADATA,
  },
  widget: {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    namespaced: true,
    base: { spec: {} },
    fields: widgetFields,
  },
};

/** Returns the content of a definition whose objects may have any spec and status. Its status is no subresource. */
export function definitionOf(plural: string, kind: string): object {
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } } };
  return {
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}
