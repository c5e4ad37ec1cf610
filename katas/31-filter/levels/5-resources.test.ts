import { describe, expect, test } from 'vitest';
import { framework, type Pod } from '#harness';
import { named, vectors } from '#harness/testing';
import { insufficientResources, nodeResourcesFit, podRequests } from '#kata/31-filter/filter';
import { aSchedulingNode, aSchedulingPod } from '#laws/scheduling';
import { type NodeRow, nodeOf, type PodRow, type PodSpec, podOf } from './rows.fixture.ts';
import { askOne, expectOne, inLine, say } from './verdicts.fixture.ts';

describe('Level 5 · Resources', () => {
  const GI = 1024 ** 3;
  type ResourceList = framework.ResourceList;
  type Container = PodSpec['containers'][number];
  const asks = (requests: ResourceList, more: Partial<Container> = {}): Container => ({
    name: 'c',
    resources: { requests: requests as Record<string, string> },
    ...more,
  });
  const podWith = (spec: Partial<PodSpec>): Pod => aSchedulingPod({ spec });
  const sidecar: Partial<Container> = { restartPolicy: 'Always' };

  test('adds the requests of containers', () => {
    const containers = [asks({ cpu: '250m', memory: '1Gi' }), asks({ cpu: '1', 'example.com/gpu': '2' })];
    expect(podRequests(podWith({ containers }))).toMatchObject({ milliCPU: 1_250, memory: GI });
    expect(podRequests(podWith({ containers })).scalar.get('example.com/gpu')).toBe(2);
  });

  test('returns no requests for a pod without them, and ignores limits', () => {
    const containers = [asks({}), { name: 'd', resources: { limits: { cpu: '1', memory: '1Gi' } } }];
    expect(podRequests(podWith({ containers }))).toMatchObject({ milliCPU: 0, memory: 0 });
  });

  test('rounds up to millicores and whole bytes', () => {
    const containers = [asks({ cpu: '0.0001', memory: '1500m' })];
    expect(
      podRequests(podWith({ containers })),
      'cpu is rounded up to millicores, memory to bytes',
    ).toMatchObject({ milliCPU: 1, memory: 2 });
  });

  test('takes the largest init container if it requests more, for each resource separately', () => {
    const pod = podWith({
      initContainers: [asks({ cpu: '3', memory: '1Gi' }), asks({ cpu: '1', memory: '2Gi' })],
      containers: [asks({ cpu: '1', memory: '1Gi' }), asks({ cpu: '1', memory: '4Gi' })],
    });
    expect(
      podRequests(pod),
      'for each resource, the larger of the sum of the containers and of the largest init container',
    ).toMatchObject({ milliCPU: 3_000, memory: 5 * GI });
  });

  test('prefers the requests of the pod itself', () => {
    const containers = [asks({ cpu: '1', memory: '1Gi', 'example.com/gpu': '1' })];
    const pod = podWith({
      containers,
      resources: { requests: { cpu: '3', 'hugepages-2Mi': '4Mi' } },
      overhead: { cpu: '500m' },
    });
    expect(
      podRequests(pod),
      'requests of the pod (spec.resources) replace the sum of its containers, resource by resource; overhead is added',
    ).toMatchObject({ milliCPU: 3_500, memory: GI });
    expect(
      podRequests(pod).scalar,
      'a resource that spec.resources does not name is still the sum of the containers',
    ).toEqual(
      new Map([
        ['example.com/gpu', 1],
        ['hugepages-2Mi', 4 * 1024 ** 2],
      ]),
    );
  });

  test('adds a sidecar to the containers', () => {
    const pod = podWith({ initContainers: [asks({ cpu: '1' }, sidecar)], containers: [asks({ cpu: '2' })] });
    expect(podRequests(pod).milliCPU, 'a sidecar runs beside the containers: add it to their sum').toBe(
      3_000,
    );
  });

  test('adds a sidecar to later init containers, not to earlier ones', () => {
    const containers = [asks({ cpu: '1' })];
    const after = podWith({ initContainers: [asks({ cpu: '1' }, sidecar), asks({ cpu: '5' })], containers });
    const before = podWith({ initContainers: [asks({ cpu: '5' }), asks({ cpu: '1' }, sidecar)], containers });
    expect(
      podRequests(after).milliCPU,
      'an init container runs beside the sidecars that were started before it',
    ).toBe(6_000);
    expect(podRequests(before).milliCPU, 'an init container that comes before a sidecar runs alone').toBe(
      5_000,
    );
  });

  test('adds the overhead of the pod to the larger sum', () => {
    const overhead = { cpu: '250m', memory: '100' } as Record<string, string>;
    const containers = [asks({ cpu: '1' })];
    expect(podRequests(podWith({ containers, overhead }))).toMatchObject({ milliCPU: 1_250, memory: 100 });
    const initContainers = [asks({ cpu: '2' })];
    expect(podRequests(podWith({ containers, initContainers, overhead })).milliCPU).toBe(2_250);
  });

  const short = (
    resourceName: string,
    requested: number,
    used: number,
    capacity: number,
    unresolvable = false,
  ): framework.InsufficientResource => ({
    resourceName,
    reason: resourceName === 'pods' ? 'Too many pods' : `Insufficient ${resourceName}`,
    requested,
    used,
    capacity,
    unresolvable,
  });
  const small = aSchedulingNode('small', {
    allocatable: { cpu: '2', memory: '1Gi', 'ephemeral-storage': '1Gi', pods: '3', 'example.com/gpu': '1' },
  });
  const there = (requests: ResourceList, name = 'there'): Pod =>
    aSchedulingPod({ name, requests, nodeName: 'small' });
  const missing = (
    requests: ResourceList,
    ...pods: readonly Pod[]
  ): readonly framework.InsufficientResource[] =>
    insufficientResources(podRequests(aSchedulingPod({ requests })), framework.NodeInfo.of(small, pods));
  const expectMissing = (requests: ResourceList, ...pods: readonly Pod[]) => {
    const taken = pods.map(({ spec }) => spec.containers[0]?.resources?.requests);
    const message = `the pod requests ${inLine(requests)}, the pods of the node ${inLine(taken)}, and the node has ${inLine(small.status.allocatable)}`;
    return expect(missing(requests, ...pods), message);
  };

  test('returns nothing when the requests fit exactly', () => {
    expectMissing({}).toMatchObject([]);
    expect(
      missing({ cpu: '2', memory: '1Gi', 'ephemeral-storage': '1Gi', 'example.com/gpu': '1' }),
    ).toMatchObject([]);
    expectMissing({ cpu: '1500m' }, there({ cpu: '500m' })).toMatchObject([]);
  });

  test('compares with the free amount, not with the allocatable amount', () => {
    expectMissing({ cpu: '1500m' }, there({ cpu: '501m' })).toMatchObject([short('cpu', 1_500, 501, 2_000)]);
    expectMissing({ memory: '1' }, there({ memory: '1Gi' })).toMatchObject([short('memory', 1, GI, GI)]);
    expectMissing({ 'example.com/gpu': '1' }, there({ 'example.com/gpu': '1' })).toMatchObject([
      short('example.com/gpu', 1, 1, 1),
    ]);
  });

  test('is unresolvable if the pod requests more than the allocatable amount', () => {
    expectMissing({ cpu: '2001m' }).toMatchObject([short('cpu', 2_001, 0, 2_000, true)]);
    expectMissing({ 'ephemeral-storage': '2Gi' }).toMatchObject([
      short('ephemeral-storage', 2 * GI, 0, GI, true),
    ]);
    expectMissing({ 'example.com/gpu': '2' }).toMatchObject([short('example.com/gpu', 2, 0, 1, true)]);
    expectMissing({ 'example.com/fpga': '1' }).toMatchObject([short('example.com/fpga', 1, 0, 0, true)]);
  });

  test('ignores a resource that the pod does not request, even if it is overcommitted', () => {
    const greedy = there({ cpu: '3', memory: '2Gi', 'example.com/gpu': '2', 'example.com/fpga': '1' });
    expectMissing({}, greedy).toMatchObject([]);
    expectMissing({ cpu: '0', 'example.com/gpu': '0', 'example.com/fpga': '0' }, greedy).toMatchObject([]);
    expectMissing({ 'ephemeral-storage': '1Gi' }, greedy).toMatchObject([]);
  });

  test('counts pods too, including a pod without requests', () => {
    const three = ['p', 'q', 'r'].map((name) => there({}, name));
    expectMissing({}, ...three.slice(1)).toMatchObject([]);
    expectMissing({}, ...three).toMatchObject([short('pods', 1, 3, 3)]);
  });

  test('rejects every pod on a node without allocatable pods', () => {
    const info = framework.NodeInfo.of(aSchedulingNode('a', { allocatable: { cpu: '4' } }));
    expect(insufficientResources(podRequests(aSchedulingPod()), info)).toMatchObject([
      short('pods', 1, 0, 0),
    ]);
  });

  test('returns all insufficient resources: pods, cpu, memory, storage, then the others', () => {
    const three = ['p', 'q', 'r'].map((name) => there({}, name));
    const found = missing(
      { 'example.com/b': '1', 'example.com/a': '1', 'ephemeral-storage': '2Gi', memory: '2Gi', cpu: '3' },
      ...three,
    );
    const names = found.map(({ resourceName }) => resourceName);
    expect(names.slice(0, 4)).toEqual(['pods', 'cpu', 'memory', 'ephemeral-storage']);
    expect(names.slice(4).toSorted()).toEqual(['example.com/a', 'example.com/b']);
  });

  test('returns all reasons, and is unresolvable if one of them is', () => {
    const pod = (requests: ResourceList) => aSchedulingPod({ requests });
    const taken = [there({ cpu: '2', memory: '1Gi' }, 'p')];
    const full = [...taken, there({}, 'q'), there({}, 'r')];
    expectOne(nodeResourcesFit, pod({ cpu: '1', memory: '1' }), small).toBe('Success');
    expectOne(nodeResourcesFit, pod({ cpu: '1', memory: '1' }), small, taken).toBe(
      'Unschedulable: Insufficient cpu, Insufficient memory',
    );
    expectOne(nodeResourcesFit, pod({ cpu: '1', memory: '2Gi' }), small, taken).toBe(
      'UnschedulableAndUnresolvable: Insufficient cpu, Insufficient memory',
    );
    expectOne(nodeResourcesFit, pod({}), small, full).toBe('Unschedulable: Too many pods');
    expectOne(nodeResourcesFit, pod({ cpu: '3' }), small, full).toBe(
      'UnschedulableAndUnresolvable: Too many pods, Insufficient cpu',
    );
  });

  interface FitRow {
    readonly pod: PodRow;
    readonly node: NodeRow;
    readonly nodePods: readonly PodRow[];
    readonly ignoredResources?: readonly string[];
  }
  interface FitExpect {
    readonly insufficient: readonly {
      readonly resource: string;
      readonly requested: number;
      readonly used: number;
      readonly capacity: number;
    }[];
    readonly reasons: readonly string[];
    readonly code: framework.Code;
  }
  const fits = (ignoring: boolean, count: number) =>
    named(
      vectors<FitRow, FitExpect>(
        'scheduler-filter',
        'resourceFit',
        count,
        ({ input }) => (input.ignoredResources !== undefined) === ignoring,
      ),
    );
  test.each(fits(false, 18))('finds insufficient resources as upstream does: %s', (_, row) => {
    const { insufficient, reasons, code } = row.expect;
    const [node, pods] = [nodeOf(row.input.node), row.input.nodePods.map(podOf)];
    const pod = podOf(row.input.pod, pods.length);
    const found = insufficientResources(podRequests(pod), framework.NodeInfo.of(node, pods));
    expect(found, inLine(row.input)).toMatchObject(
      insufficient.map(({ resource, requested, used, capacity }) =>
        short(resource, requested, used, capacity, resource !== 'pods' && requested > capacity),
      ),
    );
    expect(askOne(nodeResourcesFit, pod, node, pods), inLine(row.input)).toBe(say({ code, reasons }));
  });

  // Upstream's plugin has an argument to ignore the resources of an extender. Here it has no arguments.
  test.each(fits(true, 1))('checks every resource, where upstream can ignore one: %s', (_, row) => {
    const [ignored = ''] = row.input.ignoredResources ?? [];
    const node = nodeOf(row.input.node);
    expect(row.expect.code).toBe('Success');
    expectOne(nodeResourcesFit, podOf(row.input.pod), node).toBe(
      `UnschedulableAndUnresolvable: Insufficient ${ignored}`,
    );
  });
});
