import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deepEqual } from '../../api/freeze.ts';
import { labelSelectorAsSelector } from '../../api/label-selector.ts';
import type { KubeObject, New } from '../../api/objects.ts';
import { parseQuantity } from '../../api/quantity.ts';
import * as resources from '../../api/resource.ts';
import { type Cluster, createCluster } from '../../cluster/cluster.ts';
import * as objects from './objects.ts';
import * as workloads from './workloads.ts';

const placed = { metadata: { namespace: 'default', name: 'a' } };
const plainPod = { containers: [{ name: 'container-0', image: 'nginx' }] };
const plainWorkload = {
  replicas: 0,
  minReadySeconds: 0,
  selector: { matchLabels: { app: 'a' } },
  template: { metadata: { labels: { app: 'a' } }, spec: plainPod },
};
const plainStrategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
const plainCapacity = { cpu: '4', memory: '8Gi', pods: '110' };

const kinds = [
  kind(resources.configMaps, objects.configMaps(), { ...placed, data: {} }),
  kind(resources.pods, objects.pods(), { ...placed, spec: plainPod }),
  kind(resources.nodes, objects.nodes(), {
    metadata: {
      name: 'a',
      labels: { 'kubernetes.io/hostname': 'a', 'topology.kubernetes.io/zone': 'a' },
    },
    spec: {},
    status: { capacity: plainCapacity, allocatable: plainCapacity },
  }),
  kind(resources.services, objects.services(), {
    ...placed,
    spec: { ports: [{ name: 'port-80', port: 80 }] },
  }),
  kind(resources.leases, objects.leases(), {
    ...placed,
    spec: { holderIdentity: 'a', leaseDurationSeconds: 1 },
  }),
  kind(resources.priorityClasses, objects.priorityClasses(), { metadata: { name: 'a' }, value: 0 }),
  kind(resources.podDisruptionBudgets, objects.podDisruptionBudgets(), {
    ...placed,
    spec: { selector: { matchLabels: { app: 'a' } }, minAvailable: 0 },
  }),
  kind(resources.replicaSets, workloads.replicaSets(), { ...placed, spec: plainWorkload }),
  kind(resources.deployments, workloads.deployments(), {
    ...placed,
    spec: {
      ...plainWorkload,
      strategy: plainStrategy,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    },
  }),
];

describe.each(kinds.map((each) => [each.resource.plural, each] as const))('Generated %s', (_, generated) => {
  const { resource, arbitrary, plainest } = generated;

  test('Accepted: the apiserver accepts every generated object', async () => {
    const cluster = await createCluster();
    let created = 0;
    const { numRuns = 100 } = fc.readConfigureGlobal();
    await fc.assert(
      fc.asyncProperty(arbitrary, async (object) => {
        await create(cluster, resource, object);
        created++;
      }),
    );
    expect(created).toBeGreaterThanOrEqual(numRuns);
  });

  test('Faithful: the stored object contains the sent one', async () => {
    const cluster = await createCluster();
    await fc.assert(
      fc.asyncProperty(arbitrary, async (object) => {
        const { sent, stored } = await create(cluster, resource, object);
        expect(missing(sent, stored)).toEqual([]);
      }),
    );
  });

  test('are plain JSON', () => {
    for (const object of sample(arbitrary, 100)) {
      expect(JSON.parse(JSON.stringify(object))).toStrictEqual(object);
    }
  });

  test('Shrinks to the plainest object', () => {
    for (const seed of [1, 2, 3, 4]) expect(shrunk(arbitrary, seed)).toStrictEqual(plainest);
  });
});

describe('Names', () => {
  test('collide, and shrink to "a"', () => {
    const pairs = sample(fc.tuple(objects.names, objects.names));
    expect(share(pairs, ([one, other]) => one === other)).toBeGreaterThan(0.1);
    expect(shrunk(objects.names, 1)).toBe('a');
  });
});

describe('Label selectors', () => {
  const selectors = sample(objects.labelSelectors);

  test('match some labels and not others', () => {
    const pairs = sample(fc.tuple(objects.labelSelectors, objects.labelSets));
    const matching = share(pairs, ([selector, labels]) => labelSelectorAsSelector(selector).matches(labels));
    expect(matching).toBeGreaterThan(0.15);
    expect(matching).toBeLessThan(0.85);
  });

  test('are never empty', () => {
    expect(selectors.filter((selector) => labelSelectorAsSelector(selector).toString() === '')).toEqual([]);
  });

  test.each(['In', 'NotIn', 'Exists', 'DoesNotExist'])('Varied: some use the operator %s', (wanted) => {
    const using = selectors.filter(({ matchExpressions = [] }) =>
      matchExpressions.some(({ operator }) => operator === wanted),
    );
    expect(using).not.toEqual([]);
  });

  test('Varied: some combine labels and expressions', () => {
    expect(selectors.some((each) => each.matchLabels && each.matchExpressions)).toBe(true);
  });
});

describe('Varied', () => {
  const pods = sample(objects.pods()).map(({ spec }) => spec);
  const podFeatures: Record<string, (spec: (typeof pods)[number]) => unknown> = {
    'a toleration': (spec) => spec.tolerations,
    'a node selector': (spec) => spec.nodeSelector,
    'a demand on nodes': (spec) =>
      spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution,
    'a wish of nodes': (spec) => spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution,
    'pod affinity': (spec) => spec.affinity?.podAffinity,
    'pod anti-affinity': (spec) => spec.affinity?.podAntiAffinity,
    'a priority': (spec) => spec.priority,
    'a restart policy of its own': (spec) => spec.restartPolicy === 'Never',
    'no grace period': (spec) => spec.terminationGracePeriodSeconds === 0,
    'several containers': (spec) => spec.containers.length > 1,
    'an init container': (spec) => spec.initContainers,
    requests: (spec) => spec.containers.some(({ resources }) => resources?.requests),
    'limits without requests': (spec) =>
      spec.containers.some(({ resources }) => resources?.limits && !resources.requests),
    'no resources at all': (spec) => spec.containers.every(({ resources }) => !resources),
  };
  test.each(Object.keys(podFeatures))('some pods have %s, and some do not', (feature) => {
    const having = share(pods, (spec) => Boolean(podFeatures[feature]?.(spec)));
    expect(having).toBeGreaterThan(0);
    expect(having).toBeLessThan(1);
  });

  test('most pods have no affinity', () => {
    expect(share(pods, (spec) => spec.affinity === undefined)).toBeGreaterThan(0.5);
  });

  const nodes = sample(objects.nodes());
  const nodeFeatures: Record<string, (node: (typeof nodes)[number]) => unknown> = {
    'a taint': ({ spec }) => spec.taints,
    'two taints': ({ spec }) => spec.taints?.length === 2,
    'been cordoned': ({ spec }) => spec.unschedulable,
    'room for two pods': ({ status }) => status.allocatable.pods === '2',
    'less to offer than they have': ({ status }) => status.allocatable.cpu !== status.capacity.cpu,
    'labels of their own': ({ metadata }) => Object.keys(metadata.labels ?? {}).length > 2,
  };
  test.each(Object.keys(nodeFeatures))('some nodes have %s, and some do not', (feature) => {
    const having = share(nodes, (node) => Boolean(nodeFeatures[feature]?.(node)));
    expect(having).toBeGreaterThan(0);
    expect(having).toBeLessThan(1);
  });

  const deployments = sample(workloads.deployments()).map(({ spec }) => spec);
  const deploymentFeatures: Record<string, (spec: (typeof deployments)[number]) => unknown> = {
    'no replicas': (spec) => spec.replicas === 0,
    'ten replicas': (spec) => spec.replicas === 10,
    'the strategy Recreate': (spec) => spec.strategy.type === 'Recreate',
    'a surge in percent': (spec) => isPercent(spec.strategy.rollingUpdate?.maxSurge),
    'a surge in pods': (spec) => Number(spec.strategy.rollingUpdate?.maxSurge) > 0,
    'no surge': (spec) => spec.strategy.rollingUpdate?.maxSurge === 0,
    'unavailable pods in percent': (spec) => isPercent(spec.strategy.rollingUpdate?.maxUnavailable),
    'a wait before pods count': (spec) => (spec.minReadySeconds ?? 0) > 0,
    'no history': (spec) => spec.revisionHistoryLimit === 0,
  };
  test.each(Object.keys(deploymentFeatures))('some deployments have %s, and some do not', (feature) => {
    const having = share(deployments, (spec) => Boolean(deploymentFeatures[feature]?.(spec)));
    expect(having).toBeGreaterThan(0);
    expect(having).toBeLessThan(1);
  });

  test('deployments receive every kind of edit, at once or later', () => {
    const edits = sample(workloads.timed(workloads.deploymentEdits));
    const ways = [...new Set(edits.map(({ edit }) => edit))].sort();
    expect(ways).toEqual(['delete', 'image', 'pause', 'resume', 'scale', 'strategy', 'undo']);
    const policies = edits.flatMap((each) => (each.edit === 'delete' ? [each.propagationPolicy] : []));
    expect([...new Set(policies)].sort()).toEqual(['Background', 'Foreground', 'Orphan']);
    expect(edits.some(({ afterMs }) => afterMs === 0)).toBe(true);
    expect(edits.some(({ afterMs }) => afterMs >= 60_000)).toBe(true);
  });
});

describe('Deployment edits', () => {
  test('are plain JSON', () => {
    for (const edit of sample(workloads.timed(workloads.deploymentEdits))) {
      expect(JSON.parse(JSON.stringify(edit))).toStrictEqual(edit);
    }
  });

  test('Shrinks to the plainest edit', () => {
    for (const seed of [1, 2, 3, 4]) {
      expect(shrunk(workloads.deploymentEdits, seed)).toStrictEqual({ edit: 'scale', replicas: 0 });
    }
  });
});

describe('Options', () => {
  test('restrict namespaces and names', () => {
    const name = fc.constant('only');
    const namespace = 'kube-system';
    for (const make of [objects.configMaps, objects.services, objects.leases, objects.podDisruptionBudgets]) {
      expect(everywhere(make({ namespace, name }))).toEqual(['kube-system/only']);
    }
    for (const make of [workloads.replicaSets, workloads.deployments]) {
      expect(everywhere(make({ namespace, name }))).toEqual(['kube-system/only']);
    }
    expect(everywhere(objects.pods({ namespace, name }))).toEqual(['kube-system/only']);
    expect(everywhere(objects.nodes({ name }))).toEqual(['/only']);
    expect(everywhere(objects.priorityClasses({ name }))).toEqual(['/only']);
  });

  test('restrict the labels of pods, and their nodes', () => {
    const labels = fc.constant({ app: 'x' });
    const [pod] = sample(
      objects.pods({ labels, nodeName: fc.constant('n'), podSpec: objects.plainPodSpecs }),
    );
    expect(pod).toMatchObject({ metadata: { labels: { app: 'x' } }, spec: { nodeName: 'n' } });
    expect(Object.keys(pod?.spec ?? {}).sort()).toEqual(['containers', 'nodeName']);
  });

  test("restrict a workload's labels, and with them its selector", () => {
    const labels = fc.constant({ app: 'x' });
    const [deployment] = sample(workloads.deployments({ labels, replicas: fc.constant(3) }));
    expect(deployment?.spec).toMatchObject({
      replicas: 3,
      selector: { matchLabels: { app: 'x' } },
      template: { metadata: { labels: { app: 'x' } } },
    });
  });
});

interface Generated {
  readonly resource: resources.Resource;
  readonly arbitrary: fc.Arbitrary<New<KubeObject>>;
  readonly plainest: object;
}

function kind<T extends KubeObject>(
  resource: resources.Resource<T>,
  arbitrary: fc.Arbitrary<New<T>>,
  plainest: object,
): Generated {
  return { resource, arbitrary, plainest } as unknown as Generated;
}

/** Creates the object under a unique name. */
async function create(cluster: Cluster, resource: resources.Resource, object: New<KubeObject>) {
  const { name, ...metadata } = object.metadata;
  const sent = { ...object, metadata: { ...metadata, generateName: `${name}-` } };
  return { sent, stored: await cluster.admin.create(resource, sent) };
}

/** Returns the paths of sent fields that are not stored unchanged. */
function missing(sent: unknown, stored: unknown, path = ''): string[] {
  if (typeof sent === 'object' && sent !== null) {
    return Object.entries(sent).flatMap(([key, value]) =>
      missing(value, (stored as Record<string, unknown> | undefined)?.[key], `${path}.${key}`),
    );
  }
  // Go omits zero values, so they count as not sent.
  if (deepEqual(sent, stored) || (stored === undefined && [0, false, ''].includes(sent as never))) return [];
  const isQuantity = /\.(requests|limits|capacity|allocatable)\.[a-z]+$/.test(path);
  const isSame =
    isQuantity && typeof stored === 'string' && parseQuantity(String(sent)).cmp(parseQuantity(stored)) === 0;
  return isSame ? [] : [path];
}

function sample<T>(arbitrary: fc.Arbitrary<T>, numRuns = 300): T[] {
  return fc.sample(arbitrary, { numRuns, seed: 1 });
}

function share<T>(all: readonly T[], is: (one: T) => boolean): number {
  return all.filter(is).length / all.length;
}

/** Returns the last value that shrinking tries if every value is a counterexample. */
function shrunk<T>(arbitrary: fc.Arbitrary<T>, seed: number): T | undefined {
  let last: T | undefined;
  const refuse = fc.property(arbitrary, (value) => {
    last = value;
    return false;
  });
  expect(() => fc.assert(refuse, { seed })).toThrow();
  return last;
}

function isPercent(value: unknown): boolean {
  return typeof value === 'string' && value.endsWith('%');
}

function everywhere(arbitrary: fc.Arbitrary<{ metadata: { namespace?: string; name?: string } }>): string[] {
  return [
    ...new Set(sample(arbitrary, 20).map(({ metadata: { namespace = '', name } }) => `${namespace}/${name}`)),
  ];
}
