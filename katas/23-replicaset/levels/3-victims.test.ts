import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pod } from '#harness';
import { ruleFor } from '#harness/testing';
import { compareActivePods, getPodsToDelete } from '#kata/23-replicaset/replicaset';
import { aPod, NOW_MS, namesOf, type PodParts } from './objects.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 3 · Which pods are deleted', () => {
  interface Ranked {
    readonly pod: PodParts;
    readonly rank: number;
  }
  interface OrderRow {
    readonly first: Ranked;
    readonly second: Ranked;
    /** A cluster may have the feature disabled: then the annotation is ignored. */
    readonly disableDeletionCost?: boolean;
  }
  test.each(table<OrderRow, { less: boolean }>('deleteOrder', 11))(
    'orders two pods as Kubernetes does: %s',
    (_, { input }) => {
      const ranked = ({ pod: { deletionCost, ...pod }, rank }: Ranked) => {
        const cost = deletionCost === undefined || input.disableDeletionCost ? {} : { deletionCost };
        return { pod: aPod({ ...pod, ...cost }), rank };
      };
      const [first, second] = [ranked(input.first), ranked(input.second)];
      const rule = ruleFor(
        'the pod `first` must be deleted before the pod `second`, by the first rule that finds a difference: node, phase, readiness, deletion cost, rank, time since ready, restarts, restarts of sidecars, creation',
        input,
      );
      expect(compareActivePods(first, second, NOW_MS), rule).toBeLessThan(0);
      expect(
        compareActivePods(second, first, NOW_MS),
        `${rule}, compared the other way round`,
      ).toBeGreaterThan(0);
    },
  );

  interface EqualRow {
    readonly a: PodParts;
    readonly b: PodParts;
    readonly rank: number;
  }
  test.each(table<EqualRow, { equal: boolean }>('equalOrder', 6))(
    'finds two pods equal, as Kubernetes does: %s',
    (_, { input: { a, b, rank } }) => {
      const of = (parts: PodParts, uid: string) => ({ pod: aPod({ ...parts, uid }), rank });
      const rule = ruleFor('no rule decides between the two pods', { a, b, rank });
      expect(compareActivePods(of(a, 'x'), of(b, 'x'), NOW_MS), rule).toBeCloseTo(0);
      expect(compareActivePods(of(b, 'x'), of(a, 'x'), NOW_MS), rule).toBeCloseTo(0);
    },
  );

  test('compares uids if two ages have the same magnitude', () => {
    const of = (uid: string, readyAgeSeconds: number, restarts = 0) => ({
      pod: aPod({ uid, nodeName: 'node-1', ready: true, readyAgeSeconds, restarts }),
      rank: 1,
    });
    const [fiveHours, eightHours] = [18_000, 28_800];
    const rule =
      'log2 of 18000 s and of 28800 s is 14, so the ages are equal, and the smaller uid goes first';
    expect(compareActivePods(of('a', fiveHours), of('b', eightHours), NOW_MS), rule).toBeLessThan(0);
    expect(compareActivePods(of('b', fiveHours), of('a', eightHours), NOW_MS), rule).toBeGreaterThan(0);
    expect(
      compareActivePods(of('a', eightHours), of('b', fiveHours, 7), NOW_MS),
      'the uid decides before the restarts do',
    ).toBeLessThan(0);
  });

  test('compares the highest restart count of each pod', () => {
    const of = (name: string, containerRestarts: readonly number[]) => ({
      pod: aPod({ name, nodeName: 'node-1', ready: true, containerRestarts }),
      rank: 1,
    });
    expect(
      compareActivePods(of('a', [1, 5]), of('b', [2, 2]), NOW_MS),
      'restarts [1, 5] count as 5, [2, 2] as 2: more restarts go first',
    ).toBeLessThan(0);
    expect(
      compareActivePods(of('a', [2, 2]), of('b', [1, 5]), NOW_MS),
      'restarts [1, 5] count as 5, [2, 2] as 2: more restarts go first',
    ).toBeGreaterThan(0);
    expect(
      compareActivePods(of('b', [4, 0]), of('a', [3, 3]), NOW_MS),
      'restarts [4, 0] count as 4, [3, 3] as 3: more restarts go first',
    ).toBeLessThan(0);
    expect(
      compareActivePods(of('a', [3, 3]), of('b', [4, 0]), NOW_MS),
      'restarts [4, 0] count as 4, [3, 3] as 3: more restarts go first',
    ).toBeGreaterThan(0);
  });

  test('compares restarts of sidecars if those of containers are equal', () => {
    const of = (restartPolicy: string | undefined, restartCount: number, uid: string) => {
      const pod = aPod({ uid, nodeName: 'node-1', ready: true });
      const init = { name: 'init', image: 'proxy', ...(restartPolicy ? { restartPolicy } : {}) };
      const status = { name: 'init', image: 'proxy', imageID: '', ready: true, restartCount };
      return {
        pod: {
          ...pod,
          spec: { ...pod.spec, initContainers: [init] },
          status: { ...pod.status, initContainerStatuses: [status] },
        } as Pod,
        rank: 1,
      };
    };
    expect(
      compareActivePods(of('Always', 3, 'z'), of('Always', 1, 'a'), NOW_MS),
      'the sidecar with 3 restarts goes before the one with 1',
    ).toBeLessThan(0);
    expect(
      compareActivePods(of(undefined, 3, 'z'), of('Always', 1, 'a'), NOW_MS),
      'an init container without restartPolicy Always does not count as a sidecar: its restarts count 0',
    ).toBeGreaterThan(0);
    expect(
      compareActivePods(of(undefined, 3, 'z'), of(undefined, 1, 'a'), NOW_MS),
      'neither init container is a sidecar',
    ).toBeCloseTo(0);
  });

  interface SortRow {
    readonly pods: readonly PodParts[];
  }
  test.each(table<SortRow, { order: string[] }>('sortActive', 1))(
    'sorts pods as Kubernetes does, whatever their initial order: %s',
    (_, { input, expect: { order } }) => {
      const all = input.pods.map(({ ageSeconds = null, ...parts }) => ({
        pod: aPod({ ...parts, ageSeconds }),
        rank: 1,
      }));
      const shuffled = fc.shuffledSubarray(all, { minLength: all.length });
      const sorts = fc.property(shuffled, (each) => {
        const sorted = [...each].sort((a, b) => compareActivePods(a, b, NOW_MS));
        expect(namesOf(sorted.map(({ pod }) => pod)), 'the first to delete comes first').toEqual(order);
      });
      fc.assert(sorts, { seed: 1, numRuns: 30 });
    },
  );

  interface ToDeleteRow {
    readonly pods: readonly PodParts[];
    readonly related: readonly PodParts[] | null;
    readonly diff: number;
  }
  test.each(table<ToDeleteRow, { names: string[] }>('podsToDelete', 6))(
    'picks pods to delete as Kubernetes does: %s',
    (_, { input, expect: { names } }) => {
      const candidates = input.pods.map((parts, i) => aPod({ ...parts, uid: `uid-${i}` }));
      const related = (input.related ?? []).map(aPod);
      const picked = namesOf(getPodsToDelete(candidates, related, input.diff, NOW_MS));
      const isFree = input.diff >= candidates.length;
      const rule = ruleFor(
        'the first `diff` of `pods`; the rank of a pod is the number of active `related` pods on its node',
        input,
      );
      expect(isFree ? picked.toSorted() : picked, rule).toEqual(isFree ? names.toSorted() : names);
    },
  );

  test('picks pods in the order of deletion, without changing the candidates', () => {
    const candidates = [
      aPod({ name: 'ready', nodeName: 'node-1', ready: true }),
      aPod({ name: 'unscheduled', phase: 'Pending' }),
      aPod({ name: 'unready', nodeName: 'node-1', ready: false }),
    ];
    const before = [...candidates];
    expect(
      namesOf(getPodsToDelete(candidates, candidates, 2, NOW_MS)),
      'a pod without a node goes first, then an unready pod',
    ).toEqual(['unscheduled', 'unready']);
    expect(getPodsToDelete(candidates, candidates, 3, NOW_MS), 'return an array of your own').not.toBe(
      candidates,
    );
    expect(getPodsToDelete(candidates, candidates, 0, NOW_MS), 'the names of 0 pods to delete').toEqual([]);
    expect(candidates, 'sort a copy: the array of candidates belongs to the caller').toEqual(before);
  });
});
