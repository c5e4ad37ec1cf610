import { describe, expect, test } from 'vitest';
import { describeNode, type NodeObservation } from '#given/41-kubelet';
import { type core, events, isNotFound, leases, type Node, nodes } from '#harness';
import { computeNodeConditions, NodeLease, nodeStatusHasChanged } from '#kata/41-kubelet/kubelet';
import { clusterWithNode, image, observed } from './observed-node.fixture.ts';

const conditionOf = ({ conditions = [] }: core.NodeStatus, type: string) =>
  conditions.find((condition) => condition.type === type);
const readyOf = (status: core.NodeStatus) => {
  const { status: is, reason, message } = conditionOf(status, 'Ready') ?? {};
  return [is, reason, message];
};
/** Returns each condition, with its status, reason and message. */
const statesOf = ({ conditions = [] }: core.NodeStatus) =>
  conditions.map(({ type, status, reason, message }) => ({ type, status, reason, message }));
/** Returns the complete status, and the transitions. */
function computeNodeStatus(old: core.NodeStatus | undefined, observation: NodeObservation) {
  const { conditions, transitions } = computeNodeConditions(old, observation);
  const status: core.NodeStatus = { ...describeNode(old, observation), conditions: [...conditions] };
  return { status, transitions };
}
const fresh = () => computeNodeStatus(undefined, observed()).status;

describe('Level 11 ★ · The node', () => {
  describe('computeNodeConditions', () => {
    test('has four conditions, Ready last', () => {
      const conditions = (fresh().conditions ?? []).map(({ type, status, reason, message }) => [
        type,
        status,
        reason,
        message,
      ]);
      expect(conditions, 'the conditions of a healthy node, with Ready last').toEqual([
        ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
        ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
        ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
        ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
      ]);
    });

    test('sets a condition for each pressure', () => {
      const pressure = new Set(['MemoryPressure', 'DiskPressure', 'PIDPressure'] as const);
      const { status, transitions } = computeNodeStatus(fresh(), observed({ pressure }));
      const conditions = (status.conditions ?? [])
        .slice(0, 3)
        .map(({ status: is, reason, message }) => [is, reason, message]);
      expect(
        conditions,
        'a pressure that the node is under sets its condition to True, with its own reason',
      ).toEqual([
        ['True', 'KubeletHasInsufficientMemory', 'kubelet has insufficient memory available'],
        ['True', 'KubeletHasDiskPressure', 'kubelet has disk pressure'],
        ['True', 'KubeletHasInsufficientPID', 'kubelet has insufficient PID available'],
      ]);
      expect(transitions, 'one transition for each condition that changed its status').toEqual([
        'NodeHasInsufficientMemory',
        'NodeHasDiskPressure',
        'NodeHasInsufficientPID',
      ]);
    });

    test('is not ready while the runtime or its network is not, with the errors as message', () => {
      const runtimeErrors = ['container runtime is down'];
      const { status, transitions } = computeNodeStatus(fresh(), observed({ runtimeErrors }));
      expect(
        readyOf(status),
        'the runtime reports an error: Ready is False, with that error as its message',
      ).toEqual(['False', 'KubeletNotReady', 'container runtime is down']);
      expect(transitions, 'Ready changed from True to False: one transition').toEqual(['NodeNotReady']);
      const networkErrors = ['container runtime network not ready: NetworkReady=false'];
      expect(
        readyOf(computeNodeStatus(fresh(), observed({ runtimeErrors, networkErrors })).status)[2],
        'the runtime and its network report errors: the message of Ready joins them in brackets',
      ).toBe('[container runtime is down, container runtime network not ready: NetworkReady=false]');
    });

    test('changes lastTransitionTime only when the status changes', () => {
      const laterMs = observed().nowMs + 60_000;
      const down = computeNodeStatus(fresh(), observed({ nowMs: laterMs, runtimeErrors: ['a'] })).status;
      const still = computeNodeStatus(
        down,
        observed({ nowMs: laterMs + 60_000, runtimeErrors: ['b'] }),
      ).status;
      const times = [fresh(), down, still].map((status) => {
        const { lastTransitionTime, lastHeartbeatTime } = conditionOf(status, 'Ready') ?? {};
        return [lastTransitionTime, lastHeartbeatTime];
      });
      expect(
        times,
        '[lastTransitionTime, lastHeartbeatTime] of Ready: the first changes only when the status changes, the second at every update',
      ).toEqual([
        ['2026-05-02T00:00:00Z', '2026-05-02T00:00:00Z'],
        ['2026-05-02T00:01:00Z', '2026-05-02T00:01:00Z'],
        ['2026-05-02T00:01:00Z', '2026-05-02T00:02:00Z'],
      ]);
    });

    test('keeps a condition that the kubelet has not observed since its start', () => {
      const pressure = new Set(['MemoryPressure'] as const);
      for (const before of [
        computeNodeStatus(fresh(), observed({ pressure })).status,
        computeNodeStatus(fresh(), observed({ runtimeErrors: ['container runtime is down'] })).status,
      ]) {
        const unseen = observed({ pressure: undefined, runtimeErrors: undefined });
        const { status, transitions } = computeNodeStatus(before, unseen);
        expect(
          statesOf(status),
          'the conditions; the kubelet has observed neither pressure nor runtime yet: each must stay as it was',
        ).toEqual(statesOf(before));
        expect(transitions, 'no condition has changed: no transition').toEqual([]);
      }
    });

    test('is not ready before the first check of the runtime, unless it was ready before', () => {
      const unseen = observed({ runtimeErrors: undefined });
      const notChecked = [
        'False',
        'KubeletNotReady',
        'container runtime status check may not have completed yet',
      ];
      expect(
        readyOf(computeNodeStatus(undefined, unseen).status),
        'no condition exists and the runtime has not been checked yet: Ready is False',
      ).toEqual(notChecked);
      const unknown = fresh().conditions?.map((each) => ({ ...each, status: 'Unknown' })) ?? [];
      expect(
        readyOf(computeNodeStatus({ ...fresh(), conditions: unknown }, unseen).status),
        'Ready was Unknown and the runtime has not been checked yet: Ready is False',
      ).toEqual(notChecked);
    });

    test('keeps the conditions of other clients', () => {
      const network = { type: 'NetworkUnavailable', status: 'False', reason: 'RouteCreated' };
      const dongle = { 'example.com/dongle': '4' };
      const before = {
        ...fresh(),
        conditions: [network, ...(fresh().conditions ?? [])],
        capacity: { ...fresh().capacity, ...dongle },
        allocatable: { ...fresh().allocatable, ...dongle },
        volumesInUse: ['a'],
      };
      const { status } = computeNodeStatus(before, observed());
      expect(
        nodeStatusHasChanged(before, status),
        'conditions, resources and volumes that other components wrote must stay in the status',
      ).toBe(false);
    });

    test('is not ready while the capacity of the machine is unknown', () => {
      const { status } = computeNodeStatus(undefined, observed({ machine: undefined }));
      expect(
        readyOf(status)[2],
        'the capacity of the machine is unknown: the message of Ready names the missing resources',
      ).toBe('missing node capacity for resources: cpu, memory, pods, ephemeral-storage');
    });
  });

  describe('nodeStatusHasChanged', () => {
    test('ignores heartbeat times', () => {
      const { status } = computeNodeStatus(fresh(), observed({ nowMs: observed().nowMs + 10_000 }));
      expect(status, 'the heartbeat time must be new in the status').not.toEqual(fresh());
      expect(
        nodeStatusHasChanged(fresh(), status),
        'only lastHeartbeatTime differs: that is no change of the status',
      ).toBe(false);
    });

    test('detects a changed condition and a changed image', () => {
      const down = computeNodeStatus(fresh(), observed({ runtimeErrors: ['a'] })).status;
      const other = computeNodeStatus(fresh(), observed({ runtimeErrors: ['b'] })).status;
      const pulled = computeNodeStatus(fresh(), observed({ images: [image('nginx', 1)] })).status;
      expect(
        [
          nodeStatusHasChanged(fresh(), down),
          nodeStatusHasChanged(down, other),
          nodeStatusHasChanged(fresh(), pulled),
        ],
        'changes: Ready turned False; the message of Ready differs; another image',
      ).toEqual([true, true, true]);
    });
  });

  describe('NodeLease', () => {
    const key = { namespace: 'kube-node-lease', name: 'node-1' };
    async function withLease() {
      const { cluster } = await clusterWithNode();
      const client = cluster.connect('kubelet');
      const lease = new NodeLease({
        node: 'node-1',
        client,
        clock: cluster.sim.clock,
        signal: new AbortController().signal,
      });
      const makeNode = () => cluster.admin.create(nodes, { metadata: { name: 'node-1' }, spec: {} });
      const renew = () => cluster.sim.settle(lease.renew());
      const read = () => cluster.admin.get(leases, key);
      return { cluster, makeNode, renew, read };
    }

    test('has the node as holder, lasts forty seconds, and is owned by the Node', async () => {
      const { makeNode, renew, read } = await withLease();
      const { metadata } = await makeNode();
      await renew();
      const { spec, metadata: own } = await read();
      expect(spec, 'the lease is held by the node, for 40 s').toMatchObject({
        holderIdentity: 'node-1',
        leaseDurationSeconds: 40,
      });
      expect(own.ownerReferences, 'the lease has the Node as its owner').toEqual([
        { apiVersion: 'v1', kind: 'Node', name: 'node-1', uid: metadata.uid },
      ]);
    });

    test('is renewed with the current time', async () => {
      const { cluster, makeNode, renew, read } = await withLease();
      await makeNode();
      await renew();
      const before = (await read()).spec.renewTime ?? '';
      await cluster.runFor(10_000);
      await renew();
      expect(
        Date.parse((await read()).spec.renewTime ?? '') - Date.parse(before),
        'ms by which renewTime moved after 10 s',
      ).toBeGreaterThanOrEqual(10_000);
    });

    test('is neither created nor renewed without a Node', async () => {
      const { cluster, makeNode, renew, read } = await withLease();
      await renew();
      expect(await read().catch(isNotFound), 'the Node does not exist: renew must create no lease').toBe(
        true,
      );
      await makeNode();
      await renew();
      await cluster.admin.delete(nodes, { name: 'node-1' });
      const before = await read();
      await renew();
      expect(await read(), 'the Node was deleted: renew must not touch the lease').toEqual(before);
    });

    test('is owned by the new Node after the Node was created again', async () => {
      const { cluster, makeNode, renew, read } = await withLease();
      await makeNode();
      await renew();
      await cluster.admin.delete(nodes, { name: 'node-1' });
      const { metadata } = await makeNode();
      await renew();
      expect(
        (await read()).metadata.ownerReferences?.[0]?.uid,
        'the Node was deleted and created again: the owner of the lease must have the uid of the new Node',
      ).toBe(metadata.uid);
    });

    test('is created again after a deletion, and keeps the changes of other clients', async () => {
      const { cluster, makeNode, renew, read } = await withLease();
      await makeNode();
      await renew();
      await cluster.admin.delete(leases, key);
      await renew();
      const made = await read();
      await cluster.admin.update(leases, { ...made, metadata: { ...made.metadata, labels: { a: 'b' } } });
      await renew();
      expect(
        (await read()).metadata.labels,
        'another client changed the lease: renew must read it again and keep that change',
      ).toEqual({ a: 'b' });
    });
  });

  describe('runNode', () => {
    const read = ({ cluster }: Awaited<ReturnType<typeof clusterWithNode>>): Promise<Node> =>
      cluster.admin.get(nodes, { name: 'node-1' });

    test('registers the node, ready', async () => {
      const simulation = await clusterWithNode();
      simulation.run();
      await simulation.cluster.runFor(1_000);
      expect(readyOf((await read(simulation)).status)[0], 'the status of Ready after registration').toBe(
        'True',
      );
    });

    test('adopts an existing Node, with its labels and taints', async () => {
      const simulation = await clusterWithNode();
      const taints = [{ key: 'a', effect: 'NoSchedule' }];
      const metadata = { name: 'node-1', labels: { disk: 'ssd' } };
      const { metadata: made } = await simulation.cluster.admin.create(nodes, { metadata, spec: { taints } });
      simulation.run();
      await simulation.cluster.runFor(1_000);
      const node = await read(simulation);
      expect(
        node.metadata,
        'the Node existed: the kubelet keeps it and its labels, and adds its own labels',
      ).toMatchObject({
        uid: made.uid,
        labels: { disk: 'ssd', 'kubernetes.io/hostname': 'node-1' },
      });
      expect(
        [node.spec.taints, readyOf(node.status)[0]],
        'the Node existed: the kubelet keeps its taints, and sets Ready',
      ).toEqual([taints, 'True']);
    });

    test('renews the lease every ten seconds, or a little more', async () => {
      const simulation = await clusterWithNode();
      simulation.run();
      await simulation.cluster.runFor(100_000);
      const atMs = simulation.cluster.journal.of(leases).map((entry) => entry.atMs);
      const gaps = atMs.slice(1).map((each, i) => each - (atMs[i] ?? 0));
      expect(gaps.length, 'renewals in 100 s: one every 10 s').toBeGreaterThanOrEqual(8);
      for (const gap of gaps)
        expect(gap, 'ms between two renewals: at least 10 s, with a small tolerance').toBeGreaterThanOrEqual(
          9_900,
        );
      for (const gap of gaps)
        expect(gap, 'ms between two renewals: 10 s and a short delay').toBeLessThanOrEqual(10_500);
    });

    test('writes a status when it has changed, and otherwise every five minutes or so', async () => {
      const simulation = await clusterWithNode();
      simulation.run();
      await simulation.cluster.runFor(3_600_000);
      const writes = simulation.cluster.journal.of(nodes).length;
      expect(
        writes,
        'writes of the Node in an hour without changes: one every 5 minutes',
      ).toBeGreaterThanOrEqual(11);
      expect(
        writes,
        'writes of the Node in an hour without changes: one every 5 minutes, not one for each heartbeat of 10 s',
      ).toBeLessThanOrEqual(15);
      simulation.sources.networkErrors = ['container runtime network not ready'];
      await simulation.cluster.runFor(11_000);
      expect(
        readyOf((await read(simulation)).status)[0],
        'the network has an error: the status must be written at the next update, within 10 s',
      ).toBe('False');
    });

    test('emits events for transitions', async () => {
      const simulation = await clusterWithNode();
      simulation.run();
      await simulation.cluster.runFor(1_000);
      simulation.sources.runtimeErrors = ['container runtime is down'];
      await simulation.cluster.runFor(11_000);
      const { items } = await simulation.cluster.admin.list(events);
      expect(
        items.map(({ reason, message }) => `${reason}: ${message}`),
        'one event for each transition',
      ).toEqual(
        expect.arrayContaining([
          'NodeHasSufficientMemory: Node node-1 status is now: NodeHasSufficientMemory',
          'NodeNotReady: Node node-1 status is now: NodeNotReady',
        ]),
      );
    });

    test('emits an event when the node is cordoned, and another one when it is uncordoned', async () => {
      const simulation = await clusterWithNode();
      const { cluster } = simulation;
      simulation.run();
      await cluster.runFor(1_000);
      for (const unschedulable of [true, false]) {
        const node = await read(simulation);
        await cluster.admin.update(nodes, { ...node, spec: { ...node.spec, unschedulable } });
        await cluster.runFor(22_000);
      }
      const { items } = await cluster.admin.list(events);
      expect(
        items.flatMap(({ reason, message }) =>
          reason?.endsWith('Schedulable') ? `${reason}: ${message}` : [],
        ),
        'one event for each change of spec.unschedulable, although the status stays the same',
      ).toEqual([
        'NodeNotSchedulable: Node node-1 status is now: NodeNotSchedulable',
        'NodeSchedulable: Node node-1 status is now: NodeSchedulable',
      ]);
    });

    test('reports a reboot once', async () => {
      const simulation = await clusterWithNode();
      const [kubelet] = simulation.run();
      await simulation.cluster.runFor(1_000);
      kubelet?.crash();
      simulation.machine.powerOff();
      simulation.machine.powerOn();
      kubelet?.start();
      await simulation.cluster.runFor(30_000);
      const { items } = await simulation.cluster.admin.list(events);
      expect(
        items.filter(({ reason }) => reason === 'Rebooted'),
        'events Rebooted: one, because the boot ID changed once',
      ).toHaveLength(1);
    });
  });
});
