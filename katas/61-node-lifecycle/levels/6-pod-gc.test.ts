import { describe, expect, test } from 'vitest';
import { assemblePodGc } from '#given/61-node-lifecycle';
import { nodes, type Pod } from '#harness';
import { named, ruleFor, vectors } from '#harness/testing';
import { gcPass, isStuck, podGarbageCollector, terminatedPods } from '#kata/61-node-lifecycle/node-lifecycle';
import { TestCluster } from './cluster.fixture.ts';
import { aNode, aPod, at } from './objects.fixture.ts';

interface Row {
  readonly name: string;
  readonly phase: string;
  readonly reason?: string;
  readonly nodeName?: string;
  readonly deleting?: boolean;
  readonly createdAtHours?: number;
}
interface Deleted {
  readonly deleted: readonly string[];
}

/** The pods of a row: one every hour, the oldest first. */
const podsOf = (rows: readonly Row[]): Pod[] =>
  rows.map(({ name, createdAtHours, ...parts }, i) =>
    aPod(name, { ...parts, createdMs: at((createdAtHours ?? i) * 3_600) }),
  );
const names = (all: readonly Pod[]): string[] => all.map(({ metadata }) => metadata.name).sort();

describe('Level 6 ★ · Pods without a kubelet', () => {
  interface Terminated {
    readonly pods: readonly Row[];
    readonly threshold: number;
  }
  test.each(named(vectors<Terminated, Deleted>('pod-gc', 'terminated', 5)))(
    'agrees with Kubernetes about ended pods: %s',
    (_, { input, expect: { deleted } }) => {
      const found = terminatedPods(podsOf(input.pods), input.threshold);
      expect(names(found), ruleFor('deleted', input)).toEqual([...deleted]);
    },
  );

  test('counts only pods that have ended, and keeps all with a threshold of 0', () => {
    const all = [
      aPod('a', { phase: 'Running' }),
      aPod('b', { phase: 'Failed' }),
      aPod('c', { phase: 'Pending' }),
    ];
    expect(names(terminatedPods(all, 1))).toEqual([]);
    expect(names(terminatedPods([aPod('a', { phase: 'Failed' })], 0))).toEqual([]);
  });

  test.each(
    named(vectors<{ readonly pods: readonly Row[] }, Deleted>('pod-gc', 'unscheduledTerminating', 2)),
  )('agrees with Kubernetes about pods without a node: %s', (_, { input, expect: { deleted } }) => {
    const found = podsOf(input.pods).filter((pod) => isStuck(pod, undefined));
    expect(names(found), ruleFor('stuck', input)).toEqual([...deleted]);
  });

  test('finds a pod stuck on a node that is out of service and not ready', () => {
    const taints = [{ key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' }];
    const stuck = (deleting: boolean, ready: string, isOff = true): boolean =>
      isStuck(
        aPod('a', { nodeName: 'node-1', deleting }),
        aNode('node-1', { ready, ...(isOff && { taints }) }),
      );
    expect(stuck(true, 'Unknown')).toBe(true);
    expect(stuck(true, 'True'), 'the node is ready').toBe(false);
    expect(stuck(false, 'Unknown'), 'the pod is not being deleted').toBe(false);
    expect(stuck(true, 'Unknown', false), 'no taint').toBe(false);
  });

  interface Orphaned {
    readonly pods: readonly Row[];
    readonly nodes: readonly string[];
  }
  test.each(named(vectors<Orphaned, Deleted>('pod-gc', 'orphaned', 2)))(
    'agrees with Kubernetes about pods of deleted nodes: %s',
    async (_, { input, expect: { deleted } }) => {
      await using test = await TestCluster.open();
      for (const name of input.nodes) await test.addNode(name);
      for (const { name, nodeName = '', phase } of input.pods) await test.addPod(name, { nodeName, phase });
      await test.run(podGarbageCollector);
      await test.pass(61);
      const gone = [];
      for (const { name } of input.pods) if (!(await test.pod(name))) gone.push(name);
      expect(gone, ruleFor('deleted', input)).toEqual([...deleted]);
    },
  );

  test('waits 40 seconds after the deletion of a node', async () => {
    await using test = await TestCluster.open();
    await test.addNode('node-1');
    await test.addPod('web');
    await test.run(podGarbageCollector);
    await test.pass(5);
    await test.cluster.admin.delete(nodes, { name: 'node-1' });
    await test.pass(40);
    expect(await test.pod('web'), 'the node may come back').toBeDefined();
    await test.pass(21);
    expect(await test.pod('web')).toBeUndefined();
  });

  test('fails a pod before it deletes it, unless the pod has ended', async () => {
    await using test = await TestCluster.open();
    const finalizers = ['example.com/keep'];
    await test.addPod('running', { finalizers });
    await test.addPod('done', { finalizers, phase: 'Succeeded' });
    await test.run(podGarbageCollector);
    await test.pass(61);
    const running = (await test.pod('running'))?.status;
    expect(running?.phase).toBe('Failed');
    expect(running?.conditions?.find(({ type }) => type === 'DisruptionTarget')).toMatchObject({
      status: 'True',
      reason: 'DeletionByPodGC',
      message: 'PodGC: node no longer exists',
    });
    const done = await test.pod('done');
    expect([done?.status.phase, done?.status.conditions?.length], 'its status stays').toEqual([
      'Succeeded',
      1,
    ]);
    expect([await test.stays('running'), await test.stays('done')]).toEqual([false, false]);
  });

  test('deletes the ended pods beyond the threshold', async () => {
    await using test = await TestCluster.open();
    await test.addNode('node-1');
    for (const name of ['a', 'b', 'c']) await test.addPod(name, { phase: 'Succeeded' });
    await test.run(assemblePodGc({ gcPass }, { terminatedPodThreshold: 1 }));
    await test.pass(21);
    expect([await test.pod('a'), await test.pod('b')]).toEqual([undefined, undefined]);
    expect(await test.pod('c')).toBeDefined();
  });

  test('deletes the other pods if one deletion fails', async () => {
    await using test = await TestCluster.open();
    await test.addPod('a');
    await test.addPod('b');
    await test.run(podGarbageCollector);
    await test.pass(39);
    test.cluster.nemesis.strike({
      fault: 'refuse',
      process: 'node-lifecycle-controller',
      reason: 'InternalError',
      requests: 2,
    });
    await test.pass(60);
    expect([await test.pod('a'), await test.pod('b')]).toEqual([undefined, undefined]);
  });
});
