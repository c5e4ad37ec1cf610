import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { components } from '#components';
import {
  type Client,
  errors,
  events,
  formatTime,
  type KubeObject,
  keyOf,
  NotImplemented,
  namespaces,
  type OwnerReference,
  type Pod,
  pods,
  type ReplicaSet,
  replicaSets,
} from '#harness';
import {
  type ClusterOptions,
  createCluster,
  intercept,
  type Process,
  type VectorCase,
  vectors,
} from '#harness/testing';
import {
  BURST_REPLICAS,
  calculateStatus,
  classifyPod,
  compareActivePods,
  EXPECTATIONS_TIMEOUT_MS,
  Expectations,
  filterActivePods,
  getControllerOf,
  getDeletionCost,
  getPodReadyCondition,
  getPodReplicaSets,
  getPodsRankedByRelatedPodsOnSameNode,
  getPodsToDelete,
  isPodActive,
  isPodAvailable,
  isPodReady,
  newControllerRef,
  newPod,
  nextAvailabilityMs,
  podNews,
  type ReplicaSetCondition,
  type ReplicaSetStatus,
  removeCondition,
  replicaSetController,
  replicasDiff,
  SLOW_START_INITIAL_BATCH_SIZE,
  setCondition,
  slowStartBatch,
  updateReplicaSetStatus,
} from '#kata/23-replicaset/replicaset';

/** So that each row of a table is a test with the row's name. */
const named = <I, E>(rows: readonly VectorCase<I, E>[]) => rows.map((row) => [row.name, row] as const);

/** The rows of upstream's tables of one kind. */
const table = <I, E>(op: string, count: number) => named(vectors<I, E>('replicaset', op, count));

/** Now, wherever a test has no cluster to tell the time. */
const NOW_MS = Date.UTC(2024, 3, 17);
const secondsAgo = (seconds: number) => formatTime(NOW_MS - seconds * 1_000);

type Labels = Readonly<Record<string, string>>;
const LABELS: Labels = { app: 'web' };

interface PodParts {
  readonly name?: string;
  readonly uid?: string;
  readonly namespace?: string;
  readonly labels?: Labels;
  readonly deletionTimestamp?: string | boolean;
  readonly ownerReferences?: readonly OwnerReference[];
  /** `null`: none. @defaultValue Running */
  readonly phase?: string | null;
  readonly nodeName?: string;
  readonly ready?: boolean;
  /** `null`: nobody knows since when. @defaultValue 60 */
  readonly readyAgeSeconds?: number | null;
  /** `null`: it does not say when it was created. @defaultValue 3600 */
  readonly ageSeconds?: number | null;
  readonly restarts?: number;
  readonly containerRestarts?: readonly number[];
  readonly deletionCost?: number | string;
}

const container = { name: 'web', image: 'nginx' };

/** No two pods are of one version. */
let revision = 0;

/** A pod of one's own making: what is not said is plain. */
function aPod(parts: PodParts = {}): Pod {
  const { name = 'pod', uid = `uid-of-${name}`, namespace = 'default', labels = LABELS } = parts;
  const { deletionTimestamp, ownerReferences, phase = 'Running', nodeName, ready, deletionCost } = parts;
  const { readyAgeSeconds = 60, ageSeconds = 3_600, restarts = 0, containerRestarts = [restarts] } = parts;
  const gone = deletionTimestamp === true ? secondsAgo(1) : deletionTimestamp || undefined;
  const condition = {
    type: 'Ready',
    status: ready ? 'True' : 'False',
    ...(readyAgeSeconds === null ? {} : { lastTransitionTime: secondsAgo(readyAgeSeconds) }),
  };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion: String(++revision),
      labels: { ...labels },
      ...(ageSeconds === null ? {} : { creationTimestamp: secondsAgo(ageSeconds) }),
      ...(gone === undefined ? {} : { deletionTimestamp: gone }),
      ...(ownerReferences ? { ownerReferences: [...ownerReferences] } : {}),
      ...(deletionCost === undefined
        ? {}
        : { annotations: { 'controller.kubernetes.io/pod-deletion-cost': String(deletionCost) } }),
    },
    spec: { containers: [container], ...(nodeName === undefined ? {} : { nodeName }) },
    status: {
      ...(phase === null ? {} : { phase }),
      ...(ready === undefined ? {} : { conditions: [{ type: 'PodScheduled', status: 'True' }, condition] }),
      containerStatuses: containerRestarts.map((restartCount, i) => ({
        name: `c${i}`,
        image: 'nginx',
        imageID: '',
        ready: ready ?? false,
        restartCount,
      })),
    },
  };
  return pod as unknown as Pod;
}

interface ReplicaSetParts {
  readonly name?: string;
  readonly uid?: string;
  readonly namespace?: string;
  readonly deletionTimestamp?: string;
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly selector?: Labels;
  readonly template?: ReplicaSet['spec']['template'];
  readonly status?: ReplicaSetStatus;
  readonly generation?: number;
}

function aReplicaSet(parts: ReplicaSetParts = {}): ReplicaSet {
  const { name = 'web', uid = `uid-of-${name}`, namespace = 'default', deletionTimestamp } = parts;
  const { replicas = 1, minReadySeconds, selector = LABELS, status = { replicas: 0 } } = parts;
  const { template = { metadata: { labels: { ...selector } }, spec: { containers: [container] } } } = parts;
  const replicaSet = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion: '1',
      generation: parts.generation ?? 1,
      creationTimestamp: secondsAgo(7_200),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
    spec: {
      replicas,
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { matchLabels: { ...selector } },
      template,
    },
    status,
  };
  return replicaSet as unknown as ReplicaSet;
}

/** What says that a ReplicaSet of this uid controls a pod. */
const owner = (uid = 'uid-of-web', name = 'web', kind = 'ReplicaSet'): OwnerReference => ({
  apiVersion: 'apps/v1',
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});

const namesOf = (all: readonly KubeObject[]): string[] => all.map(({ metadata }) => metadata.name);

describe('Level 1 · Which pods count, and whose they are', () => {
  interface FilterRow {
    readonly pods: readonly PodParts[];
  }
  test.each(table<FilterRow, { names: string[] }>('filterActive', 2))(
    'keeps the active pods as Kubernetes does: %s',
    (_, row) => {
      const active = filterActivePods(row.input.pods.map(aPod));
      expect(namesOf(active)).toEqual(row.expect.names);
    },
  );

  test('counts a pod whose node is not heard of, and one that has no phase yet', () => {
    expect(isPodActive(aPod({ phase: 'Unknown' }))).toBe(true);
    expect(isPodActive(aPod({ phase: null }))).toBe(true);
    expect(isPodActive(aPod({ phase: null, deletionTimestamp: true }))).toBe(false);
  });

  test('takes for the controller the one owner that says so, not the first one', () => {
    const { controller, ...mere } = owner('uid-of-friend', 'friend');
    const both = [{ ...mere, controller: false }, mere, owner()];
    expect(getControllerOf(aPod({ ownerReferences: both }))).toEqual(owner());
    expect(getControllerOf(aPod({ ownerReferences: [mere] }))).toBeUndefined();
    expect(getControllerOf(aPod())).toBeUndefined();
  });

  test('keeps a pod that is its own and matches', () => {
    expect(classifyPod(aPod({ ownerReferences: [owner()] }), aReplicaSet())).toBe('keep');
  });

  test('adopts a pod that matches and that nobody controls', () => {
    const { controller, ...mere } = owner('uid-of-friend', 'friend');
    expect(classifyPod(aPod(), aReplicaSet())).toBe('adopt');
    expect(classifyPod(aPod({ ownerReferences: [mere] }), aReplicaSet())).toBe('adopt');
  });

  test('ignores a pod that somebody else controls, however well it matches', () => {
    const database = owner('uid-of-db', 'db', 'StatefulSet');
    expect(classifyPod(aPod({ ownerReferences: [database] }), aReplicaSet())).toBe('ignore');
    expect(classifyPod(aPod({ ownerReferences: [database], labels: {} }), aReplicaSet())).toBe('ignore');
  });

  test('ignores a pod of a former ReplicaSet of the same name: the uid says whose it is', () => {
    expect(classifyPod(aPod({ ownerReferences: [owner('uid-of-former-web')] }), aReplicaSet())).toBe(
      'ignore',
    );
  });

  test('releases a pod of its own that matches no longer', () => {
    expect(classifyPod(aPod({ ownerReferences: [owner()], labels: {} }), aReplicaSet())).toBe('release');
  });

  test('ignores a pod that nobody controls and that does not match', () => {
    expect(classifyPod(aPod({ labels: { app: 'shop' } }), aReplicaSet())).toBe('ignore');
  });

  test('takes nothing and lets go of nothing while it is being deleted, but keeps what it has', () => {
    const going = aReplicaSet({ deletionTimestamp: secondsAgo(1) });
    expect(classifyPod(aPod(), going)).toBe('ignore');
    expect(classifyPod(aPod({ ownerReferences: [owner()], labels: {} }), going)).toBe('ignore');
    expect(classifyPod(aPod({ ownerReferences: [owner()] }), going)).toBe('keep');
  });

  test('adopts no pod that is being deleted', () => {
    expect(classifyPod(aPod({ deletionTimestamp: true }), aReplicaSet())).toBe('ignore');
  });

  test('understands selectors with expressions', () => {
    const plain = aReplicaSet();
    const matchExpressions = [{ key: 'app', operator: 'In', values: ['web', 'shop'] }];
    const rs = { ...plain, spec: { ...plain.spec, selector: { matchExpressions } } };
    expect(classifyPod(aPod({ labels: { app: 'shop' } }), rs)).toBe('adopt');
    expect(classifyPod(aPod({ labels: { app: 'bank' } }), rs)).toBe('ignore');
  });

  interface PodReplicaSetsRow {
    readonly replicaSets: readonly ReplicaSetParts[];
    readonly pod: PodParts;
  }
  test.each(table<PodReplicaSetsRow, { name: string | null }>('podReplicaSets', 2))(
    'finds who selects a pod as Kubernetes does: %s',
    (_, { input, expect: { name } }) => {
      const found = getPodReplicaSets(aPod(input.pod), input.replicaSets.map(aReplicaSet));
      expect(namesOf(found)).toEqual(name === null ? [] : [name]);
    },
  );

  test('finds all who select a pod, in the order given', () => {
    const all = [
      aReplicaSet({ name: 'web' }),
      aReplicaSet({ name: 'shop', selector: { app: 'shop' } }),
      aReplicaSet({ name: 'canary', selector: { app: 'web', track: 'canary' } }),
      aReplicaSet({ name: 'elsewhere', namespace: 'other' }),
    ];
    const found = getPodReplicaSets(aPod({ labels: { app: 'web', track: 'canary' } }), all);
    expect(namesOf(found)).toEqual(['web', 'canary']);
  });
});

describe('Level 2 · How many, and what they look like', () => {
  test('has nothing to do when there are as many as wanted', () => {
    expect(replicasDiff(3, 3)).toBeCloseTo(0);
    expect(replicasDiff(0, 0)).toBeCloseTo(0);
  });

  test('counts those that are too many, and as negative those that are missing', () => {
    expect(replicasDiff(1, 4)).toBe(3);
    expect(replicasDiff(4, 1)).toBe(-3);
  });

  test('takes on no more than a burst at once, either way', () => {
    expect(replicasDiff(2_000, 0)).toBe(-BURST_REPLICAS);
    expect(replicasDiff(0, 2_000)).toBe(BURST_REPLICAS);
    expect(replicasDiff(500, 0)).toBe(-500);
    expect(replicasDiff(0, 501)).toBe(500);
  });

  test('says that it controls a pod, by uid, and all that the garbage collector needs', () => {
    expect(newControllerRef(aReplicaSet())).toEqual(owner());
  });

  test('says what it is even if it came out of a list, where no item says its kind', () => {
    const { apiVersion, kind, ...item } = aReplicaSet();
    expect(newControllerRef(item as ReplicaSet)).toEqual(owner());
  });

  test('makes a pod that it controls, in its own namespace, and lets the server find the name', () => {
    const { metadata } = newPod(aReplicaSet({ namespace: 'shop' }));
    expect(metadata.namespace).toBe('shop');
    expect(metadata.generateName).toBe('web-');
    expect(metadata.name).toBeUndefined();
    expect(metadata.ownerReferences).toEqual([owner()]);
  });

  test('takes labels, annotations, finalizers and spec from the template', () => {
    const template = {
      metadata: {
        name: 'passed-over',
        labels: { app: 'web', version: '1' },
        annotations: { note: 'hello' },
        finalizers: ['example.com/last-words'],
      },
      spec: { containers: [container], terminationGracePeriodSeconds: 5 },
    };
    const made = newPod(aReplicaSet({ template }));
    const { labels, annotations, finalizers } = template.metadata;
    expect(made.metadata).toEqual({
      namespace: 'default',
      generateName: 'web-',
      labels,
      annotations,
      finalizers,
      ownerReferences: [owner()],
    });
    expect(made.spec).toEqual(template.spec);
  });

  test('leaves out what the template does not have, and has no status', () => {
    const made = newPod(aReplicaSet({ template: { spec: { containers: [container] } } }));
    expect(Object.keys(made.metadata).sort()).toEqual(['generateName', 'namespace', 'ownerReferences']);
    expect(made.status).toBeUndefined();
  });
});

describe('Level 3 · Whom to delete', () => {
  test('takes a pod for ready when its condition Ready is True', () => {
    expect(getPodReadyCondition(aPod({ ready: false }))?.status).toBe('False');
    expect(getPodReadyCondition(aPod())).toBeUndefined();
    expect(isPodReady(aPod({ ready: true }))).toBe(true);
    expect(isPodReady(aPod({ ready: false }))).toBe(false);
    expect(isPodReady(aPod())).toBe(false);
  });

  test('goes by the deletion cost that a pod’s annotation says', () => {
    expect(getDeletionCost(aPod())).toBe(0);
    expect(getDeletionCost(aPod({ deletionCost: 100 }))).toBe(100);
    expect(getDeletionCost(aPod({ deletionCost: -10 }))).toBe(-10);
    expect(getDeletionCost(aPod({ deletionCost: '-05' }))).toBe(-5);
    expect(getDeletionCost(aPod({ deletionCost: 2_147_483_647 }))).toBe(2_147_483_647);
    expect(getDeletionCost(aPod({ deletionCost: -2_147_483_648 }))).toBe(-2_147_483_648);
  });

  test.each(['+5', '05', '1.5', ' 5', '5 ', '', '-', 'cheap', '1e3', '2147483648', '-2147483649'])(
    'takes a cost of "%s", which is none, for 0',
    (deletionCost) => expect(getDeletionCost(aPod({ deletionCost }))).toBe(0),
  );

  test('ranks each pod by how many active pods of its kin are on its node', () => {
    const [a, b, c] = [
      aPod({ name: 'a', nodeName: 'node-1' }),
      aPod({ name: 'b', nodeName: 'node-2' }),
      aPod({ name: 'c' }),
    ];
    const kin = [
      aPod({ name: 'd', nodeName: 'node-1' }),
      aPod({ name: 'e', nodeName: 'node-1', phase: 'Succeeded' }),
      aPod({ name: 'f', nodeName: 'node-1', deletionTimestamp: true }),
      aPod({ name: 'g', nodeName: '' }),
      aPod({ name: 'h', nodeName: 'node-3' }),
    ];
    const ranked = getPodsRankedByRelatedPodsOnSameNode([b, a, c], [a, b, c, ...kin]);
    expect(ranked.map(({ pod, rank }) => [pod.metadata.name, rank])).toEqual([
      ['b', 1],
      ['a', 2],
      ['c', 2],
    ]);
  });

  interface Ranked {
    readonly pod: PodParts;
    readonly rank: number;
  }
  interface OrderRow {
    readonly first: Ranked;
    readonly second: Ranked;
    /** A cluster may have the feature switched off: then no annotation counts. */
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
      expect(compareActivePods(first, second, NOW_MS)).toBeLessThan(0);
      expect(compareActivePods(second, first, NOW_MS)).toBeGreaterThan(0);
    },
  );

  interface EqualRow {
    readonly a: PodParts;
    readonly b: PodParts;
    readonly rank: number;
  }
  test.each(table<EqualRow, { equal: boolean }>('equalOrder', 6))(
    'tells two pods not apart but by their uids, as Kubernetes does: %s',
    (_, { input: { a, b, rank } }) => {
      const of = (parts: PodParts, uid: string) => ({ pod: aPod({ ...parts, uid }), rank });
      expect(compareActivePods(of(a, 'x'), of(b, 'x'), NOW_MS)).toBeCloseTo(0);
      expect(compareActivePods(of(b, 'x'), of(a, 'x'), NOW_MS)).toBeCloseTo(0);
    },
  );

  test('lets the uid decide between two ages of one magnitude, whichever is the older', () => {
    const of = (uid: string, readyAgeSeconds: number, restarts = 0) => ({
      pod: aPod({ uid, nodeName: 'node-1', ready: true, readyAgeSeconds, restarts }),
      rank: 1,
    });
    const [fiveHours, eightHours] = [18_000, 28_800];
    expect(compareActivePods(of('a', fiveHours), of('b', eightHours), NOW_MS)).toBeLessThan(0);
    expect(compareActivePods(of('b', fiveHours), of('a', eightHours), NOW_MS)).toBeGreaterThan(0);
    expect(compareActivePods(of('a', eightHours), of('b', fiveHours, 7), NOW_MS)).toBeLessThan(0);
  });

  test('compares the restarts of sidecars when those of containers are equal', () => {
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
    expect(compareActivePods(of('Always', 3, 'z'), of('Always', 1, 'a'), NOW_MS)).toBeLessThan(0);
    expect(compareActivePods(of(undefined, 3, 'z'), of('Always', 1, 'a'), NOW_MS)).toBeGreaterThan(0);
    expect(compareActivePods(of(undefined, 3, 'z'), of(undefined, 1, 'a'), NOW_MS)).toBeCloseTo(0);
  });

  interface SortRow {
    readonly pods: readonly PodParts[];
  }
  test.each(table<SortRow, { order: string[] }>('sortActive', 1))(
    'sorts many pods as Kubernetes does, in whatever order they come: %s',
    (_, { input, expect: { order } }) => {
      const all = input.pods.map(({ ageSeconds = null, ...parts }) => ({
        pod: aPod({ ...parts, ageSeconds }),
        rank: 1,
      }));
      const shuffled = fc.shuffledSubarray(all, { minLength: all.length });
      const sorts = fc.property(shuffled, (each) => {
        const sorted = [...each].sort((a, b) => compareActivePods(a, b, NOW_MS));
        expect(namesOf(sorted.map(({ pod }) => pod))).toEqual(order);
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
    'picks whom to delete as Kubernetes does: %s',
    (_, { input, expect: { names } }) => {
      const candidates = input.pods.map((parts, i) => aPod({ ...parts, uid: `uid-${i}` }));
      const related = (input.related ?? []).map(aPod);
      expect(namesOf(getPodsToDelete(candidates, related, input.diff, NOW_MS))).toEqual(names);
    },
  );

  test('picks in the order of deletion, and leaves the candidates as they were', () => {
    const candidates = [
      aPod({ name: 'ready', nodeName: 'node-1', ready: true }),
      aPod({ name: 'unscheduled', phase: 'Pending' }),
      aPod({ name: 'unready', nodeName: 'node-1', ready: false }),
    ];
    const before = [...candidates];
    expect(namesOf(getPodsToDelete(candidates, candidates, 2, NOW_MS))).toEqual(['unscheduled', 'unready']);
    expect(getPodsToDelete(candidates, candidates, 3, NOW_MS)).not.toBe(candidates);
    expect(getPodsToDelete(candidates, candidates, 0, NOW_MS)).toEqual([]);
    expect(candidates).toEqual(before);
  });
});

/** Long enough for any promise that waits for nothing but promises. */
async function untilQuiet(): Promise<void> {
  for (let i = 0; i < 100; i++) await Promise.resolve();
}

/** Calls that settle when a test says so. */
class Calls {
  started = 0;
  #waiting: { readonly index: number; readonly settle: (error?: unknown) => void }[] = [];

  readonly fn = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
      this.#waiting.push({ index: this.started++, settle });
    });

  /** Lets those that wait settle, last first: with an error where `fails` gives one for the number of the call. */
  settle(fails: (index: number) => unknown = () => undefined): void {
    for (const { index, settle } of this.#waiting.splice(0).reverse()) settle(fails(index));
  }
}

/** Lets all further calls settle, until the promise does or nobody calls any more. */
async function drain(result: Promise<unknown>, calls: Calls): Promise<void> {
  result.catch(() => {});
  for (let i = 0; i < 30; i++) {
    await untilQuiet();
    calls.settle();
  }
}

describe('Level 4 · Slow start', () => {
  interface SlowStartRow {
    readonly count: number;
    readonly callLimit: number;
    readonly initialBatch: number;
  }
  test.each(table<SlowStartRow, { successes: number; calls: number; error: boolean }>('slowStart', 4))(
    'starts slowly as Kubernetes does: %s',
    async (_, { input: { count, callLimit, initialBatch }, expect: wanted }) => {
      let calls = 0;
      const result = await slowStartBatch(count, initialBatch, async () => {
        if (calls++ >= callLimit) throw new Error('no more');
      });
      expect({ successes: result.successes, calls, error: result.error !== undefined }).toEqual(wanted);
    },
  );

  test('doubles each batch, and begins with the next when all of the last have settled', async () => {
    const calls = new Calls();
    const result = slowStartBatch(10, SLOW_START_INITIAL_BATCH_SIZE, calls.fn);
    result.catch(() => {});
    const started: number[] = [];
    for (let i = 0; i < 4; i++) {
      await untilQuiet();
      started.push(calls.started);
      calls.settle();
    }
    await drain(result, calls);
    expect(await result).toEqual({ successes: 10 });
    expect(started).toEqual([1, 3, 7, 10]);
  });

  test('begins with as many as it is told to', async () => {
    const calls = new Calls();
    const result = slowStartBatch(20, 4, calls.fn);
    result.catch(() => {});
    const started: number[] = [];
    for (let i = 0; i < 3; i++) {
      await untilQuiet();
      started.push(calls.started);
      calls.settle();
    }
    await drain(result, calls);
    expect((await result).successes).toBe(20);
    expect(started).toEqual([4, 12, 20]);
  });

  test('begins no batch after one in which a call failed, and counts those that did not', async () => {
    const calls = new Calls();
    const result = slowStartBatch(100, 1, calls.fn);
    result.catch(() => {});
    const error = new Error('quota exceeded');
    for (let i = 0; i < 3; i++) {
      await untilQuiet();
      calls.settle((index) => (index === 5 ? error : undefined));
    }
    expect(await result).toEqual({ successes: 6, error });
    expect(calls.started).toBe(7);
  });

  test('waits for every call of the batch that failed', async () => {
    let release = (): void => {};
    let calls = 0;
    let settled = false;
    const result = slowStartBatch(3, 2, async () => {
      if (++calls === 1) throw new Error('quota exceeded');
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    result.then(
      () => {
        settled = true;
      },
      () => {},
    );
    await untilQuiet();
    expect(settled).toBe(false);
    release();
    expect((await result).successes).toBe(1);
    expect(calls).toBe(2);
  });

  test('tells of the call that failed first in the order of calls, not in time', async () => {
    const calls = new Calls();
    const result = slowStartBatch(3, 3, calls.fn);
    result.catch(() => {});
    await untilQuiet();
    calls.settle((index) => (index === 0 ? undefined : new Error(`call ${index}`)));
    expect(await result).toEqual({ successes: 1, error: new Error('call 1') });
  });

  test('takes a call that throws at once for one that failed', async () => {
    const error = new Error('thrown');
    const result = await slowStartBatch(5, 1, () => {
      throw error;
    });
    expect(result).toEqual({ successes: 0, error });
  });

  test('has no error to tell of when none failed', async () => {
    expect(await slowStartBatch(3, 1, async () => {})).not.toHaveProperty('error');
  });
});

/** Expectations, and the time that they go by. */
function expecting() {
  let nowMs = NOW_MS;
  const expectations = new Expectations({ now: () => nowMs });
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { expectations, pass };
}

describe('Level 5 · Expectations', () => {
  const KEY = 'uid-of-web';

  test('knows nothing of a key at first, and waits for nothing when nothing was expected', () => {
    const { expectations } = expecting();
    expect(expectations.state(KEY)).toBe('unknown');
    expectations.begin(KEY);
    expectations.end(KEY);
    expect(expectations.state(KEY)).toBe('fulfilled');
    expect(expectations.state('uid-of-shop')).toBe('unknown');
  });

  test('waits until every pod that was created has been seen', () => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    expectations.expectCreations(KEY, ['a', 'b']);
    expectations.expectCreations(KEY, ['c']);
    expectations.end(KEY);
    for (const uid of ['a', 'c']) expectations.creationObserved(KEY, uid);
    expect(expectations.state(KEY)).toBe('pending');
    expectations.creationObserved(KEY, 'b');
    expect(expectations.state(KEY)).toBe('fulfilled');
  });

  interface Script {
    readonly steps: readonly { readonly do: string; readonly keys?: string[]; readonly key?: string }[];
  }
  interface ScriptResults {
    readonly results: readonly { readonly step: number; readonly satisfied: boolean }[];
  }
  const scripts = () =>
    named(
      vectors<Script, ScriptResults>(
        'replicaset',
        'expectations',
        2,
        ({ input }) => 'steps' in (input as object),
      ),
    );
  test.each(scripts())('waits as Kubernetes does: %s', (_, { input, expect: { results } }) => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    const told = input.steps.flatMap(({ do: what, keys = [], key = '' }, step) => {
      if (what === 'expectDeletions') expectations.expectDeletions(KEY, keys);
      if (what === 'deletionObserved') expectations.deletionObserved(KEY, key);
      if (what !== 'satisfied') return [];
      return [{ step, satisfied: expectations.state(KEY) === 'fulfilled' }];
    });
    expect(told).toEqual(results);
  });

  test('waits for one pod once, however often it is expected, and for that one only', () => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    expectations.expectCreations(KEY, ['a']);
    expectations.expectCreations(KEY, ['a']);
    expectations.end(KEY);
    expectations.creationObserved(KEY, 'stranger');
    expectations.creationObserved('uid-of-shop', 'a');
    expectations.deletionObserved(KEY, 'a');
    expect(expectations.state(KEY)).toBe('pending');
    expectations.creationObserved(KEY, 'a');
    expect(expectations.state(KEY)).toBe('fulfilled');
  });

  test('does not wait for what was seen before the answer came', () => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    expectations.creationObserved(KEY, 'a');
    expectations.expectCreations(KEY, ['a']);
    expectations.deletionObserved(KEY, 'b');
    expectations.expectDeletions(KEY, ['b']);
    expectations.end(KEY);
    expect(expectations.state(KEY)).toBe('fulfilled');
  });

  test('remembers nothing of what was seen before somebody began to act, or after', () => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    expectations.deletionObserved(KEY, 'a');
    expectations.end(KEY);
    expectations.deletionObserved(KEY, 'b');
    expectations.begin(KEY);
    expectations.expectDeletions(KEY, ['a', 'b']);
    expectations.end(KEY);
    expectations.deletionObserved(KEY, 'a');
    expect(expectations.state(KEY)).toBe('pending');
    expectations.deletionObserved(KEY, 'b');
    expect(expectations.state(KEY)).toBe('fulfilled');
  });

  test('waits no more for a deletion that failed', () => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    expectations.expectDeletions(KEY, ['a', 'b']);
    expectations.deletionFailed(KEY, 'a');
    expectations.end(KEY);
    expect(expectations.state(KEY)).toBe('pending');
    expectations.deletionObserved(KEY, 'b');
    expect(expectations.state(KEY)).toBe('fulfilled');
  });

  test('expects nothing for a key that was never begun, and harms nobody', () => {
    const { expectations } = expecting();
    expectations.expectCreations(KEY, ['a']);
    expectations.creationObserved(KEY, 'b');
    expectations.deletionFailed(KEY, 'c');
    expectations.doubt(KEY);
    expectations.end(KEY);
    expect(expectations.state(KEY)).toBe('unknown');
  });

  test('believes no longer that something comes when it has not come for five minutes', () => {
    const { expectations, pass } = expecting();
    expectations.begin(KEY);
    expectations.expectCreations(KEY, ['a']);
    expectations.end(KEY);
    expect(expectations.expiresInMs(KEY)).toBe(300_001);
    pass(EXPECTATIONS_TIMEOUT_MS);
    expect(expectations.state(KEY)).toBe('pending');
    expect(expectations.expiresInMs(KEY)).toBe(1);
    pass(1);
    expect(expectations.state(KEY)).toBe('expired');
    expect(expectations.expiresInMs(KEY)).toBeUndefined();
    expectations.creationObserved(KEY, 'a');
    expect(expectations.state(KEY)).toBe('fulfilled');
  });

  test('counts the time from what was expected last', () => {
    const { expectations, pass } = expecting();
    expectations.begin(KEY);
    expectations.expectCreations(KEY, ['a']);
    pass(200_000);
    expectations.expectDeletions(KEY, ['b']);
    expectations.end(KEY);
    pass(200_000);
    expect(expectations.state(KEY)).toBe('pending');
    expect(expectations.expiresInMs(KEY)).toBe(100_001);
  });

  test('is in doubt until somebody begins anew, and still waits for what it waited for', () => {
    const { expectations, pass } = expecting();
    expectations.begin(KEY);
    expectations.expectCreations(KEY, ['a']);
    expectations.doubt(KEY);
    expectations.end(KEY);
    expect(expectations.state(KEY)).toBe('unknown');
    expect(expectations.expiresInMs(KEY)).toBeUndefined();
    pass(1_000);
    expectations.begin(KEY);
    expectations.end(KEY);
    expect(expectations.state(KEY)).toBe('pending');
    expectations.creationObserved(KEY, 'a');
    expect(expectations.state(KEY)).toBe('fulfilled');
  });

  test('waits no longer for what had expired once somebody begins anew', () => {
    const { expectations, pass } = expecting();
    expectations.begin(KEY);
    expectations.expectCreations(KEY, ['a']);
    expectations.end(KEY);
    pass(300_001);
    expectations.begin(KEY);
    expectations.end(KEY);
    expect(expectations.state(KEY)).toBe('fulfilled');
  });

  test('forgets all about a key that is deleted', () => {
    const { expectations } = expecting();
    expectations.begin(KEY);
    expectations.expectCreations(KEY, ['a']);
    expectations.deleteExpectations(KEY);
    expect(expectations.state(KEY)).toBe('unknown');
    expectations.begin(KEY);
    expect(expectations.state(KEY)).toBe('fulfilled');
  });

  test('tells whom a new pod appears to, and who is to look', () => {
    const news = podNews(undefined, aPod({ ownerReferences: [owner()] }));
    expect(news).toEqual({ appearedTo: owner(), lostTo: undefined, wakes: [owner()], orphan: false });
  });

  test('tells the former controller of a pod that went, and the new one of a pod that came', () => {
    const [mine, yours] = [owner(), owner('uid-of-shop', 'shop')];
    const before = aPod({ ownerReferences: [mine] });
    const moved = podNews(before, aPod({ ownerReferences: [yours] }));
    expect(moved).toEqual({ appearedTo: undefined, lostTo: mine, wakes: [mine, yours], orphan: false });
    const freed = podNews(before, aPod());
    expect(freed).toEqual({ appearedTo: undefined, lostTo: mine, wakes: [mine], orphan: true });
    const gone = podNews(before, undefined);
    expect(gone).toEqual({ appearedTo: undefined, lostTo: mine, wakes: [mine], orphan: false });
  });

  test('wakes the controller at whatever change, and counts as lost what is no longer active', () => {
    const mine = { ownerReferences: [owner()] };
    const ready = podNews(aPod({ ...mine, ready: false }), aPod({ ...mine, ready: true }));
    expect(ready).toEqual({ appearedTo: undefined, lostTo: undefined, wakes: [owner()], orphan: false });
    expect(podNews(aPod(mine), aPod({ ...mine, phase: 'Failed' })).lostTo).toEqual(owner());
    expect(podNews(aPod(mine), aPod({ ...mine, deletionTimestamp: true })).lostTo).toEqual(owner());
  });

  test('takes an orphan for news when it is new, freed or labelled anew, and else not', () => {
    expect(podNews(undefined, aPod()).orphan).toBe(true);
    expect(podNews(aPod({ labels: {} }), aPod()).orphan).toBe(true);
    expect(podNews(aPod({ ready: false }), aPod({ ready: true })).orphan).toBe(false);
    expect(podNews(aPod(), undefined)).toEqual({
      appearedTo: undefined,
      lostTo: undefined,
      wakes: [],
      orphan: false,
    });
  });

  interface PodEvents {
    readonly events: readonly {
      readonly expect?: string[];
      readonly pod?: PodParts;
      readonly old?: PodParts;
      readonly new?: PodParts;
      readonly event: 'add' | 'update' | 'delete';
    }[];
  }
  interface PodEventsResults {
    readonly fulfilledAfter: readonly boolean[];
    readonly queued: readonly (boolean | null)[];
  }
  const podEvents = () =>
    named(
      vectors<PodEvents, PodEventsResults>('replicaset', 'expectations', 1, ({ input }) => 'events' in input),
    );
  test.each(podEvents())('hears of deletions as Kubernetes does: %s', (_, { input, expect: wanted }) => {
    const { expectations } = expecting();
    const of = (parts: PodParts | undefined) =>
      parts && aPod({ ...parts, uid: `ns/${parts.name}`, ownerReferences: [owner(KEY)] });
    const fulfilled: boolean[] = [];
    const queued: boolean[] = [];
    for (const { event, ...each } of input.events) {
      expectations.begin(KEY);
      if (each.expect) expectations.expectDeletions(KEY, each.expect);
      expectations.end(KEY);
      const previous = of(event === 'delete' ? each.pod : each.old);
      const current = of(event === 'add' ? each.pod : each.new);
      const { lostTo, wakes } = podNews(previous, current);
      const uid = (current ?? previous)?.metadata.uid as string;
      if (lostTo) expectations.deletionObserved(lostTo.uid, uid);
      fulfilled.push(expectations.state(KEY) === 'fulfilled');
      queued.push(wakes.some((reference) => reference.uid === KEY));
    }
    expect(fulfilled).toEqual(wanted.fulfilledAfter);
    expect(queued).toEqual(wanted.queued.map((each, i) => each ?? queued[i]));
  });
});

/** What it rejects with, as text. @throws NotImplemented as it is, so that it is the failure that a learner reads */
async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof NotImplemented) throw error;
    return String(error);
  }
  return 'it did not fail';
}

describe('Level 6 · Status', () => {
  const failure = new Error('quota exceeded');
  const FAILED: ReplicaSetCondition = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' };

  test('takes a ready pod for available once it has been ready for longer than it has to be', () => {
    const pod = aPod({ ready: true, readyAgeSeconds: 10 });
    expect(isPodAvailable(pod, 9, NOW_MS)).toBe(true);
    expect(isPodAvailable(pod, 10, NOW_MS)).toBe(false);
    expect(isPodAvailable(pod, 10, NOW_MS + 1)).toBe(true);
    expect(isPodAvailable(aPod({ ready: false, readyAgeSeconds: 100 }), 0, NOW_MS)).toBe(false);
  });

  test('takes ready for enough when no time is asked for', () => {
    expect(isPodAvailable(aPod({ ready: true, readyAgeSeconds: 0 }), 0, NOW_MS)).toBe(true);
    expect(isPodAvailable(aPod({ ready: true, readyAgeSeconds: null }), 0, NOW_MS)).toBe(true);
    expect(isPodAvailable(aPod({ ready: true, readyAgeSeconds: null }), 1, NOW_MS)).toBe(false);
  });

  test('knows when time alone will make the next pod available', () => {
    const all = [30, 4, 7, 2].map((readyAgeSeconds) => aPod({ ready: true, readyAgeSeconds }));
    expect(nextAvailabilityMs(all, 10, NOW_MS)).toBe(3_001);
    expect(nextAvailabilityMs([aPod({ ready: true, readyAgeSeconds: 10 })], 10, NOW_MS)).toBe(1);
  });

  test('waits for no pod that is available, that is not ready, or that does not say since when', () => {
    const waiting = (parts: PodParts) => nextAvailabilityMs([aPod(parts)], 10, NOW_MS);
    expect(waiting({ ready: true, readyAgeSeconds: 30 })).toBeUndefined();
    expect(waiting({ ready: false, readyAgeSeconds: 1 })).toBeUndefined();
    expect(waiting({ ready: true, readyAgeSeconds: null })).toBeUndefined();
    expect(nextAvailabilityMs([], 10, NOW_MS)).toBeUndefined();
  });

  interface SetRow {
    readonly conditions: readonly ReplicaSetCondition[];
    readonly condition: ReplicaSetCondition;
  }
  test.each(table<SetRow, { conditions: ReplicaSetCondition[] }>('setCondition', 2))(
    'sets a condition as Kubernetes does: %s',
    (_, { input, expect: wanted }) =>
      expect(setCondition(input.conditions, input.condition)).toEqual(wanted.conditions),
  );

  test('leaves a condition that says the same as it was, with its time and its message', () => {
    const old = { ...FAILED, lastTransitionTime: secondsAgo(60), message: 'old' };
    const other = { type: 'Other', status: 'True' };
    const anew = { ...FAILED, lastTransitionTime: secondsAgo(0), message: 'new' };
    expect(setCondition([old, other], anew)).toEqual([old, other]);
    const over = { ...anew, status: 'False' };
    expect(setCondition([old, other], over)).toEqual([other, over]);
  });

  test('removes the condition of a type, and nothing else', () => {
    const other = { type: 'Other', status: 'True' };
    expect(removeCondition([FAILED, other], 'ReplicaFailure')).toEqual([other]);
    expect(removeCondition([other], 'ReplicaFailure')).toEqual([other]);
  });

  interface StatusRow {
    readonly spec: {
      readonly replicas: number;
      readonly minReadySeconds?: number;
      readonly selector: Labels;
      readonly templateLabels: Labels;
    };
    readonly pods: readonly PodParts[];
  }
  test.each(
    table<StatusRow, Required<Omit<ReplicaSetStatus, 'conditions' | 'observedGeneration'>>>(
      'calculateStatus',
      5,
    ),
  )('counts as Kubernetes does: %s', (_, { input, expect: wanted }) => {
    const { templateLabels, ...spec } = input.spec;
    const template = { metadata: { labels: { ...templateLabels } }, spec: { containers: [container] } };
    const active = input.pods.map((parts) => aPod({ readyAgeSeconds: 0, ...parts }));
    const status = calculateStatus(aReplicaSet({ ...spec, template }), active, undefined, NOW_MS);
    const none = { fullyLabeledReplicas: 0, readyReplicas: 0, availableReplicas: 0 };
    expect({ ...none, ...status }).toEqual(wanted);
  });

  test('leaves out a count of none, all but that of the pods, and has no conditions without any', () => {
    expect(calculateStatus(aReplicaSet(), [], undefined, NOW_MS)).toEqual({ replicas: 0 });
    const status = { replicas: 5, readyReplicas: 5, observedGeneration: 3, conditions: [] };
    const pending = [aPod({ phase: 'Pending' })];
    expect(calculateStatus(aReplicaSet({ status }), pending, undefined, NOW_MS)).toEqual({
      replicas: 1,
      fullyLabeledReplicas: 1,
      observedGeneration: 3,
    });
  });

  test('counts as available who has been ready for minReadySeconds', () => {
    const all = [5, 10, 15].map((readyAgeSeconds) => aPod({ ready: true, readyAgeSeconds }));
    const status = calculateStatus(aReplicaSet({ minReadySeconds: 10 }), all, undefined, NOW_MS);
    expect(status).toMatchObject({ replicas: 3, readyReplicas: 3, availableReplicas: 1 });
  });

  interface ConditionsRow {
    readonly specReplicas: number;
    readonly activePods: number;
    readonly error: string;
    readonly conditions: ReplicaSetCondition[];
  }
  test.each(table<ConditionsRow, { conditions: ReplicaSetCondition[] }>('calculateConditions', 3))(
    'tells of a failure as Kubernetes does: %s',
    (_, { input, expect: wanted }) => {
      const rs = aReplicaSet({
        replicas: input.specReplicas,
        status: { replicas: 0, conditions: input.conditions },
      });
      const active = Array.from({ length: input.activePods }, (_, i) => aPod({ name: `pod-${i}` }));
      const { conditions = [] } = calculateStatus(rs, active, new Error(input.error), NOW_MS);
      const timeless = conditions.map(({ lastTransitionTime, ...rest }) => rest);
      expect(timeless).toEqual(wanted.conditions);
    },
  );

  test('says since when it fails, and stops when it does not any more', () => {
    const { conditions } = calculateStatus(aReplicaSet(), [], failure, NOW_MS);
    const told = { ...FAILED, message: 'quota exceeded', lastTransitionTime: '2024-04-17T00:00:00Z' };
    expect(conditions).toEqual([told]);
    const other = { type: 'Other', status: 'True' };
    const status = { replicas: 0, conditions: [told, other] };
    expect(calculateStatus(aReplicaSet({ status }), [], undefined, NOW_MS).conditions).toEqual([other]);
    const balanced = calculateStatus(aReplicaSet(), [aPod()], failure, NOW_MS).conditions;
    expect(balanced).toHaveLength(1);
    expect(balanced?.[0]).not.toHaveProperty('reason');
  });

  /** A server with one ReplicaSet and nobody who looks after it. */
  const serving = async () => {
    const cluster = await createCluster();
    const { metadata, spec } = aReplicaSet({ replicas: 2 });
    const { name, namespace } = metadata;
    const create = { metadata: { name, namespace: namespace as string }, spec };
    const created = await cluster.admin.create(replicaSets, create);
    const stored = () => cluster.storage.get(replicaSets, keyOf(created)) as ReplicaSet;
    return {
      cluster,
      client: cluster.admin,
      created,
      stored,
      [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
    };
  };

  test('writes a status, and of which generation it speaks', async () => {
    await using server = await serving();
    const written = await updateReplicaSetStatus(server.client, server.created, { replicas: 2 });
    expect(server.stored().status).toEqual({ replicas: 2, observedGeneration: 1 });
    expect(written).toEqual(server.stored());
  });

  test('writes when nothing is new but the generation that it has seen, and else nothing at all', async () => {
    await using server = await serving();
    const written = await updateReplicaSetStatus(server.client, server.created, { replicas: 0 });
    expect(server.stored().status).toEqual({ replicas: 0, observedGeneration: 1 });
    const before = server.cluster.storage.revision;
    const vague = { replicas: 0, readyReplicas: 0, availableReplicas: 0, conditions: [] };
    expect(await updateReplicaSetStatus(server.client, written, vague)).toBe(written);
    expect(server.cluster.storage.revision).toBe(before);
  });

  test('tries once more on what is newer, but speaks of the generation that it acted on', async () => {
    await using server = await serving();
    const { created } = server;
    await server.client.update(replicaSets, { ...created, spec: { ...created.spec, replicas: 5 } });
    await updateReplicaSetStatus(server.client, created, { replicas: 2 });
    expect(server.stored().metadata.generation).toBe(2);
    expect(server.stored().spec.replicas).toBe(5);
    expect(server.stored().status).toEqual({ replicas: 2, observedGeneration: 1 });
  });

  test('does not overwrite what somebody says who has seen a newer generation', async () => {
    await using server = await serving();
    const { created } = server;
    const scaled = await server.client.update(replicaSets, {
      ...created,
      spec: { ...created.spec, replicas: 5 },
    });
    const newer = { replicas: 4, observedGeneration: 2 };
    await server.client.updateStatus(replicaSets, { ...scaled, status: newer });
    const update = updateReplicaSetStatus(server.client, created, { replicas: 2 });
    expect(await failureOf(update)).toMatch(/web/);
    expect(server.stored().status).toEqual(newer);
  });

  test('does not write its status on another one of the same name', async () => {
    await using server = await serving();
    const { created } = server;
    await server.client.delete(replicaSets, keyOf(created));
    const { name, namespace } = created.metadata;
    await server.client.create(replicaSets, {
      metadata: { name, namespace: namespace as string },
      spec: created.spec,
    });
    const update = updateReplicaSetStatus(server.client, created, { replicas: 2 });
    expect(await failureOf(update)).toMatch(/web/);
    expect(server.stored().status).toEqual({ replicas: 0 });
  });

  test('gives up when the second try fails, too, and tells why', async () => {
    const rs = aReplicaSet();
    let sent = 0;
    const client: Pick<Client, 'get' | 'updateStatus'> = {
      get: async () => rs as never,
      updateStatus: async () => {
        throw errors.internal(`try ${++sent}`);
      },
    };
    expect(await failureOf(updateReplicaSetStatus(client, rs, { replicas: 2 }))).toMatch(/try 2/);
    expect(sent).toBe(2);
  });
});

/** The process that the controller runs in. */
const PROCESS = 'replicaset-controller';
const NAMESPACE = 'default';

interface SetParts {
  readonly name?: string;
  readonly namespace?: string;
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly selector?: Labels;
  readonly ownerReferences?: OwnerReference[];
}

/** A cluster in which a ReplicaSet controller works, and in which the test does what all others do. */
class Stage implements AsyncDisposable {
  readonly cluster;
  #process: Process | undefined;

  private constructor(cluster: Awaited<ReturnType<typeof createCluster>>) {
    this.cluster = cluster;
  }

  /** One in which nobody works yet. */
  static async empty(options: ClusterOptions = {}): Promise<Stage> {
    return new Stage(
      await createCluster({ components: { ...components, replicaSetController }, ...options }),
    );
  }

  /** One in which the controller works. */
  static async begin(options: ClusterOptions = {}): Promise<Stage> {
    const stage = await Stage.empty(options);
    await stage.start();
    return stage;
  }

  /** @param beforeCreate what happens just before it asks for a pod to be created */
  async start(beforeCreate?: () => void, replica = 0): Promise<void> {
    this.#process = this.cluster.run(
      PROCESS,
      (context) => {
        if (!beforeCreate) return replicaSetController(context);
        const client = intercept(context.client, (request, send) => {
          if (request.verb === 'create' && request.resource === pods) beforeCreate();
          return send(request);
        });
        return replicaSetController({ ...context, client });
      },
      { replica },
    );
    await this.pass();
  }

  get admin(): Client {
    return this.cluster.admin;
  }

  get process(): Process {
    return this.#process as Process;
  }

  /** Lets everybody do what is to be done, for so long. */
  async pass(ms = 500): Promise<void> {
    await this.cluster.runFor(ms);
    this.mustRun();
  }

  mustRun(): void {
    if (this.#process?.failure !== undefined) throw this.#process.failure;
  }

  async addSet(parts: SetParts = {}): Promise<ReplicaSet> {
    const { name = 'web', namespace = NAMESPACE, replicas = 1, minReadySeconds, selector = LABELS } = parts;
    const created = await this.admin.create(replicaSets, {
      metadata: {
        name,
        namespace,
        ...(parts.ownerReferences ? { ownerReferences: parts.ownerReferences } : {}),
      },
      spec: {
        replicas,
        ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
        selector: { matchLabels: { ...selector } },
        template: {
          metadata: { labels: { ...selector, version: '1' }, annotations: { note: 'hello' } },
          spec: { containers: [container] },
        },
      },
    });
    await this.pass();
    return created;
  }

  set(name = 'web', namespace = NAMESPACE): ReplicaSet {
    return this.cluster.storage.get(replicaSets, { namespace, name }) as ReplicaSet;
  }

  async scale(replicas: number): Promise<void> {
    await this.admin.updateScale(replicaSets, { namespace: NAMESPACE, name: 'web' }, { replicas });
    await this.pass();
  }

  /** Changes something about the ReplicaSet that is of no consequence: somebody has to look. */
  async poke(note: string): Promise<void> {
    const body = { metadata: { annotations: { note } } };
    await this.admin.patch(replicaSets, { namespace: NAMESPACE, name: 'web' }, { type: 'merge', body });
    await this.pass();
  }

  async addPod(
    name: string,
    parts: { labels?: Labels; ownerReferences?: OwnerReference[] } = {},
  ): Promise<Pod> {
    const { labels = LABELS, ownerReferences = [] } = parts;
    return this.admin.create(pods, {
      metadata: { namespace: NAMESPACE, name, labels: { ...labels }, ownerReferences },
      spec: { containers: [container] },
    });
  }

  /** Scheduler and kubelet: the pod has a node, runs and is ready. */
  async startPod(pod: KubeObject, node = 'node-1', ready = true): Promise<void> {
    await this.admin.bind(keyOf(pod), node);
    await this.setReady(pod, ready);
  }

  async setReady(pod: KubeObject, ready: boolean): Promise<void> {
    const current = this.pod(pod.metadata.name) as Pod;
    const lastTransitionTime = formatTime(this.cluster.clock.now());
    const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime }];
    await this.admin.updateStatus(pods, {
      ...current,
      status: { ...current.status, phase: 'Running', conditions },
    });
  }

  pod(name: string): Pod | undefined {
    return this.cluster.storage.get(pods, { namespace: NAMESPACE, name }) as Pod | undefined;
  }

  pods(): Pod[] {
    return this.cluster.storage.list(pods) as KubeObject[] as Pod[];
  }

  /** The pods that work or will, and that this ReplicaSet controls. */
  active(name = 'web'): Pod[] {
    const uid = this.set(name)?.metadata.uid;
    return this.pods().filter(
      ({ metadata, status }) =>
        !metadata.deletionTimestamp &&
        status.phase !== 'Failed' &&
        metadata.ownerReferences?.some((each) => each.controller && each.uid === uid),
    );
  }

  /** The controller's own writes, events apart. */
  writes() {
    return this.cluster.journal.entries.filter(
      ({ actor, resource }) =>
        actor === PROCESS && (resource.plural === 'pods' || resource.plural === 'replicasets'),
    );
  }

  /** How often the controller did this to pods. */
  count(verb: 'create' | 'delete' | 'patch'): number {
    return this.writes().filter((entry) => entry.verb === verb && entry.resource.plural === 'pods').length;
  }

  /** What came of each time that it asked for a pod to be created, or deleted. */
  asked(what: 'create' | 'delete' = 'create'): string[] {
    return this.cluster.trace.entries
      .filter(({ actor, verb, object }) => actor === PROCESS && verb === what && object?.startsWith('pods'))
      .map(({ outcome = '' }) => outcome);
  }

  /** Every condition of the kind that a ReplicaSet ever had. */
  failuresTold(): string[] {
    return this.cluster.journal
      .of(replicaSets)
      .flatMap(({ object }) => object.status?.conditions ?? [])
      .map(({ type, status, reason }) => `${type} ${status} ${reason}`);
  }

  /** What the controller told people. */
  told(): string[] {
    return this.cluster.journal
      .of(events)
      .filter(({ actor, type }) => actor === PROCESS && type === 'ADDED')
      .map(({ object }) => `${object.type} ${object.reason}: ${object.message}`);
  }

  /** Lets the controller see no change of this resource for so long. */
  blind(resource: 'pods' | 'replicasets', forMs: number): void {
    this.cluster.nemesis.strike({ fault: 'delay-watches', process: PROCESS, forMs, resource });
  }

  refuse(reason: 'Forbidden' | 'InternalError' | 'Conflict' | 'TooManyRequests', requests: number): void {
    this.cluster.nemesis.strike({ fault: 'refuse', process: PROCESS, reason, requests });
  }

  /** The most pods of this ReplicaSet that were ever active at once. */
  mostActive(uid: string): number {
    let most = 0;
    for (const { objects } of this.cluster.journal.states(pods)) {
      const mine = [...objects.values()].filter(
        ({ metadata }) =>
          !metadata.deletionTimestamp &&
          metadata.ownerReferences?.some((each) => each.controller && each.uid === uid),
      );
      most = Math.max(most, mine.length);
    }
    return most;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster[Symbol.asyncDispose]();
  }
}

describe('Level 7 · The controller', () => {
  interface SyncRow {
    readonly spec: { readonly replicas: number };
    readonly createSucceedsUntil?: number;
  }
  interface SyncResult {
    readonly creates?: number;
    readonly deletes?: number;
    readonly adoptPatches?: number;
    readonly successfulCreates?: number;
    readonly maxCreateCalls?: number;
    readonly createCallsPerSync?: number[];
  }
  /** Each row of upstream's table of whole syncs sets a scene of its own. */
  const syncRow = (id: string): VectorCase<SyncRow, SyncResult> => {
    const row = vectors<SyncRow, SyncResult>('replicaset', 'sync', 5).find((each) => each.id === id);
    if (!row) throw new Error(`Failed to find row ${id} in the table of syncs.`);
    return row;
  };
  const KEY = { namespace: NAMESPACE, name: 'web' };

  test('creates as many pods as are wanted, each its own and like the template', async () => {
    await using stage = await Stage.begin();
    const { metadata } = await stage.addSet({ replicas: 3 });
    expect(stage.active()).toHaveLength(3);
    for (const pod of stage.active()) {
      expect(pod.metadata.name).toMatch(/^web-/);
      expect(pod.metadata.generateName).toBe('web-');
      expect(pod.metadata.labels).toEqual({ ...LABELS, version: '1' });
      expect(pod.metadata.annotations).toEqual({ note: 'hello' });
      expect(pod.metadata.ownerReferences).toEqual([owner(metadata.uid)]);
    }
  });

  test('tells of each pod that it creates, and in the status what there is', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 2 });
    const told = stage.pods().map((pod) => `Normal SuccessfulCreate: Created pod: ${pod.metadata.name}`);
    expect(stage.told()).toEqual(expect.arrayContaining(told));
    expect(stage.set().status).toMatchObject({
      replicas: 2,
      fullyLabeledReplicas: 2,
      observedGeneration: 1,
    });
  });

  test('agrees with Kubernetes: 2 running of 2: nothing', async () => {
    const { input, expect: wanted } = syncRow('sync-01');
    await using stage = await Stage.empty();
    const { metadata } = await stage.addSet(input.spec);
    for (const name of ['pod0', 'pod1']) {
      await stage.startPod(await stage.addPod(name, { ownerReferences: [owner(metadata.uid)] }));
    }
    await stage.start();
    expect(stage.count('create')).toBe(wanted.creates);
    expect(stage.count('delete')).toBe(wanted.deletes);
    expect(stage.count('patch')).toBe(wanted.adoptPatches);
    expect(stage.set().status.readyReplicas).toBe(2);
  });

  test('replaces a pod that is deleted while it still stops, and one that failed', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 2 });
    const [first, second] = stage.active() as [Pod, Pod];
    await stage.startPod(first);
    await stage.startPod(second);
    await stage.admin.delete(pods, keyOf(first));
    await stage.admin.updateStatus(pods, {
      ...(stage.pod(second.metadata.name) as Pod),
      status: { phase: 'Failed' },
    });
    await stage.pass();
    expect(stage.active()).toHaveLength(2);
    expect(stage.pods()).toHaveLength(4);
    expect(stage.count('delete')).toBe(0);
  });

  test('deletes what is too much, worst first, and tells of it', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 3 });
    const [first, second, third] = stage.active() as [Pod, Pod, Pod];
    await stage.startPod(first);
    await stage.startPod(second, 'node-2', false);
    await stage.startPod(third, 'node-3');
    await stage.pass();
    await stage.scale(2);
    expect(namesOf(stage.active()).sort()).toEqual(namesOf([first, third]).sort());
    expect(stage.told()).toContain(`Normal SuccessfulDelete: Deleted pod: ${second.metadata.name}`);
    await stage.scale(0);
    expect(stage.active()).toEqual([]);
    expect(stage.set().status).toMatchObject({ replicas: 0, observedGeneration: 3 });
  });

  interface RelatedRow {
    readonly replicaSets: readonly {
      readonly name: string;
      readonly ownerUID: string;
      readonly deleting?: boolean;
    }[];
    readonly of: string;
    readonly pods?: readonly { readonly name: string; readonly owner: string }[];
  }
  // One that is being deleted deletes nothing: whose pods it takes for its kin cannot be seen.
  const observable = ({
    input: { replicaSets: all, of },
  }: VectorCase<unknown, unknown> & { input: RelatedRow }) =>
    !all.some(({ name, deleting }) => name === of && deleting);
  const kin = () => [
    ...named(vectors<RelatedRow, { names: string[] }>('replicaset', 'relatedPods', 1, observable)),
    ...named(vectors<RelatedRow, { names: string[] }>('replicaset', 'siblingReplicaSets', 1, observable)),
  ];
  test.each(kin())(
    'counts as crowding a node whom Kubernetes counts: %s',
    async (_, { input, expect: { names } }) => {
      await using stage = await Stage.empty();
      for (const { name, ownerUID } of input.replicaSets) {
        const ownerReferences = [owner(ownerUID, 'site', 'Deployment')];
        await stage.addSet({
          name,
          selector: { app: name },
          replicas: name === input.of ? 1 : 2,
          ownerReferences,
        });
      }
      const isKin = (name: string) =>
        input.pods
          ? input.pods.some((pod) => pod.owner === name && names.includes(pod.name))
          : names.includes(name);
      const others = input.replicaSets.filter(({ name }) => name !== input.of);
      const addOwned = async (set: string, name: string, node: string) => {
        const pod = await stage.addPod(name, {
          labels: { app: set },
          ownerReferences: [owner(stage.set(set).metadata.uid, set)],
        });
        await stage.startPod(pod, node);
      };
      for (const { name } of others.filter((each) => isKin(each.name))) {
        for (const i of [1, 2]) await addOwned(name, `kin-${name}-${i}`, 'crowded');
      }
      for (const { name } of others.filter((each) => !isKin(each.name))) {
        for (const i of [1, 2]) await addOwned(name, `other-${name}-${i}`, 'quiet');
      }
      // Whoever counted others, or no kin, would take the younger one on the quiet node.
      await addOwned(input.of, 'on-crowded', 'crowded');
      if (others.some(({ name }) => isKin(name))) await stage.pass(60_000);
      await addOwned(input.of, 'on-quiet', 'quiet');
      if (!others.some(({ name }) => isKin(name))) {
        await stage.pass(60_000);
        await stage.setReady({ ...(stage.pod('on-crowded') as Pod) }, false);
        await stage.setReady({ ...(stage.pod('on-crowded') as Pod) }, true);
      }
      await stage.start();
      expect(namesOf(stage.active(input.of))).toEqual(['on-quiet']);
    },
  );

  test('adopts an orphan rather than create a pod, and one that comes later, too', async () => {
    await using stage = await Stage.begin();
    await stage.addPod('early');
    const { metadata } = await stage.addSet({ replicas: 1 });
    expect(namesOf(stage.active())).toEqual(['early']);
    expect(stage.pod('early')?.metadata.ownerReferences).toEqual([owner(metadata.uid)]);
    await stage.startPod(stage.pod('early') as Pod);
    await stage.addPod('late');
    await stage.pass();
    const adopted = stage.writes().filter(({ verb }) => verb === 'patch');
    expect(adopted.map(({ object }) => object.metadata.name)).toEqual(['early', 'late']);
    expect(namesOf(stage.active())).toEqual(['early']);
    expect(stage.count('create')).toBe(0);
  });

  test('adopts a pod that becomes its like by a label, and leaves its other owners alone', async () => {
    await using stage = await Stage.begin();
    const { controller, blockOwnerDeletion, ...friend } = owner('uid-of-friend', 'friend', 'ConfigMap');
    await stage.addSet({ replicas: 0 });
    await stage.scale(1);
    const [own] = stage.active() as [Pod];
    await stage.addPod('stray', { labels: { app: 'other' }, ownerReferences: [friend as OwnerReference] });
    await stage.pass();
    expect(stage.pod('stray')?.metadata.ownerReferences).toHaveLength(1);
    await stage.startPod(stage.pod('stray') as Pod);
    const body = { metadata: { labels: LABELS } };
    await stage.admin.patch(pods, { namespace: NAMESPACE, name: 'stray' }, { type: 'merge', body });
    await stage.pass();
    expect(stage.pod('stray')?.metadata.ownerReferences).toHaveLength(2);
    expect(stage.pod('stray')?.metadata.ownerReferences).toContainEqual(friend);
    expect(stage.pod(own.metadata.name)).toBeUndefined();
  });

  test('lets go of a pod that matches no longer, and makes up for it', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 1 });
    const [pod] = stage.active() as [Pod];
    await stage.admin.patch(pods, keyOf(pod), {
      type: 'merge',
      body: { metadata: { labels: { app: 'debug' } } },
    });
    await stage.pass();
    expect(stage.pod(pod.metadata.name)?.metadata.ownerReferences ?? []).toEqual([]);
    expect(stage.pod(pod.metadata.name)?.metadata.deletionTimestamp).toBeUndefined();
    expect(stage.active()).toHaveLength(1);
    expect(stage.active()[0]?.metadata.uid).not.toBe(pod.metadata.uid);
  });

  test('leaves alone what somebody else controls, and does not count it', async () => {
    await using stage = await Stage.begin();
    const database = owner('uid-of-db', 'db', 'StatefulSet');
    const before = await stage.addPod('db-0', { ownerReferences: [database] });
    await stage.addSet({ replicas: 1 });
    expect(stage.active()).toHaveLength(1);
    await stage.scale(0);
    expect(stage.pods()).toEqual([before]);
    expect(stage.set().status.replicas).toBe(0);
  });

  test('agrees with Kubernetes: 100 wanted, API refuses after 10: stops early', async () => {
    const { input, expect: wanted } = syncRow('sync-02');
    let left = input.createSucceedsUntil as number;
    await using stage = await Stage.empty();
    await stage.start(() => {
      if (left-- <= 0) stage.refuse('Forbidden', 1);
    });
    const { name, namespace } = aReplicaSet().metadata;
    await stage.admin.create(replicaSets, {
      metadata: { name, namespace: namespace as string },
      spec: aReplicaSet(input.spec).spec,
    });
    // The first status that tells of a failure ends the first sync.
    await stage.cluster.runUntil(() => stage.failuresTold().length > 0, 5_000);
    stage.mustRun();
    expect(stage.count('create')).toBe(wanted.successfulCreates);
    expect(stage.asked().length).toBeLessThanOrEqual(wanted.maxCreateCalls as number);
    expect(stage.count('delete')).toBe(wanted.deletes);
  });

  test('tells of a create that fails, tries again, and takes it back when it has succeeded', async () => {
    await using stage = await Stage.begin();
    stage.refuse('Forbidden', 2);
    await stage.addSet({ replicas: 2 });
    expect(stage.failuresTold()).toContain('ReplicaFailure True FailedCreate');
    expect(
      stage.told().filter((line) => /^Warning FailedCreate: Error creating: .*quota/.test(line)),
    ).not.toEqual([]);
    expect(stage.active()).toHaveLength(2);
    await stage.pass(5_000);
    expect(stage.set().status).toMatchObject({ replicas: 2, observedGeneration: 1 });
    expect(stage.set().status.conditions ?? []).toEqual([]);
  });

  test('makes no fuss about a namespace that is going away', async () => {
    await using stage = await Stage.begin();
    await stage.admin.create(namespaces, { metadata: { name: 'shop' }, spec: {} });
    await stage.addSet({ namespace: 'shop' });
    const [pod] = stage.pods() as [Pod];
    await stage.admin.delete(namespaces, { name: 'shop' });
    await stage.admin.delete(pods, keyOf(pod), { gracePeriodSeconds: 0 });
    await stage.pass(5_000);
    expect(stage.asked().filter((outcome) => outcome !== 'ok')).not.toEqual([]);
    expect(stage.set('web', 'shop').status.replicas).toBe(0);
    expect(stage.failuresTold()).toEqual([]);
  });

  test('tries again whatever the server refuses, and ends with neither more nor less', async () => {
    await using stage = await Stage.begin();
    stage.refuse('InternalError', 4);
    const { metadata } = await stage.addSet({ replicas: 3 });
    await stage.pass(400_000);
    expect(stage.active()).toHaveLength(3);
    stage.refuse('InternalError', 4);
    await stage.scale(1);
    await stage.pass(400_000);
    expect(stage.active()).toHaveLength(1);
    expect(stage.mostActive(metadata.uid)).toBe(3);
    expect(stage.set().status).toMatchObject({ replicas: 1, observedGeneration: 2 });
  });

  test('tries soon again to delete what it was refused to delete', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 3 });
    await stage.pass();
    stage.refuse('TooManyRequests', 1);
    await stage.scale(1);
    await stage.pass(30_000);
    expect(stage.active()).toHaveLength(1);
  });

  test('creates no pod twice because an answer was lost', async () => {
    await using stage = await Stage.begin();
    const { metadata } = await stage.addSet({ replicas: 2 });
    const [pod] = stage.active() as [Pod];
    stage.cluster.nemesis.strike({ fault: 'time-out', process: PROCESS, performed: true });
    await stage.admin.delete(pods, keyOf(pod));
    // Done at once, answered never; and before the new pod can be seen, nothing can be seen any more.
    await stage.cluster.runUntil(() => stage.active().length === 2, 70_000);
    stage.blind('pods', 200_000);
    await stage.pass(500_000);
    expect(stage.active()).toHaveLength(2);
    expect(stage.mostActive(metadata.uid)).toBe(2);
  });

  test('agrees with Kubernetes: expectations block a second create until observed', async () => {
    const { expect: wanted } = syncRow('sync-03');
    await using stage = await Stage.empty();
    const { metadata } = await stage.addSet({ replicas: 2 });
    await stage.addPod('pod0', { ownerReferences: [owner(metadata.uid)] });
    const calls: number[] = [];
    const count = (): void => {
      calls.push(stage.asked().length - calls.reduce((sum, each) => sum + each, 0));
    };
    await stage.start(() => {});
    count();
    // Another one is missing, and nothing that happens to the ReplicaSet makes up for what is not seen of its pods.
    stage.blind('pods', 10_000);
    await stage.scale(3);
    const once = stage.asked().length;
    for (const note of ['a', 'b', 'c']) await stage.poke(note);
    calls.push(stage.asked().length - once);
    await stage.pass(10_000);
    const before = stage.asked().length;
    stage.refuse('Forbidden', 1);
    await stage.admin.delete(pods, keyOf(stage.active()[0] as Pod));
    await stage.pass();
    const outcomes = stage.asked().slice(before);
    calls.push(...outcomes.map(() => 1));
    expect(calls).toEqual(wanted.createCallsPerSync);
    expect(outcomes.map((outcome) => outcome === 'ok')).toEqual([false, true]);
    expect(stage.count('delete')).toBe(wanted.deletes);
  });

  test('deletes no more while it does not see that what it deleted has gone', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 4 });
    for (const pod of stage.active()) await stage.startPod(pod);
    await stage.pass();
    stage.blind('pods', 60_000);
    await stage.scale(2);
    for (const note of ['a', 'b']) await stage.poke(note);
    await stage.pass(120_000);
    expect(stage.active()).toHaveLength(2);
    expect(stage.asked('delete')).toEqual(['ok', 'ok']);
  });

  test('looks at the server itself before it acts on what it has not seen for five minutes', async () => {
    await using stage = await Stage.begin();
    stage.blind('pods', 700_000);
    const { metadata } = await stage.addSet({ replicas: 2 });
    expect(stage.active()).toHaveLength(2);
    await stage.pass(310_000);
    await stage.poke('look again');
    await stage.pass(100_000);
    expect(stage.count('create')).toBe(2);
    expect(stage.mostActive(metadata.uid)).toBe(2);
  });

  test('looks again by itself when what it waits for has not come, and makes up for what is missing', async () => {
    await using stage = await Stage.begin();
    stage.blind('pods', 700_000);
    await stage.addSet({ replicas: 2 });
    await stage.admin.delete(pods, keyOf(stage.active()[0] as Pod));
    await stage.pass(310_000);
    expect(stage.active()).toHaveLength(2);
  });

  test('trusts no cache after a restart: it may be older than what was done before', async () => {
    await using stage = await Stage.empty({ replicas: 2 });
    const { metadata } = await stage.addSet({ replicas: 2 });
    stage.cluster.nemesis.strike({ fault: 'lag', replica: 1, forMs: 30_000 });
    await stage.start(undefined, 1);
    expect(stage.active()).toHaveLength(2);
    stage.process.crash();
    stage.process.start();
    await stage.pass(60_000);
    expect(stage.active()).toHaveLength(2);
    expect(stage.mostActive(metadata.uid)).toBe(2);
  });

  test('waits for no pod that went before it asked the server', async () => {
    await using stage = await Stage.empty({ latencyMs: 5 });
    const { metadata } = await stage.addSet({ replicas: 4 });
    const ownerReferences = [owner(metadata.uid)];
    const going = await stage.addPod('going', { ownerReferences });
    await stage.addPod('staying', { ownerReferences });
    await stage.addPod('orphan');
    // While it asks whether it may adopt the orphan, a pod goes, and it hears of that before it acts.
    const watch = (): void => {
      const asks = stage.cluster.trace.entries.some(({ actor, verb }) => actor === PROCESS && verb === 'get');
      if (asks) void stage.admin.delete(pods, keyOf(going));
      else stage.cluster.clock.after(1, watch);
    };
    watch();
    await stage.start();
    await stage.pass(2_000);
    expect(stage.active()).toHaveLength(4);
    await stage.scale(5);
    await stage.pass(5_000);
    expect(stage.active()).toHaveLength(5);
  });

  test('deletes the pod that it means, and not another that has its name by now', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 2 });
    stage.blind('pods', 30_000);
    const names = stage.active().map((pod) => pod.metadata.name);
    for (const name of names) {
      await stage.admin.delete(pods, { namespace: NAMESPACE, name });
      await stage.addPod(name, { ownerReferences: [owner('somebody else')] });
    }
    await stage.scale(0);
    await stage.pass(60_000);
    expect(stage.pods().map((pod) => pod.metadata.name)).toEqual(names);
  });

  test('begins anew with a ReplicaSet that is created again under the same name', async () => {
    await using stage = await Stage.begin();
    stage.blind('pods', 200_000);
    const former = await stage.addSet({ replicas: 2 });
    await stage.admin.delete(replicaSets, KEY);
    const present = await stage.addSet({ replicas: 3 });
    expect(present.metadata.uid).not.toBe(former.metadata.uid);
    expect(stage.active()).toHaveLength(3);
    const left = stage.pods().filter((pod) => getControllerOf(pod)?.uid === former.metadata.uid);
    expect(left).toHaveLength(2);
  });

  test('agrees with Kubernetes: RS being deleted: no adoption, no creates', async () => {
    const { input, expect: wanted } = syncRow('sync-06');
    await using stage = await Stage.empty();
    await stage.addSet(input.spec);
    await stage.admin.delete(replicaSets, KEY, { propagationPolicy: 'Orphan' });
    await stage.addPod('pod1');
    await stage.start();
    await stage.pass(5_000);
    expect(stage.set().metadata.deletionTimestamp).toBeDefined();
    expect(stage.count('create')).toBe(wanted.creates);
    expect(stage.count('delete')).toBe(wanted.deletes);
    expect(stage.count('patch')).toBe(wanted.adoptPatches);
  });

  test('still tells the truth about its pods while it is being deleted', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 3 });
    await stage.admin.delete(replicaSets, KEY, { propagationPolicy: 'Foreground' });
    await stage.pass();
    const before = stage.count('create');
    await stage.admin.delete(pods, keyOf(stage.active()[0] as Pod));
    await stage.pass();
    expect(stage.count('create')).toBe(before);
    expect(stage.count('delete')).toBe(0);
    expect(stage.set().status.replicas).toBe(2);
  });

  test('agrees with Kubernetes: cache says alive but a fresh read says deleting: abort with an error', async () => {
    const { input, expect: wanted } = syncRow('sync-07');
    await using stage = await Stage.begin();
    await stage.addSet(input.spec);
    const before = stage.count('create');
    stage.blind('replicasets', 5_000);
    await stage.admin.delete(replicaSets, KEY, { propagationPolicy: 'Orphan' });
    await stage.addPod('pod1');
    await stage.admin.delete(pods, keyOf(stage.active()[0] as Pod));
    await stage.pass(10_000);
    expect(stage.count('create') - before).toBe(wanted.creates);
    expect(stage.count('delete')).toBe(wanted.deletes);
    expect(stage.count('patch')).toBe(wanted.adoptPatches);
  });

  test('counts a pod as available when minReadySeconds have passed, though nothing happens', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 1, minReadySeconds: 10 });
    await stage.startPod(stage.active()[0] as Pod);
    await stage.pass(9_000);
    expect(stage.set().status).toMatchObject({ readyReplicas: 1 });
    expect(stage.set().status.availableReplicas ?? 0).toBe(0);
    await stage.pass(3_000);
    expect(stage.set().status.availableReplicas).toBe(1);
  });

  test('tries the status again when somebody else was faster', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 1 });
    stage.refuse('Conflict', 2);
    await stage.startPod(stage.active()[0] as Pod);
    await stage.pass(5_000);
    expect(stage.set().status).toMatchObject({ replicas: 1, readyReplicas: 1, availableReplicas: 1 });
  });

  test('writes nothing when nothing has changed that matters to it', async () => {
    await using stage = await Stage.begin();
    await stage.addSet({ replicas: 2 });
    await stage.pass(5_000);
    const before = stage.writes().length;
    await stage.poke('of no consequence');
    const body = { metadata: { annotations: { note: 'of no consequence' } } };
    await stage.admin.patch(pods, keyOf(stage.active()[0] as Pod), { type: 'merge', body });
    await stage.pass(600_000);
    expect(stage.writes()).toHaveLength(before);
  });
});
