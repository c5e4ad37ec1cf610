import { describe, expect, test } from 'vitest';
import { type core, formatTime } from '#harness';
import { named, ruleFor, vectors } from '#harness/testing';
import { evictionAt, taintEvictionController } from '#kata/61-node-lifecycle/node-lifecycle';
import { TestCluster } from './cluster.fixture.ts';

const UNREACHABLE = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };

/** The condition of an evicted pod, without its times. */
const EXPLAINED = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByTaintManager',
  message: 'Taint manager: deleting due to NoExecute taint',
};

/** Tolerates the taint with this key; without seconds always. */
const tolerates = (key: string, tolerationSeconds?: number): core.Toleration => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds !== undefined && { tolerationSeconds }),
});
const since = (sinceMs: number, key: string) => ({ taint: { key, effect: 'NoExecute' }, sinceMs });

describe('Level 5 · Eviction', () => {
  interface Seconds {
    readonly tolerationSeconds: readonly (number | null)[];
  }
  test.each(named(vectors<Seconds, { readonly seconds: number }>('node-lifecycle', 'minToleration', 4)))(
    'agrees with Kubernetes about the shortest toleration: %s',
    (_, { input, expect: { seconds } }) => {
      const tolerations = input.tolerationSeconds.map((each, i) =>
        tolerates(`taint-${i}`, each ?? undefined),
      );
      const count = Math.max(1, tolerations.length);
      const taints = Array.from({ length: count }, (_, i) => since(7_000, `taint-${i}`));
      const wanted = seconds < 0 ? undefined : 7_000 + seconds * 1_000;
      expect(evictionAt(tolerations, taints), ruleFor('all taints since 7000 ms', input)).toBe(wanted);
    },
  );

  interface Evict {
    readonly nodeTaints: readonly core.Taint[];
    readonly tolerations: readonly core.Toleration[];
  }
  interface Verdict {
    readonly action: 'evictNow' | 'evictAfter' | 'keep';
    readonly seconds?: number;
  }
  test.each(named(vectors<Evict, Verdict>('node-lifecycle', 'evict', 5)))(
    'agrees with Kubernetes about a node and a pod: %s',
    (_, { input, expect: { action, seconds = 0 } }) => {
      const taints = input.nodeTaints.map((taint) => ({ taint, sinceMs: 7_000 }));
      const wanted = action === 'keep' ? undefined : 7_000 + seconds * 1_000;
      expect(evictionAt(input.tolerations, taints), ruleFor('all taints since 7000 ms', input)).toBe(wanted);
    },
  );

  test('counts from the time of each taint', () => {
    const both = [since(0, 'a'), since(100_000, 'b')];
    expect(evictionAt([tolerates('a', 300), tolerates('b', 50)], both)).toBe(150_000);
    expect(evictionAt([tolerates('a', 120), tolerates('b', 50)], both)).toBe(120_000);
    expect(evictionAt([], []), 'no taint').toBeUndefined();
  });

  test('takes the first toleration that tolerates a taint', () => {
    expect(evictionAt([tolerates('a', 10), tolerates('a')], [since(0, 'a')])).toBe(10_000);
    expect(evictionAt([tolerates('a'), tolerates('a', 10)], [since(0, 'a')])).toBeUndefined();
    expect(evictionAt([tolerates('a', -5)], [since(0, 'a')]), 'negative seconds').toBe(0);
  });
});

describe('Level 5 · Eviction', () => {
  const open = async (): Promise<TestCluster> => {
    const test = await TestCluster.open();
    await test.addNode('node-1');
    return test;
  };
  const setTaints = (test: TestCluster, taints: core.Taint[]) =>
    test.setNode('node-1', (node) => ({ ...node, spec: { ...node.spec, taints } }));
  const keep = ['example.com/keep'];

  test('evicts a pod without a toleration at once, and explains it', async () => {
    await using test = await open();
    const { generation } = (await test.addPod('web', { finalizers: keep })).metadata;
    await test.run(taintEvictionController);
    await setTaints(test, [UNREACHABLE]);
    await test.pass(1);
    expect(await test.stays('web')).toBe(false);
    expect(await test.disruption('web')).toMatchObject({
      ...EXPLAINED,
      lastTransitionTime: formatTime(test.cluster.clock.now() - 1_000),
      observedGeneration: generation,
    });
    expect(await test.events('web')).toEqual([
      'Normal TaintManagerEviction Marking for deletion Pod default/web',
    ]);
  });

  test('keeps the lastTransitionTime of a condition that is True already', async () => {
    await using test = await open();
    const pod = await test.addPod('web', { finalizers: keep });
    const early = { ...EXPLAINED, lastTransitionTime: '2001-01-01T00:00:00Z' };
    await test.setConditions('web', [...(pod.status.conditions ?? []), early]);
    await test.run(taintEvictionController);
    await setTaints(test, [UNREACHABLE]);
    await test.pass(1);
    expect(await test.stays('web')).toBe(false);
    expect((await test.disruption('web'))?.lastTransitionTime).toBe(early.lastTransitionTime);
  });

  test('evicts a pod when its toleration ends', async () => {
    await using test = await open();
    await test.addPod('web', { tolerations: [tolerates(UNREACHABLE.key, 300)] });
    await test.run(taintEvictionController);
    await setTaints(test, [UNREACHABLE]);
    await test.pass(299);
    expect(await test.stays('web')).toBe(true);
    await test.pass(2);
    expect(await test.stays('web')).toBe(false);
  });

  test('cancels the eviction when the taint is removed in time', async () => {
    await using test = await open();
    await test.addPod('web', { tolerations: [tolerates(UNREACHABLE.key, 300)] });
    await test.run(taintEvictionController);
    await setTaints(test, [UNREACHABLE]);
    await test.pass(200);
    await setTaints(test, []);
    await test.pass(10);
    expect(await test.events('web')).toEqual([
      'Normal TaintManagerEviction Cancelling deletion of Pod default/web',
    ]);
    await setTaints(test, [UNREACHABLE]);
    await test.pass(200);
    expect(await test.stays('web'), 'the time starts again').toBe(true);
    await test.pass(101);
    expect(await test.stays('web')).toBe(false);
  });

  test('follows a change of the tolerations', async () => {
    await using test = await open();
    await test.addPod('web', { tolerations: [tolerates(UNREACHABLE.key, 300)] });
    await test.run(taintEvictionController);
    await setTaints(test, [UNREACHABLE]);
    await test.pass(100);
    await test.setTolerations('web', [tolerates(UNREACHABLE.key, 3_600)]);
    await test.pass(400);
    expect(await test.stays('web'), 'tolerated for an hour by now').toBe(true);
    expect(await test.events('web'), 'the eviction has another time, and is not cancelled').toEqual([]);
  });

  test('deletes no other pod that has the name by now', async () => {
    await using test = await open();
    await test.addPod('web', { tolerations: [tolerates(UNREACHABLE.key, 300)] });
    await test.run(taintEvictionController);
    await setTaints(test, [UNREACHABLE]);
    await test.pass(200);
    await test.replacePod('web', { nodeName: 'node-2' });
    await test.pass(200);
    expect(await test.stays('web')).toBe(true);
  });

  test('tries again when a request fails', async () => {
    await using test = await open();
    await test.addPod('web');
    await test.run(taintEvictionController);
    test.cluster.nemesis.strike({
      fault: 'refuse',
      process: 'node-lifecycle-controller',
      reason: 'InternalError',
      requests: 12,
    });
    await setTaints(test, [UNREACHABLE]);
    await test.pass(120);
    expect(await test.stays('web')).toBe(false);
  });

  test('leaves a pod alone that is being deleted', async () => {
    await using test = await open();
    await test.addPod('web', { finalizers: keep });
    await test.deletePod('web');
    const before = await test.pod('web');
    await test.run(taintEvictionController);
    await setTaints(test, [UNREACHABLE]);
    await test.pass(10);
    expect(await test.pod('web')).toEqual(before);
  });

  test('cancels no deletion by somebody else', async () => {
    await using test = await open();
    await test.addPod('web', { tolerations: [tolerates(UNREACHABLE.key, 300)], finalizers: keep });
    await test.run(taintEvictionController);
    await setTaints(test, [UNREACHABLE]);
    await test.pass(100);
    await test.deletePod('web');
    await setTaints(test, []);
    await test.pass(10);
    expect(await test.events('web'), 'the pod is still being deleted').toEqual([]);
  });
});
