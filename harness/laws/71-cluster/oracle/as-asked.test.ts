import { expect, test } from 'vitest';
import type { KubeObject } from '../../../api/objects.ts';
import type { Resource } from '../../../api/resource.ts';
import { deployments, endpointSlices, nodes, pods, replicaSets, services } from '../../../api/resource.ts';
import { type Snapshot, unmetIn } from './as-asked.ts';

const LABELS = { app: 'web' };
const IMAGE = 'nginx:1.27';
const template = { metadata: { labels: LABELS }, spec: { containers: [{ name: 'main', image: IMAGE }] } };

function object(
  kind: string,
  name: string,
  more: object,
  owner?: { kind: string; name: string },
): KubeObject {
  const { metadata, ...rest } = more as { metadata?: object };
  const ownerReferences = owner ? [{ ...owner, uid: owner.name, controller: true }] : [];
  return {
    apiVersion: 'v1',
    kind,
    metadata: { name, uid: name, ownerReferences, ...metadata },
    ...rest,
  } as KubeObject;
}

const ready = [{ type: 'Ready', status: 'True' }];
const node = object('Node', 'node-1', { spec: {}, status: { conditions: ready } });
const deployment = object('Deployment', 'web', { spec: { replicas: 1, template } });
const set = object('ReplicaSet', 'web-1', { spec: {} }, { kind: 'Deployment', name: 'web' });
const podWith = (more: object): KubeObject =>
  object('Pod', 'web-1-a', { metadata: { labels: LABELS }, ...more }, { kind: 'ReplicaSet', name: 'web-1' });
const spec = { nodeName: 'node-1', ...template.spec };
const pod = podWith({ spec, status: { podIP: '10.0.0.1', conditions: ready } });
const service = object('Service', 'web', { spec: { selector: LABELS } });
const sliceOf = (...addresses: readonly string[]): KubeObject =>
  object('EndpointSlice', 'web-1', {
    metadata: { labels: { 'kubernetes.io/service-name': 'web' } },
    endpoints: addresses.map((each) => ({ addresses: [each], conditions: { ready: true } })),
  });

const right = new Map<Resource, readonly KubeObject[]>([
  [nodes as Resource, [node]],
  [deployments as Resource, [deployment]],
  [replicaSets as Resource, [set]],
  [pods as Resource, [pod]],
  [services as Resource, [service]],
  [endpointSlices as Resource, [sliceOf('10.0.0.1')]],
]);
const container = { id: 'c', sinceMs: 0, pod: { namespace: 'default', name: 'web-1-a', uid: 'web-1-a' } };

/** Returns the differences in a cluster that is right, except for these objects. */
function unmet(
  changed: readonly (readonly [Resource<never>, readonly KubeObject[]])[],
  running: Snapshot['running'] = new Map([['node-1', [container]]]),
): readonly string[] {
  const all = new Map([...right, ...(changed as readonly (readonly [Resource, readonly KubeObject[]])[])]);
  return unmetIn({ running, list: (resource) => (all.get(resource as Resource) ?? []) as never });
}

test('A cluster is as asked if its pods run, and its Services list them', () =>
  expect(unmet([])).toEqual([]));

test.each<[string, Parameters<typeof unmet>, string]>([
  [
    'a node that is not ready',
    [[[nodes as never, [object('Node', 'node-1', { spec: {}, status: {} })]]]],
    'node-1 is not ready',
  ],
  [
    'a taint that stays',
    [
      [
        [
          nodes as never,
          [
            object('Node', 'node-1', {
              spec: { taints: [{ key: 'a', effect: 'NoExecute' }] },
              status: { conditions: ready },
            }),
          ],
        ],
      ],
    ],
    'node-1 has the taint a:NoExecute',
  ],
  [
    'a pod of an old template',
    [
      [
        [
          pods as never,
          [
            podWith({
              spec: { ...spec, containers: [{ name: 'main', image: 'old' }] },
              status: { podIP: '10.0.0.1', conditions: ready },
            }),
          ],
        ],
      ],
    ],
    'Deployment web has 1 pods, 1 of them ready, and 0 of 1 with nginx:1.27',
  ],
  [
    'an address that no pod has',
    [[[endpointSlices as never, [sliceOf('10.0.0.1', '10.0.0.9')]]]],
    'Service web lists 10.0.0.1, 10.0.0.9, and its ready pods are 10.0.0.1',
  ],
  [
    'a pod whose owner does not exist',
    [[[deployments as never, []]]],
    'the ReplicaSet web-1 has outlived its owner',
  ],
  [
    'a ready pod whose container does not run',
    [[], new Map([['node-1', []]])],
    'the pod web-1-a is ready, and 0 of its 1 containers run',
  ],
  [
    'a container whose pod does not exist',
    [
      [],
      new Map([
        [
          'node-1',
          [container, { ...container, id: 'd', pod: { ...container.pod, name: 'old', uid: 'old' } }],
        ],
      ]),
    ],
    'a container of the pod old runs on node-1, and the pod does not exist',
  ],
])('reports %s', (_, [changed, running], sentence) => expect(unmet(changed, running)).toContain(sentence));
