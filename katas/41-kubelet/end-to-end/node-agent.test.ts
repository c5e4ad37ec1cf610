import { describe, expect, test } from 'vitest';
import { events, leases, nodes } from '#harness';
import { type NodeOptions, nodeWithKubelet } from './node.fixture.ts';

const GIB = 1024 ** 3;

const open = (machine: NodeOptions['machine'] = {}) => nodeWithKubelet({ machine });

describe('★ In a cluster', () => {
  test('a kubelet registers its node, renews the lease, and runs pods', async () => {
    const cluster = await open();
    await cluster.create('web', {});
    await cluster.runFor(30_000);
    const { items } = await cluster.admin.list(nodes);
    expect(
      items.map(({ metadata }) => metadata.name),
      'the kubelet must register its Node when it starts',
    ).toEqual(['node-1']);
    expect((await cluster.pod('web'))?.status.phase, 'the phase of a pod on the node').toBe('Running');
    const { status } = await cluster.admin.get(nodes, { name: 'node-1' });
    expect(status.conditions?.at(-1), 'the last condition of the Node').toMatchObject({
      type: 'Ready',
      status: 'True',
    });
    const names = (status.images ?? []).flatMap((image) => image.names ?? []);
    expect(names, 'the images in the status of the Node, after nginx was pulled').toContain(
      'docker.io/library/nginx:1.27',
    );
    const { spec } = await cluster.admin.get(leases, { namespace: 'kube-node-lease', name: 'node-1' });
    expect(spec.holderIdentity, 'the lease is held by the node').toBe('node-1');
  });

  test('a node is not ready after the runtime has been down for half a minute, and ready when it is back', async () => {
    const cluster = await open();
    await cluster.runFor(20_000);
    const ready = async () => {
      const { status } = await cluster.admin.get(nodes, { name: 'node-1' });
      const { status: is, message } = status.conditions?.at(-1) ?? {};
      return [is, message];
    };
    cluster.host.stopRuntime();
    await cluster.runFor(20_000);
    expect(await ready(), 'status and message of Ready: the runtime answers').toEqual([
      'True',
      'kubelet is posting ready status',
    ]);
    await cluster.runFor(30_000);
    expect(
      await ready(),
      'status and message of Ready: the runtime has been down for more than 30 s',
    ).toEqual(['False', 'container runtime is down']);
    cluster.host.startRuntime();
    await cluster.runFor(20_000);
    expect((await ready())[0], 'status of Ready: the runtime answers again').toBe('True');
  });

  test('a kubelet rejects a pod that does not fit, and runs the next one', async () => {
    const cluster = await open();
    const asking = (cpu: string) => ({
      containers: [{ name: 'main', image: 'nginx:1.27', resources: { requests: { cpu } } }],
    });
    await cluster.create('large', asking('3'));
    await cluster.runFor(5_000);
    await cluster.create('too-large', asking('2'));
    await cluster.runFor(5_000);
    await cluster.create('small', asking('1'));
    await cluster.runFor(5_000);
    const message = "Node didn't have enough resource: cpu, requested: 2000, used: 3000, capacity: 4000";
    expect(
      (await cluster.pod('too-large'))?.status,
      'the pod requests more CPU than the node has: the kubelet must reject it',
    ).toMatchObject({
      phase: 'Failed',
      reason: 'OutOfcpu',
      message: `Pod was rejected: ${message}`,
    });
    expect(await cluster.eventsOf('too-large'), 'the event about the rejected pod').toEqual([
      `Warning OutOfcpu ${message}`,
    ]);
    expect(
      (await cluster.pod('small'))?.status.phase,
      'a pod that fits must run, although the one before it was rejected',
    ).toBe('Running');
  });

  test('a kubelet that restarts on a full node rejects no running pod', async () => {
    const cluster = await open();
    const resources = { requests: { cpu: '2' } };
    const full = { containers: [{ name: 'main', image: 'nginx:1.27', resources }] };
    await cluster.create('b', full);
    await cluster.create('c', full);
    await cluster.runFor(5_000);
    cluster.process.crash();
    await cluster.create('a', full);
    cluster.process.start();
    await cluster.runFor(20_000);
    const phases = ['a', 'b', 'c'].map(async (name) => (await cluster.pod(name))?.status.phase);
    expect(
      await Promise.all(phases),
      'the phases after the restart of the kubelet: the pods that ran before stay Running, and the rejected one stays Failed',
    ).toEqual(['Failed', 'Running', 'Running']);
  });

  test('a kubelet evicts the pod with the highest memory usage before the machine runs out', async () => {
    const cluster = await open({ capacity: { memoryBytes: 2 * GIB } });
    const stress = (bytes: string) => ({
      terminationGracePeriodSeconds: 0,
      containers: [
        { name: 'main', image: 'polinux/stress', command: ['stress', '--vm', '1', '--vm-bytes', bytes] },
      ],
    });
    await cluster.create('modest', stress('100M'));
    await cluster.create('greedy', stress('1350M'));
    await cluster.runFor(60_000);
    const { status } = (await cluster.pod('greedy')) ?? {};
    expect(status, 'the pod that uses most memory must be evicted').toMatchObject({
      phase: 'Failed',
      reason: 'Evicted',
      message: expect.stringMatching(
        /^The node was low on resource: memory\. Threshold quantity: 100Mi, available: /,
      ),
    });
    expect(status?.conditions, 'the evicted pod has the condition DisruptionTarget').toContainEqual(
      expect.objectContaining({ type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet' }),
    );
    expect(
      (await cluster.pod('modest'))?.status.phase,
      'the pod that uses less than its request must run on',
    ).toBe('Running');
    const node = await cluster.admin.get(nodes, { name: 'node-1' });
    expect(
      node.status.conditions?.find(({ type }) => type === 'MemoryPressure')?.status,
      'the condition MemoryPressure of the Node',
    ).toBe('True');
    const { items } = await cluster.admin.list(events);
    expect(
      items.map(({ reason }) => reason),
      'the event about the threshold',
    ).toContain('EvictionThresholdMet');
  });
});
