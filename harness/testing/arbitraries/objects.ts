/**
 * Objects as a client sends them, as fast-check makes them: valid, small, and alike enough that selectors match and
 * names collide by chance. Each shrinks to the plainest of its kind.
 */
import fc from 'fast-check';
import type * as core from 'kubernetes-types/core/v1.d.ts';
import type { LabelSelector } from 'kubernetes-types/meta/v1.d.ts';
import type { ConfigMap, Lease, New, Node, Pod, PriorityClass, Service } from '../../api/objects.ts';

export interface Placed {
  /** @defaultValue `default` */
  readonly namespace?: string;
}

/** A few short names, so that they collide. */
export const names: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'web-1', 'db-2');

const keys = ['app', 'tier', 'zone'] as const;
const values = fc.constantFrom('a', 'b', 'c');

/** Labels over three keys and three values. */
export const labelSets: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.constantFrom(...keys),
  values,
  {
    maxKeys: 3,
    noNullPrototype: true,
  },
);

/** Selectors over the same keys and values as {@link labelSets}; never empty. */
export const labelSelectors: fc.Arbitrary<LabelSelector> = fc.oneof(
  fc.tuple(fc.constantFrom(...keys), values).map(([key, value]) => ({ matchLabels: { [key]: value } })),
  fc
    .record({
      key: fc.constantFrom(...keys),
      operator: fc.constantFrom('In', 'NotIn'),
      values: fc.uniqueArray(values, { minLength: 1, maxLength: 2 }),
    })
    .map((requirement) => ({ matchExpressions: [requirement] })),
  fc
    .record({ key: fc.constantFrom(...keys), operator: fc.constantFrom('Exists', 'DoesNotExist') })
    .map((requirement) => ({ matchExpressions: [requirement] })),
);

/** cpu and memory, either or both or none. */
export const resourceLists: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    cpu: fc.constantFrom('100m', '500m', '2'),
    memory: fc.constantFrom('64Mi', '256Mi', '1Gi'),
  },
  { requiredKeys: [], noNullPrototype: true },
);

export function configMaps({ namespace = 'default' }: Placed = {}): fc.Arbitrary<New<ConfigMap>> {
  return fc
    .record({
      name: names,
      labels: labelSets,
      data: fc.dictionary(names, values, { maxKeys: 2, noNullPrototype: true }),
    })
    .map(({ name, labels, data }) => ({ metadata: { namespace, name, labels }, data }));
}

export interface PodOptions extends Placed {
  /** @defaultValue {@link labelSets} */
  readonly labels?: fc.Arbitrary<Record<string, string>>;
}

export function pods({ namespace = 'default', labels = labelSets }: PodOptions = {}): fc.Arbitrary<New<Pod>> {
  return fc
    .record({ name: names, labels, spec: podSpecs })
    .map(({ name, labels, spec }) => ({ metadata: { namespace, name, labels }, spec }));
}

const containers: fc.Arbitrary<core.Container[]> = fc
  .array(fc.record({ image: fc.constantFrom('nginx', 'nginx:1.27', 'redis:7'), requests: resourceLists }), {
    minLength: 1,
    maxLength: 2,
  })
  .map((some) =>
    some.map(({ image, requests }, i) => ({ name: `container-${i}`, image, resources: { requests } })),
  );

const tolerations: fc.Arbitrary<core.Toleration[]> = fc.array(
  fc.oneof(
    fc.constant({ key: 'dedicated', operator: 'Exists' }),
    values.map((value) => ({ key: 'dedicated', operator: 'Equal', value, effect: 'NoSchedule' })),
  ),
  { maxLength: 2 },
);

const affinities: fc.Arbitrary<core.Affinity> = fc.oneof(
  values.map((zone) => ({
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'In', values: [zone] }] }],
      },
    },
  })),
  labelSelectors.map((labelSelector) => ({
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey: HOSTNAME }],
    },
  })),
);

const HOSTNAME = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

/** What runs, and where it may: the spec of a pod, or of a template. */
export const podSpecs: fc.Arbitrary<core.PodSpec> = fc.record(
  {
    containers,
    tolerations,
    nodeSelector: values.map((zone) => ({ [ZONE]: zone })),
    affinity: affinities,
    terminationGracePeriodSeconds: fc.constantFrom(0, 5, 60),
    priority: fc.constantFrom(0, 1_000),
  },
  { requiredKeys: ['containers'], noNullPrototype: true },
);

/** Nodes with their capacity in the status, where a kubelet would have put it. */
export const nodes: fc.Arbitrary<New<Node> & { status: core.NodeStatus }> = fc
  .record({
    name: names,
    zone: values,
    cpu: fc.constantFrom('1', '4', '16'),
    memory: fc.constantFrom('1Gi', '8Gi'),
    taints: fc.uniqueArray(
      values.map((value) => ({ key: 'dedicated', value, effect: 'NoSchedule' })),
      { maxLength: 1 },
    ),
    unschedulable: fc.boolean(),
  })
  .map(({ name, zone, cpu, memory, taints, unschedulable }) => {
    const offered = { cpu, memory, pods: '110' };
    return {
      metadata: { name, labels: { [HOSTNAME]: name, [ZONE]: zone } },
      spec: { ...(taints.length > 0 ? { taints } : {}), ...(unschedulable ? { unschedulable } : {}) },
      status: { capacity: offered, allocatable: offered },
    };
  });

export function services({ namespace = 'default' }: Placed = {}): fc.Arbitrary<New<Service>> {
  const ports = fc.uniqueArray(fc.constantFrom(80, 443, 5432), { minLength: 1, maxLength: 2 });
  return fc
    .record({ name: fc.constantFrom('a', 'b', 'c'), selector: labelSets, ports })
    .map(({ name, selector, ports }) => ({
      metadata: { namespace, name },
      spec: { selector, ports: ports.map((port) => ({ name: `port-${port}`, port })) },
    }));
}

export function leases({ namespace = 'default' }: Placed = {}): fc.Arbitrary<New<Lease>> {
  return fc
    .record({ name: names, holderIdentity: names, leaseDurationSeconds: fc.integer({ min: 1, max: 60 }) })
    .map(({ name, ...spec }) => ({ metadata: { namespace, name }, spec }));
}

export const priorityClasses: fc.Arbitrary<New<PriorityClass>> = fc
  .record({
    name: names,
    value: fc.integer({ min: 0, max: 1_000_000 }),
    preemptionPolicy: fc.constantFrom('PreemptLowerPriority', 'Never'),
  })
  .map(({ name, ...rest }) => ({ metadata: { name }, ...rest }));
