import { describe, expect, test } from 'vitest';
import { components } from '#components';
import {
  type Deployment,
  deployments,
  NotImplemented,
  type OwnerReference,
  pods,
  type ReplicaSet,
  replicaSets,
} from '#harness';
import { type VectorCase, vectors } from '#harness/testing';
import {
  calculateRolloutStatus,
  calculateStatus,
  checkPausedConditions,
  cleanupUnhealthyReplicas,
  computeHash,
  DESIRED_REPLICAS,
  type DeploymentCondition,
  type DeploymentStatus,
  deploymentComplete,
  deploymentController,
  deploymentProgressing,
  deploymentRevision,
  deploymentTimedOut,
  equalIgnoreHash,
  filterActiveReplicaSets,
  findActiveOrLatest,
  findCleanableReplicaSets,
  findNewReplicaSet,
  findOldReplicaSets,
  getActualReplicaCountForReplicaSets,
  getAvailableReplicaCountForReplicaSets,
  getDeploymentCondition,
  getProportion,
  getReplicaCountForReplicaSets,
  getReplicaFailure,
  getReplicaSetFraction,
  getReplicasAnnotation,
  hasProgressDeadline,
  isSaturated,
  isScalingEvent,
  MAX_INT32,
  MAX_REPLICAS,
  maxRevision,
  maxSurge,
  maxUnavailable,
  minAvailable,
  newReplicaSetAnnotations,
  newReplicaSetFor,
  newRSNewReplicas,
  oldPodsRunning,
  POD_TEMPLATE_HASH,
  type PodTemplateSpec,
  REVISION,
  REVISION_HISTORY,
  reconcileNewReplicaSet,
  reconcileOldReplicaSets,
  removeDeploymentCondition,
  replicasAnnotations,
  replicasAnnotationsNeedUpdate,
  requeueStuckDeployment,
  resolveFenceposts,
  revision,
  rollback,
  type ScaleOrder,
  scale,
  scaleDownOldReplicaSetsForRecreate,
  scaleDownOldReplicaSetsForRollingUpdate,
  setDeploymentCondition,
} from '#kata/24-deployment/deployment';
import {
  aDeployment,
  aPod,
  aReplicaSet,
  type DeploymentParts,
  type ReplicaSetParts,
  Stage,
  templateOf,
} from '#laws/24-deployment';

/** So that each row of a table is a test with the row's name. */
const named = <I, E>(rows: readonly VectorCase<I, E>[]) => rows.map((row) => [row.name, row] as const);

/** The rows of upstream's tables of one kind. */
const table = <I, E>(op: string, count: number) => named(vectors<I, E>('deployment-rolling', op, count));

const namesOf = (all: readonly ReplicaSet[]): string[] => all.map(({ metadata }) => metadata.name);

/** That it throws an Error, in whatever words. */
function expectRefusal(run: () => unknown): void {
  let thrown: unknown;
  try {
    run();
  } catch (error) {
    if (error instanceof NotImplemented) throw error;
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(Error);
}

/** The sizes of ReplicaSets, by name, once the orders are carried out. */
function sizesAfter(all: readonly ReplicaSet[], orders: readonly ScaleOrder[]): Record<string, number> {
  const sizes = Object.fromEntries(all.map(({ metadata, spec }) => [metadata.name, spec.replicas]));
  for (const { replicaSet, replicas } of orders) sizes[replicaSet.metadata.name] = replicas;
  return sizes;
}

describe('Level 1 · One template, one ReplicaSet', () => {
  const template = templateOf('nginx:1', { app: 'web', tier: 'front' });

  test('gives the same template the same hash, however its fields are ordered', () => {
    const shuffled = {
      spec: { containers: [{ image: 'nginx:1', name: 'web' }] },
      metadata: { labels: { tier: 'front', app: 'web' } },
    };
    expect(computeHash(shuffled)).toBe(computeHash(template));
    expect(computeHash({ ...template })).toBe(computeHash(template));
  });

  test('does not mind fields that are not there', () => {
    const { metadata, spec } = template;
    const vague = { metadata: { ...metadata, annotations: undefined }, spec } as never;
    expect(computeHash(vague)).toBe(computeHash(template));
  });

  test('gives another template another hash: another value, another order of containers', () => {
    const two = (first: string, second: string) => ({
      ...template,
      spec: { containers: [first, second].map((name) => ({ name, image: 'nginx:1' })) },
    });
    const hashes = [template, templateOf('nginx:2', { app: 'web' }), two('a', 'b'), two('b', 'a')].map(
      (each) => computeHash(each),
    );
    expect(new Set(hashes).size).toBe(4);
  });

  test('gives another hash for another number of collisions', () => {
    const hashes = [undefined, 1, 2, 3].map((count) => computeHash(template, count));
    expect(new Set(hashes).size).toBe(4);
    expect(computeHash(template, 2)).toBe(hashes[2]);
  });

  interface Collisions {
    readonly template: PodTemplateSpec;
    readonly a: number | null;
    readonly b: number;
  }
  test.each(named(vectors<Collisions, { different: true }>('replicaset', 'computeHash', 2)))(
    'tells numbers of collisions apart as Kubernetes does: %s',
    (_, { input: { template, a, b } }) =>
      expect(computeHash(template, a ?? undefined)).not.toBe(computeHash(template, b)),
  );

  interface Sized {
    readonly replicaSets: readonly ({ readonly name: string; readonly replicas: number } | null)[];
  }
  test.each(named(vectors<Sized, { names: string[] }>('replicaset', 'filterActiveReplicaSets', 1)))(
    'takes for active what Kubernetes does: %s',
    (_, { input, expect: wanted }) => {
      // There are no null pointers here.
      const all = input.replicaSets.flatMap((rs) =>
        rs ? aReplicaSet(rs.name, { replicas: rs.replicas }) : [],
      );
      expect(namesOf(filterActiveReplicaSets(all))).toEqual(wanted.names);
    },
  );

  test('makes a hash that can end a name and be a label', () => {
    for (let i = 0; i < 200; i++) {
      expect(computeHash(templateOf(`nginx:${i}`, { app: 'web' }), i % 3)).toMatch(/^[a-z0-9]{1,10}$/);
    }
  });

  interface PairOfTemplates {
    readonly a: Deployment['spec']['template'];
    readonly b: Deployment['spec']['template'];
  }
  test.each(table<PairOfTemplates, { equal: boolean }>('equalIgnoreHash', 6))(
    'compares templates as Kubernetes does: %s',
    (_, { input: { a, b }, expect: { equal } }) => {
      expect(equalIgnoreHash(a, b)).toBe(equal);
      expect(equalIgnoreHash(b, a)).toBe(equal);
    },
  );

  test('takes amounts for the same that are spelt differently, and the empty for the absent', () => {
    const asking = (cpu: string) => ({
      ...template,
      spec: { containers: [{ name: 'web', image: 'nginx:1', resources: { requests: { cpu } } }] },
    });
    expect(equalIgnoreHash(asking('1'), asking('1000m'))).toBe(true);
    expect(equalIgnoreHash(asking('1'), asking('2'))).toBe(false);
    const annotated = { ...template, metadata: { ...template.metadata, annotations: {} } };
    expect(equalIgnoreHash(annotated, template)).toBe(true);
  });

  test('names the ReplicaSet of a template after the Deployment and the hash', () => {
    const deployment = aDeployment({ image: 'nginx:2', status: { collisionCount: 2 } });
    const made = newReplicaSetFor(deployment);
    const hash = computeHash(deployment.spec.template, 2);
    expect(made.metadata.name).toBe(`web-${hash}`);
    expect(made.metadata.namespace).toBe('default');
    expect(made.spec.replicas).toBe(0);
    expect(newReplicaSetFor(deployment)).toEqual(made);
  });

  test('puts the hash where it keeps pods apart: on the ReplicaSet, its pods, and in its selector', () => {
    const deployment = aDeployment({ minReadySeconds: 7 });
    const labels = { app: 'web', [POD_TEMPLATE_HASH]: computeHash(deployment.spec.template) };
    const { metadata, spec } = newReplicaSetFor(deployment);
    expect(metadata.labels).toEqual(labels);
    expect(spec.template.metadata?.labels).toEqual(labels);
    expect(spec.selector.matchLabels).toEqual(labels);
    expect(equalIgnoreHash(spec.template, deployment.spec.template)).toBe(true);
    expect(spec.minReadySeconds).toBe(7);
  });

  test('keeps all that the Deployment’s selector asks for', () => {
    const plain = aDeployment();
    const matchExpressions = [{ key: 'app', operator: 'In', values: ['web', 'shop'] }];
    const deployment = { ...plain, spec: { ...plain.spec, selector: { matchExpressions } } };
    const { selector } = newReplicaSetFor(deployment).spec;
    expect(selector.matchExpressions).toEqual(matchExpressions);
    expect(selector.matchLabels).toEqual({ [POD_TEMPLATE_HASH]: computeHash(plain.spec.template) });
  });

  test('makes the Deployment its owner', () => {
    const { uid } = aDeployment().metadata;
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid };
    expect(newReplicaSetFor(aDeployment()).metadata.ownerReferences).toEqual([
      { ...owner, controller: true, blockOwnerDeletion: true },
    ]);
  });

  interface Found {
    readonly template: string;
    readonly replicaSets: readonly {
      readonly name: string;
      readonly template: string;
      readonly created: number;
      readonly specReplicas: number;
    }[];
  }
  const found = ({ replicaSets: rows }: Found): ReplicaSet[] =>
    rows.map(({ name, template: image, created, specReplicas: replicas }) =>
      aReplicaSet(name, { image, created, replicas }),
    );
  test.each(table<Found, { name: string }>('findNewReplicaSet', 2))(
    'finds the new ReplicaSet as Kubernetes does: %s',
    (_, { input, expect: { name } }) => {
      const deployment = aDeployment({ image: input.template });
      expect(findNewReplicaSet(deployment, found(input))?.metadata.name).toBe(name);
    },
  );

  test('finds the same new ReplicaSet in whatever order they come, and none where there is none', () => {
    const twins = ['b', 'a', 'c'].map((name) => aReplicaSet(name, { image: 'nginx:1', created: 5 }));
    expect(findNewReplicaSet(aDeployment(), twins)?.metadata.name).toBe('a');
    expect(findNewReplicaSet(aDeployment(), twins.toReversed())?.metadata.name).toBe('a');
    expect(findNewReplicaSet(aDeployment(), [aReplicaSet('old')])).toBeUndefined();
  });

  test.each(table<Found, { allOld: string[]; oldWithPods: string[] }>('findOldReplicaSets', 3))(
    'finds the old ReplicaSets as Kubernetes does: %s',
    (_, { input, expect: { allOld, oldWithPods } }) => {
      const old = findOldReplicaSets(aDeployment({ image: input.template }), found(input));
      expect(namesOf(old).sort()).toEqual(allOld.toSorted());
      expect(namesOf(filterActiveReplicaSets(old)).sort()).toEqual(oldWithPods.toSorted());
    },
  );
});

describe('Level 2 · Fenceposts', () => {
  interface Posts {
    readonly maxSurge: number | string | null;
    readonly maxUnavailable: number | string | null;
    readonly replicas: number;
  }
  interface PostsExpect {
    readonly surge: number;
    readonly unavailable: number;
    readonly error?: boolean;
  }
  test.each(table<Posts, PostsExpect>('resolveFenceposts', 9))(
    'resolves fenceposts as Kubernetes does: %s',
    (_, { input, expect: { surge, unavailable, error } }) => {
      const resolve = () =>
        resolveFenceposts(input.maxSurge ?? undefined, input.maxUnavailable ?? undefined, input.replicas);
      if (error) {
        expectRefusal(resolve);
        return;
      }
      expect(resolve()).toEqual({ maxSurge: surge, maxUnavailable: unavailable });
    },
  );

  interface Scaled {
    readonly value: number | string | null;
    readonly total: number;
    readonly roundUp: boolean;
  }
  const scaled = vectors<Scaled, { value?: number; error?: boolean }>(
    'intstr',
    'scaled',
    9,
    // An absent value is 0 here; and a text is a percentage.
  ).filter(({ input: { value } }) => value !== null);
  test.each(named(scaled))('rounds as the API machinery does: %s', (_, { input, expect: wanted }) => {
    const { value, total, roundUp } = input;
    // The other one is 1, so that nothing is stuck.
    const resolve = () =>
      roundUp
        ? resolveFenceposts(value ?? 0, 1, total).maxSurge
        : resolveFenceposts(1, value ?? 0, total).maxUnavailable;
    if (wanted.error) expectRefusal(resolve);
    else expect(resolve()).toBe(wanted.value);
  });

  test('does not take "25" for 25%', () => {
    expectRefusal(() => resolveFenceposts('25', 0, 10));
    expectRefusal(() => resolveFenceposts(0, '25', 10));
  });

  interface Posted extends Partial<Posts> {
    readonly strategy: 'RollingUpdate' | 'Recreate';
  }
  const posted = ({ strategy, replicas, maxSurge: surge, maxUnavailable: unavailable }: Posted): Deployment =>
    aDeployment({
      strategy,
      replicas: replicas ?? 1,
      maxSurge: surge ?? 0,
      maxUnavailable: unavailable ?? 0,
    });
  test.each(table<Posted, { maxUnavailable: number }>('maxUnavailable', 5))(
    'says how many may be missing as Kubernetes does: %s',
    (_, { input, expect: wanted }) => expect(maxUnavailable(posted(input))).toBe(wanted.maxUnavailable),
  );

  test.each(table<Posted, { minAvailable: number }>('minAvailable', 5))(
    'says how many must remain as Kubernetes does: %s',
    (_, { input, expect: wanted }) => expect(minAvailable(posted(input))).toBe(wanted.minAvailable),
  );

  test('has no fenceposts under Recreate', () => {
    const deployment = aDeployment({ strategy: 'Recreate', replicas: 4 });
    expect([maxSurge(deployment), maxUnavailable(deployment), minAvailable(deployment)]).toEqual([0, 0, 0]);
  });

  test('rounds a surge up and the unavailable down, of the same Deployment', () => {
    const deployment = aDeployment({ replicas: 10, maxSurge: '25%', maxUnavailable: '25%' });
    expect([maxSurge(deployment), maxUnavailable(deployment), minAvailable(deployment)]).toEqual([3, 2, 8]);
  });

  test('lets one be missing where both round to nothing', () => {
    const deployment = aDeployment({ replicas: 5, maxSurge: 0, maxUnavailable: '10%' });
    expect([maxSurge(deployment), maxUnavailable(deployment), minAvailable(deployment)]).toEqual([0, 1, 4]);
  });
});

describe('Level 3 · Scale up the new', () => {
  interface Counted {
    readonly replicaSets: readonly {
      readonly name: string;
      readonly specReplicas: number;
      readonly statusReplicas: number;
    }[];
  }
  // How many are terminating, which these rows say besides, no ReplicaSet reports in 1.30.
  test.each(table<Counted, { spec: number; actual: number }>('replicaCounts', 4))(
    'counts what is asked for and what is there: %s',
    (_, { input, expect: wanted }) => {
      const all = input.replicaSets.map(({ name, specReplicas: replicas, statusReplicas: reported }) =>
        aReplicaSet(name, { replicas, reported }),
      );
      expect(getReplicaCountForReplicaSets(all)).toBe(wanted.spec);
      expect(getActualReplicaCountForReplicaSets(all)).toBe(wanted.actual);
    },
  );

  interface Growth extends Required<Pick<DeploymentParts, 'strategy' | 'replicas'>> {
    readonly maxSurge: number | string;
    readonly maxUnavailable: number | string;
    readonly newRSReplicas: number;
    /** Those of the others, and the new one's if it is among them. */
    readonly allRSReplicas: readonly number[];
  }
  test.each(table<Growth, { replicas: number }>('newRSNewReplicas', 5))(
    'sizes the new ReplicaSet as Kubernetes does: %s',
    (_, { input, expect: { replicas } }) => {
      const { newRSReplicas, allRSReplicas, ...parts } = input;
      const all = allRSReplicas.map((size, i) => aReplicaSet(`rs-${i}`, { replicas: size }));
      expect(newRSNewReplicas(aDeployment(parts), all, aReplicaSet('new', { replicas: newRSReplicas }))).toBe(
        replicas,
      );
    },
  );

  interface Renewal {
    readonly replicas: number;
    readonly maxSurge: number;
    readonly maxUnavailable: number;
    readonly oldReplicas: number;
    readonly newReplicas: number;
  }
  test.each(table<Renewal, { scaled: boolean; newReplicas?: number }>('reconcileNewReplicaSet', 4))(
    'decides on the new ReplicaSet as Kubernetes does: %s',
    (_, { input, expect: { scaled, newReplicas } }) => {
      const { oldReplicas, newReplicas: size, ...parts } = input;
      const current = aReplicaSet('new', { replicas: size });
      const all = [aReplicaSet('old', { replicas: oldReplicas }), current];
      const orders = reconcileNewReplicaSet(aDeployment(parts), all, current);
      expect(orders.map(({ replicas }) => replicas)).toEqual(scaled ? [newReplicas] : []);
    },
  );

  test('counts what ReplicaSets are to have, not what they report: those who were asked for may still come', () => {
    const deployment = aDeployment({ replicas: 10, maxSurge: 3 });
    const current = aReplicaSet('new', { replicas: 1 });
    const slow = aReplicaSet('old', { replicas: 10, reported: 4 });
    expect(newRSNewReplicas(deployment, [slow, current], current)).toBe(3);
  });

  test('counts every old ReplicaSet, not the last one only', () => {
    const deployment = aDeployment({ replicas: 10, maxSurge: 2 });
    const current = aReplicaSet('new');
    const all = [aReplicaSet('a', { replicas: 4 }), aReplicaSet('b', { replicas: 5 }), current];
    expect(newRSNewReplicas(deployment, all, current)).toBe(3);
  });

  test('never asks for more than all, however much room there is', () => {
    const deployment = aDeployment({ replicas: 3, maxSurge: '100%' });
    const current = aReplicaSet('new', { replicas: 1 });
    expect(newRSNewReplicas(deployment, [current], current)).toBe(3);
  });

  test('stays as it is where there are too many already: it is not for the new one to shrink', () => {
    const deployment = aDeployment({ replicas: 4, maxSurge: 1 });
    const current = aReplicaSet('new', { replicas: 2 });
    const all = [aReplicaSet('old', { replicas: 9 }), current];
    expect(newRSNewReplicas(deployment, all, current)).toBe(2);
    expect(reconcileNewReplicaSet(deployment, all, current)).toEqual([]);
  });

  test('does not know what to do under a strategy that there is not', () => {
    const plain = aDeployment();
    const odd = { ...plain, spec: { ...plain.spec, strategy: { type: 'BlueGreen' } } };
    expect(() => newRSNewReplicas(odd, [], aReplicaSet('new'))).toThrow(/BlueGreen/);
  });
});

describe('Level 4 · Scale down the old', () => {
  /** `old` is told in order of age. */
  interface Counts {
    readonly replicas: number;
    readonly available: number;
  }
  const aged = (counts: readonly Counts[]): ReplicaSet[] =>
    counts.map(({ replicas, available }, i) =>
      aReplicaSet(`old-${i}`, { replicas, reported: replicas, available, created: i }),
    );
  const sizes = (old: readonly ReplicaSet[], orders: readonly ScaleOrder[]): number[] =>
    Object.values(sizesAfter(old, orders));

  test('counts as available no more than a ReplicaSet is to keep: the rest is as good as gone', () => {
    const all = [
      aReplicaSet('settled', { replicas: 3, available: 2 }),
      aReplicaSet('shrinking', { replicas: 1, reported: 5, available: 5 }),
    ];
    expect(getAvailableReplicaCountForReplicaSets(all)).toBe(3);
  });

  interface Cleanup {
    readonly oldRS: readonly Counts[];
    readonly maxCleanupCount: number;
  }
  test.each(table<Cleanup, { cleaned: number; oldReplicas?: number[] }>('cleanupUnhealthyReplicas', 3))(
    'takes the unhealthy as Kubernetes does: %s',
    (_, { input, expect: { cleaned, oldReplicas } }) => {
      const old = aged(input.oldRS);
      const after = sizes(old, cleanupUnhealthyReplicas(old, input.maxCleanupCount));
      const before = sizes(old, []);
      expect(before.reduce((total, size, i) => total + size - (after[i] ?? 0), 0)).toBe(cleaned);
      if (oldReplicas) expect(after).toEqual(oldReplicas);
    },
  );

  test('takes nothing from whom reports more than it is to have', () => {
    const old = [aReplicaSet('old', { replicas: 3, reported: 5, available: 5 })];
    expect(cleanupUnhealthyReplicas(old, 5)).toEqual([]);
  });

  interface Drain extends Omit<Posts, 'replicas'> {
    readonly replicas: number;
    readonly oldRS: readonly Counts[];
    readonly newRSAvailable?: number;
  }
  interface Posts {
    readonly maxSurge: number;
    readonly maxUnavailable: number;
    readonly replicas: number;
  }
  test.each(table<Drain, { scaledDown: number; oldReplicas?: number[] }>('scaleDownOldForRollingUpdate', 4))(
    'drains the old as Kubernetes does: %s',
    (_, { input, expect: { scaledDown, oldReplicas } }) => {
      const { oldRS, newRSAvailable = 0, ...parts } = input;
      const old = aged(oldRS);
      const all = [...old, aReplicaSet('new', { replicas: newRSAvailable })];
      const orders = scaleDownOldReplicaSetsForRollingUpdate(aDeployment(parts), all, old);
      const removed = orders.map(({ replicaSet, replicas }) => replicaSet.spec.replicas - replicas);
      expect(removed.reduce((total, each) => total + each, 0)).toBe(scaledDown);
      if (oldReplicas) expect(sizes(old, orders)).toEqual(oldReplicas);
    },
  );

  interface Reconcile extends Posts {
    readonly oldRS: readonly Counts[];
    readonly newRS: Counts;
  }
  test.each(table<Reconcile, { scaled: boolean; oldReplicas?: number[] }>('reconcileOldReplicaSets', 6))(
    'decides on the old ReplicaSets as Kubernetes does: %s',
    (_, { input, expect: { scaled, oldReplicas } }) => {
      const { oldRS, newRS, ...parts } = input;
      const old = aged(oldRS);
      const orders = reconcileOldReplicaSets(aDeployment(parts), old, aReplicaSet('new', newRS));
      expect(orders.length > 0).toBe(scaled);
      if (oldReplicas) expect(sizes(old, orders)).toEqual(oldReplicas);
    },
  );

  test('waits for new pods to be available, not just to be there', () => {
    const deployment = aDeployment({ replicas: 10, maxSurge: 3, maxUnavailable: 2 });
    const old = [aReplicaSet('old', { replicas: 8 })];
    const grown = (available: number) => aReplicaSet('new', { replicas: 5, available });
    expect(reconcileOldReplicaSets(deployment, old, grown(0))).toEqual([]);
    expect(sizes(old, reconcileOldReplicaSets(deployment, old, grown(1)))).toEqual([7]);
    expect(sizes(old, reconcileOldReplicaSets(deployment, old, grown(5)))).toEqual([3]);
  });

  test('frees a rollback from pods that will never be ready (k#67250)', () => {
    const deployment = aDeployment({ replicas: 10, maxSurge: 1, maxUnavailable: 0 });
    const broken = aReplicaSet('broken', { replicas: 1, available: 0 });
    const good = aReplicaSet('good', { replicas: 10 });
    expect(sizes([broken], reconcileOldReplicaSets(deployment, [broken], good))).toEqual([0]);
  });

  test('asks once for each ReplicaSet, for the size that it has after both steps, the oldest first', () => {
    const deployment = aDeployment({ replicas: 6, maxUnavailable: 3 });
    const young = aReplicaSet('young', { replicas: 4, available: 3, created: 9 });
    const old = aReplicaSet('old', { replicas: 3, available: 1, created: 2 });
    const orders = reconcileOldReplicaSets(deployment, [young, old], aReplicaSet('new'));
    // Four may go. Three are unhealthy; of the four that are left, one is more than needed.
    expect(orders.map(({ replicaSet, replicas }) => [replicaSet.metadata.name, replicas])).toEqual([
      ['old', 0],
      ['young', 3],
    ]);
  });

  test('believes no report of pods that it has condemned already', () => {
    const deployment = aDeployment({ replicas: 7, maxSurge: 1, maxUnavailable: 2 });
    const dying = aReplicaSet('dying', { replicas: 3, available: 0, created: 1 });
    const halved = aReplicaSet('halved', { replicas: 5, reported: 8, available: 8, created: 2 });
    // Five of the eight stay, and five are needed.
    const orders = reconcileOldReplicaSets(deployment, [dying, halved], aReplicaSet('new'));
    expect(sizes([dying, halved], orders)).toEqual([0, 5]);
  });
});

describe('Level 5 · Scale in proportion', () => {
  const annotated = (desired: number | string, max: number | string = desired) => ({
    annotations: { [DESIRED_REPLICAS]: `${desired}`, [MAX_REPLICAS]: `${max}` },
  });

  interface Annotation {
    readonly annotation: string | null;
  }
  test.each(table<Annotation, { value: number; valid: boolean }>('parseReplicasAnnotation', 5))(
    'reads an annotation as Kubernetes does: %s',
    (_, { input: { annotation }, expect: { value, valid } }) => {
      const annotations = annotation === null ? {} : { [DESIRED_REPLICAS]: annotation };
      const read = getReplicasAnnotation(aReplicaSet('a', { annotations }), DESIRED_REPLICAS);
      expect(read).toBe(valid ? value : undefined);
    },
  );

  test('reads no number out of a text that is none', () => {
    for (const text of ['', 'ten', '1.5', '3 ', '0x10']) {
      const replicaSet = aReplicaSet('a', { annotations: { [MAX_REPLICAS]: text } });
      expect(getReplicasAnnotation(replicaSet, MAX_REPLICAS), JSON.stringify(text)).toBeUndefined();
    }
  });

  test('writes down the size of the Deployment, without and with the surge', () => {
    expect(replicasAnnotations(aDeployment({ replicas: 10, maxSurge: '25%' }))).toEqual({
      [DESIRED_REPLICAS]: '10',
      [MAX_REPLICAS]: '13',
    });
  });

  interface Behind {
    readonly annotations: Record<string, string>;
    readonly desired: number;
    readonly max: number;
  }
  test.each(table<Behind, { needUpdate: boolean }>('replicasAnnotationsNeedUpdate', 3))(
    'sees whether annotations are behind as Kubernetes does: %s',
    (_, { input: { annotations, desired, max }, expect: { needUpdate } }) => {
      const deployment = aDeployment({ replicas: desired, maxSurge: max - desired });
      expect(replicasAnnotationsNeedUpdate(deployment, aReplicaSet('a', { annotations }))).toBe(needUpdate);
      expect(replicasAnnotationsNeedUpdate(deployment, aReplicaSet('a'))).toBe(true);
    },
  );

  interface Saturated {
    readonly specReplicas: number;
    readonly rs: {
      readonly desiredAnnotation: string;
      readonly replicas: number;
      readonly availableReplicas: number;
    };
  }
  test.each(table<Saturated, { saturated: boolean }>('isSaturated', 1))(
    'sees whether a ReplicaSet has all as Kubernetes does: %s',
    (_, { input: { specReplicas, rs }, expect: { saturated } }) => {
      const parts = {
        replicas: rs.replicas,
        available: rs.availableReplicas,
        ...annotated(rs.desiredAnnotation),
      };
      expect(isSaturated(aDeployment({ replicas: specReplicas }), aReplicaSet('new', parts))).toBe(saturated);
    },
  );

  test('takes a ReplicaSet for saturated only if both believe it and all pods are available', () => {
    const deployment = aDeployment({ replicas: 3 });
    const saturated = (parts: ReplicaSetParts) => isSaturated(deployment, aReplicaSet('new', parts));
    expect(saturated({ replicas: 3, ...annotated(3) })).toBe(true);
    expect(saturated({ replicas: 3, available: 2, ...annotated(3) })).toBe(false);
    expect(saturated({ replicas: 3, ...annotated(5) })).toBe(false);
    expect(saturated({ replicas: 3 })).toBe(false);
    expect(saturated({ replicas: 2, ...annotated(3) })).toBe(false);
    expect(isSaturated(deployment, undefined)).toBe(false);
  });

  test('finds the one that a scaling is about: the only active one, or else the youngest', () => {
    const current = aReplicaSet('new', { created: 3 });
    const old = [aReplicaSet('first', { created: 1 }), aReplicaSet('second', { created: 2 })];
    const active = aReplicaSet('active', { replicas: 1, created: 0 });
    const find = (...given: Parameters<typeof findActiveOrLatest>) =>
      findActiveOrLatest(...given)?.metadata.name;
    expect(find(current, old)).toBe('new');
    expect(find(undefined, old)).toBe('second');
    expect(find(undefined, old.toReversed())).toBe('second');
    expect(find(current, [...old, active])).toBe('active');
    expect(find(aReplicaSet('new', { replicas: 2 }), [...old, active])).toBeUndefined();
    expect(find(undefined, [])).toBeUndefined();
  });

  test('sees that the Deployment was scaled by what its active ReplicaSets were sized for', () => {
    const deployment = aDeployment({ replicas: 5 });
    const scaled = (...all: readonly ReplicaSet[]) => isScalingEvent(deployment, all);
    const sized = (name: string, replicas: number, desired: number) =>
      aReplicaSet(name, { replicas, ...annotated(desired) });
    expect(scaled(sized('new', 2, 5), sized('old', 3, 5))).toBe(false);
    expect(scaled(sized('new', 2, 5), sized('old', 3, 10))).toBe(true);
    expect(scaled(sized('new', 5, 5), sized('empty', 0, 10))).toBe(false);
    expect(scaled(aReplicaSet('adopted', { replicas: 3 }))).toBe(false);
    expect(scaled()).toBe(false);
  });

  test('under Recreate takes several active ones for a roll-out, whatever they were sized for', () => {
    const deployment = aDeployment({ strategy: 'Recreate', replicas: 5 });
    const one = aReplicaSet('one', { replicas: 3, ...annotated(3) });
    const other = aReplicaSet('other', { replicas: 3, ...annotated(3) });
    expect(isScalingEvent(deployment, [one])).toBe(true);
    expect(isScalingEvent(deployment, [one, other])).toBe(false);
  });

  interface Fraction {
    readonly deployment: {
      readonly replicas: number;
      readonly maxSurge: number;
      readonly statusReplicas: number;
    };
    readonly replicaSet: { readonly replicas: number; readonly maxReplicasAnnotation: string };
  }
  test.each(table<Fraction, { delta: number }>('replicaSetFraction', 6))(
    'shares out as Kubernetes does: %s',
    (_, { input: { deployment, replicaSet }, expect: { delta } }) => {
      const { statusReplicas, ...parts } = deployment;
      const { replicas, maxReplicasAnnotation } = replicaSet;
      const annotations = { [MAX_REPLICAS]: maxReplicasAnnotation };
      const fraction = getReplicaSetFraction(
        aDeployment({ ...parts, status: { replicas: statusReplicas } }),
        aReplicaSet('a', { replicas, annotations }),
      );
      expect(fraction + 0).toBe(delta);
    },
  );

  test('gives all away when nothing is to be left, and rounds halves up', () => {
    const sized = aReplicaSet('a', { replicas: 5, ...annotated(10) });
    expect(getReplicaSetFraction(aDeployment({ replicas: 0 }), sized)).toBe(-5);
    expect(getReplicaSetFraction(aDeployment({ replicas: 5 }), sized)).toBe(-2);
    expect(getReplicaSetFraction(aDeployment({ replicas: 11 }), sized)).toBe(1);
    const unknown = aReplicaSet('a', { replicas: 5 });
    expect(getReplicaSetFraction(aDeployment({ replicas: 20, status: { replicas: 10 } }), unknown)).toBe(5);
  });

  test('gives no more than is left, in either direction, and nothing to who has nothing', () => {
    const up = aDeployment({ replicas: 20 });
    const sized = aReplicaSet('a', { replicas: 5, ...annotated(10) });
    expect(getProportion(up, sized, 10, 0)).toBe(5);
    expect(getProportion(up, sized, 10, 7)).toBe(3);
    expect(getProportion(up, sized, 10, 10)).toBe(0);
    expect(getProportion(up, aReplicaSet('a', { ...annotated(10) }), 10, 0)).toBe(0);
    const down = aDeployment({ replicas: 4 });
    expect(getProportion(down, sized, -6, 0)).toBe(-3);
    expect(getProportion(down, sized, -6, -5)).toBe(-1);
    expect(getProportion(down, sized, 0, 0)).toBe(0);
  });

  interface Scaling {
    readonly deployment: Pick<DeploymentParts, 'replicas' | 'maxSurge' | 'maxUnavailable'>;
    readonly replicaSets: readonly {
      readonly name: string;
      readonly role: 'new' | 'old';
      readonly replicas: number;
      readonly availableReplicas: number;
      readonly created: number;
      readonly desiredAnnotation: number;
      readonly maxAnnotation: number;
    }[];
  }
  test.each(table<Scaling, { replicas: Record<string, number> }>('scale', 11))(
    'scales as Kubernetes does: %s',
    (_, { input, expect: { replicas } }) => {
      const all = input.replicaSets.map(({ name, desiredAnnotation, maxAnnotation, ...row }) =>
        aReplicaSet(name, {
          replicas: row.replicas,
          available: row.availableReplicas,
          created: row.created,
          ...annotated(desiredAnnotation, maxAnnotation),
        }),
      );
      const current = all.find((_each, i) => input.replicaSets[i]?.role === 'new');
      const old = all.filter((each) => each !== current);
      const orders = scale(aDeployment(input.deployment), current, old);
      expect(sizesAfter(all, orders)).toEqual(replicas);
    },
  );

  test('empties the old at once when the new one has all', () => {
    const current = aReplicaSet('new', { replicas: 5, ...annotated(5) });
    const old = [aReplicaSet('old', { replicas: 2, ...annotated(5) })];
    const orders = scale(aDeployment({ replicas: 5 }), current, old);
    expect(sizesAfter([...old, current], orders)).toEqual({ old: 0, new: 5 });
  });

  test('leaves several ReplicaSets alone under Recreate', () => {
    const current = aReplicaSet('new', { replicas: 2, ...annotated(5) });
    const old = [aReplicaSet('old', { replicas: 3, ...annotated(5) })];
    expect(scale(aDeployment({ strategy: 'Recreate', replicas: 9 }), current, old)).toEqual([]);
  });

  test('also asks for a write where only the annotations are behind', () => {
    const deployment = aDeployment({ replicas: 5 });
    const right = aReplicaSet('new', { replicas: 5, ...annotated(3) });
    expect(scale(deployment, right, [])).toEqual([{ replicaSet: right, replicas: 5 }]);
    expect(scale(deployment, aReplicaSet('new', { replicas: 5, ...annotated(5) }), [])).toEqual([]);
    const current = aReplicaSet('new', { replicas: 2, created: 2, ...annotated(5) });
    const behind = aReplicaSet('old', { replicas: 3, created: 1, ...annotated(4) });
    expect(scale(deployment, current, [behind])).toEqual([{ replicaSet: behind, replicas: 3 }]);
  });

  test('makes room before it uses it', () => {
    const deployment = aDeployment({ replicas: 11, maxSurge: 3 });
    // Of two changes of size, only the first was carried out for the big one, and both for the small one.
    const big = aReplicaSet('big', { replicas: 8, created: 1, ...annotated(10, 13) });
    const small = aReplicaSet('small', { replicas: 7, created: 2, ...annotated(15, 19) });
    const orders = scale(deployment, small, [big]);
    expect(orders.map(({ replicaSet, replicas }) => [replicaSet.metadata.name, replicas])).toEqual([
      ['small', 5],
      ['big', 9],
    ]);
  });
});

describe('Level 6 · Recreate', () => {
  interface Down {
    readonly oldReplicaSizes: readonly number[];
  }
  test.each(table<Down, Down>('recreateScaleDown', 1))(
    'empties the old as Kubernetes does: %s',
    (_, { input, expect: wanted }) => {
      const old = input.oldReplicaSizes.map((replicas, i) => aReplicaSet(`old-${i}`, { replicas }));
      const orders = scaleDownOldReplicaSetsForRecreate(old);
      expect(Object.values(sizesAfter(old, orders))).toEqual(wanted.oldReplicaSizes);
    },
  );

  test('empties all of them at once, however many are available, and asks nothing of those that are empty', () => {
    const old = [
      aReplicaSet('a', { replicas: 3 }),
      aReplicaSet('b', { replicas: 2, available: 0 }),
      aReplicaSet('c'),
    ];
    const orders = scaleDownOldReplicaSetsForRecreate(old);
    expect(orders.map(({ replicaSet }) => replicaSet.metadata.name).sort()).toEqual(['a', 'b']);
    expect(sizesAfter(old, orders)).toEqual({ a: 0, b: 0, c: 0 });
  });

  interface OldPods {
    readonly oldReplicaSets: readonly { readonly name: string; readonly statusReplicas: number }[];
    readonly podsByOwnerUID: Readonly<Record<string, readonly { readonly phase: string }[]>>;
  }
  test.each(table<OldPods, { running: boolean }>('oldPodsRunning', 6))(
    'sees whether old pods run as Kubernetes does: %s',
    (_, { input, expect: { running } }) => {
      const old = input.oldReplicaSets.map(({ name, statusReplicas: reported }) =>
        aReplicaSet(name, { reported }),
      );
      const oldPods = Object.values(input.podsByOwnerUID)
        .flat()
        .map(({ phase }, i) => aPod(`pod-${i}`, phase));
      expect(oldPodsRunning(old, oldPods)).toBe(running);
    },
  );

  test('waits for a pod that is being deleted: it runs until it is gone', () => {
    const old = [aReplicaSet('old')];
    expect(oldPodsRunning(old, [aPod('going', 'Running', { deleted: true })])).toBe(true);
    expect(oldPodsRunning(old, [aPod('done', 'Succeeded', { deleted: true })])).toBe(false);
    expect(oldPodsRunning(old, [])).toBe(false);
  });

  test('believes a ReplicaSet that says it has pods, even where none is seen', () => {
    expect(oldPodsRunning([aReplicaSet('empty'), aReplicaSet('late', { reported: 1 })], [])).toBe(true);
  });
});

describe('Level 7 · Status and deadline', () => {
  const START_MS = Date.UTC(2024, 3, 17);
  /** A condition of so many seconds ago, when it is now {@link NOW_MS}. */
  const NOW_MS = START_MS + 1_000_000;
  const at = (secondsAgo: number) => new Date(NOW_MS - secondsAgo * 1_000).toISOString().replace('.000', '');
  const condition = (type: string, value: string, reason: string, secondsAgo = 100): DeploymentCondition => ({
    type,
    status: value,
    reason,
    message: 'old',
    lastUpdateTime: at(secondsAgo),
    lastTransitionTime: at(secondsAgo),
  });
  const told = (conditions: readonly DeploymentCondition[] | undefined) =>
    (conditions ?? []).map(({ type, status, reason }) => ({ type, status, reason }));

  interface SetRow {
    readonly conditions: readonly DeploymentCondition[];
    readonly condition: DeploymentCondition;
  }
  test.each(table<SetRow, { conditions: DeploymentCondition[] }>('setCondition', 3))(
    'sets a condition as Kubernetes does: %s',
    (_, { input, expect: wanted }) =>
      expect(setDeploymentCondition(input.conditions, input.condition)).toEqual(wanted.conditions),
  );

  interface RemoveRow {
    readonly conditions: readonly DeploymentCondition[];
    readonly type: string;
  }
  test.each(table<RemoveRow, { conditions: DeploymentCondition[] }>('removeCondition', 2))(
    'removes a condition as Kubernetes does: %s',
    (_, { input, expect: wanted }) =>
      expect(removeDeploymentCondition(input.conditions, input.type)).toEqual(wanted.conditions),
  );

  test('keeps the time of the transition while the status stays', () => {
    const before = [condition('Progressing', 'True', 'NewReplicaSetCreated', 300)];
    const [after] = setDeploymentCondition(before, condition('Progressing', 'True', 'ReplicaSetUpdated', 0));
    expect(after).toMatchObject({ lastUpdateTime: at(0), lastTransitionTime: at(300) });
    const [turned] = setDeploymentCondition(before, condition('Progressing', 'False', 'Late', 0));
    expect(turned).toMatchObject({ lastUpdateTime: at(0), lastTransitionTime: at(0) });
    const found = getDeploymentCondition({ conditions: before }, 'Progressing');
    expect(found).toEqual(before[0]);
    expect(getDeploymentCondition({}, 'Progressing')).toBeUndefined();
  });

  test('counts what ReplicaSets report', () => {
    const deployment = aDeployment({
      replicas: 10,
      maxUnavailable: 2,
      generation: 4,
      status: { collisionCount: 2 },
    });
    const current = aReplicaSet('new', { replicas: 5, reported: 4, ready: 3, available: 2 });
    const old = [aReplicaSet('old', { replicas: 6, reported: 6, available: 5 })];
    expect(calculateStatus(deployment, current, old, NOW_MS)).toMatchObject({
      observedGeneration: 4,
      replicas: 10,
      updatedReplicas: 4,
      readyReplicas: 8,
      availableReplicas: 7,
      unavailableReplicas: 4,
      collisionCount: 2,
    });
  });

  test('counts nothing below zero, and what is not there as nothing', () => {
    const shrinking = [aReplicaSet('old', { replicas: 1, reported: 5 })];
    const status = calculateStatus(aDeployment({ replicas: 1 }), undefined, shrinking, NOW_MS);
    expect(status.unavailableReplicas ?? 0).toBe(0);
    expect(status.updatedReplicas ?? 0).toBe(0);
    expect(status.availableReplicas).toBe(5);
    expect(status.collisionCount).toBeUndefined();
  });

  test('is available when no more are missing than may be', () => {
    const deployment = aDeployment({ replicas: 10, maxUnavailable: 2 });
    const with_ = (available: number) =>
      told(
        calculateStatus(deployment, aReplicaSet('new', { replicas: 10, available }), [], NOW_MS).conditions,
      );
    expect(with_(8)).toEqual([{ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' }]);
    expect(with_(7)).toEqual([{ type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable' }]);
  });

  test('keeps the other conditions, and the times of Available while it stays what it is', () => {
    const available = condition('Available', 'True', 'MinimumReplicasAvailable', 500);
    const other = condition('Progressing', 'True', 'ReplicaSetUpdated', 50);
    const deployment = aDeployment({ replicas: 1, status: { conditions: [available, other] } });
    const { conditions = [] } = calculateStatus(deployment, aReplicaSet('new', { replicas: 1 }), [], NOW_MS);
    expect(conditions).toHaveLength(2);
    expect(conditions).toEqual(expect.arrayContaining([available, other]));
  });

  interface CompleteRow {
    readonly generation?: number;
    readonly spec: Pick<DeploymentParts, 'replicas' | 'maxSurge' | 'maxUnavailable'>;
    readonly status: DeploymentStatus;
  }
  test.each(table<CompleteRow, { complete: boolean }>('deploymentComplete', 5))(
    'sees whether a roll-out is over as Kubernetes does: %s',
    (_, { input: { generation = 1, spec, status }, expect: { complete } }) => {
      const deployment = aDeployment({ ...spec, generation });
      expect(deploymentComplete(deployment, { observedGeneration: generation, ...status })).toBe(complete);
    },
  );

  test('is complete when all are updated, available and observed, and there are no others', () => {
    const all = { replicas: 3, updatedReplicas: 3, availableReplicas: 3, observedGeneration: 7 };
    expect(deploymentComplete(aDeployment({ replicas: 3, generation: 7 }), all)).toBe(true);
    expect(deploymentComplete(aDeployment({ replicas: 3, generation: 8 }), all)).toBe(false);
    expect(deploymentComplete(aDeployment({ replicas: 0 }), { observedGeneration: 1 })).toBe(true);
  });

  interface ProgressRow {
    readonly oldStatus: DeploymentStatus;
    readonly newStatus: DeploymentStatus;
  }
  test.each(table<ProgressRow, { progressing: boolean }>('deploymentProgressing', 5))(
    'sees progress as Kubernetes does: %s',
    (_, { input: { oldStatus, newStatus }, expect: { progressing } }) =>
      expect(deploymentProgressing(aDeployment({ status: oldStatus }), newStatus)).toBe(progressing),
  );

  interface TimedOutRow {
    readonly progressDeadlineSeconds: number | null;
    readonly condition: DeploymentCondition;
    readonly now: string | null;
  }
  test.each(table<TimedOutRow, { timedOut: boolean }>('deploymentTimedOut', 3))(
    'sees whether time is up as Kubernetes does: %s',
    (_, { input, expect: { timedOut } }) => {
      const deployment = aDeployment({ progressDeadlineSeconds: input.progressDeadlineSeconds });
      const nowMs = input.now === null ? NOW_MS : Date.parse(input.now);
      expect(deploymentTimedOut(deployment, { conditions: [input.condition] }, nowMs)).toBe(timedOut);
    },
  );

  test('times out when more than the deadline has passed since the last progress', () => {
    const deployment = aDeployment({ progressDeadlineSeconds: 60 });
    const late = (secondsAgo: number, reason = 'ReplicaSetUpdated', more = 0) =>
      deploymentTimedOut(
        deployment,
        { conditions: [condition('Progressing', 'True', reason, secondsAgo)] },
        NOW_MS + more,
      );
    expect([late(59), late(60), late(60, 'ReplicaSetUpdated', 1), late(61)]).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(late(10_000, 'NewReplicaSetAvailable')).toBe(false);
    expect(late(0, 'ProgressDeadlineExceeded')).toBe(true);
    expect(deploymentTimedOut(deployment, {}, NOW_MS)).toBe(false);
    expect(hasProgressDeadline(deployment)).toBe(true);
    expect(hasProgressDeadline(aDeployment({ progressDeadlineSeconds: MAX_INT32 }))).toBe(false);
    expect(hasProgressDeadline(aDeployment({ progressDeadlineSeconds: null }))).toBe(false);
  });

  interface RequeueRow {
    readonly progressDeadlineSeconds: number | null;
    readonly specReplicas: number;
    readonly newStatus: DeploymentStatus;
    readonly condition: DeploymentCondition | null;
    readonly now: string | null;
  }
  /** Of what is less than a ms, this clock knows that it is more than nothing. */
  const msOf = (time: string): number => {
    const [seconds = '', fraction = ''] = time.replace('Z', '').split('.');
    return Date.parse(`${seconds}Z`) + Math.ceil(Number(`0.${fraction}`) * 1_000);
  };
  test.each(table<RequeueRow, { requeueAfterSeconds: number }>('requeueStuckDeployment', 7))(
    'says when to look again as Kubernetes does: %s',
    (_, { input, expect: { requeueAfterSeconds } }) => {
      const { condition: current, now, newStatus } = input;
      const deployment = aDeployment({
        replicas: input.specReplicas,
        progressDeadlineSeconds: input.progressDeadlineSeconds,
        status: current ? { conditions: [current] } : {},
      });
      const afterMs = requeueStuckDeployment(
        deployment,
        { observedGeneration: 1, ...newStatus },
        now === null ? NOW_MS : msOf(now),
      );
      expect(afterMs).toBe(requeueAfterSeconds < 0 ? undefined : requeueAfterSeconds * 1_000);
    },
  );

  test('looks again exactly when the deadline is due', () => {
    const conditions = [condition('Progressing', 'True', 'ReplicaSetUpdated', 180)];
    const deployment = aDeployment({ progressDeadlineSeconds: 600, status: { conditions } });
    expect(requeueStuckDeployment(deployment, {}, NOW_MS)).toBe(420_000);
    expect(requeueStuckDeployment(deployment, {}, NOW_MS + 419_000)).toBe(1_000);
    expect(requeueStuckDeployment(deployment, {}, NOW_MS + 419_001)).toBe(0);
    expect(requeueStuckDeployment(deployment, {}, NOW_MS + 900_000)).toBe(0);
  });

  test('takes over the failure of a ReplicaSet, that of the new one first', () => {
    const failure = (reason: string) => ({
      conditions: [
        { type: 'ReplicaFailure', status: 'True', reason, message: 'no', lastTransitionTime: at(9) },
      ],
    });
    const old = [aReplicaSet('fine'), aReplicaSet('old', failure('FailedDelete'))];
    expect(getReplicaFailure(aReplicaSet('new'), old)).toEqual({
      type: 'ReplicaFailure',
      status: 'True',
      reason: 'FailedDelete',
      message: 'no',
      lastTransitionTime: at(9),
      lastUpdateTime: at(9),
    });
    expect(getReplicaFailure(aReplicaSet('new', failure('FailedCreate')), old)?.reason).toBe('FailedCreate');
    expect(getReplicaFailure(undefined, [aReplicaSet('fine')])).toBeUndefined();
  });

  interface RolloutRow {
    readonly progressDeadlineSeconds: number;
    readonly specReplicas: number;
    readonly currentStatus: DeploymentStatus;
    readonly conditions: readonly DeploymentCondition[];
    readonly oldReplicaSets: readonly RolloutSet[];
    readonly newReplicaSet: RolloutSet | null;
  }
  interface RolloutSet {
    readonly name: string;
    readonly specReplicas: number;
    readonly statusReplicas: number;
    readonly availableReplicas: number;
  }
  const rolledOut = ({
    name,
    specReplicas: replicas,
    statusReplicas: reported,
    availableReplicas,
  }: RolloutSet) => aReplicaSet(name, { replicas, reported, available: availableReplicas, ready: 0 });
  test.each(table<RolloutRow, { progressing: { status: string; reason: string } }>('syncRolloutStatus', 7))(
    'says how a roll-out goes as Kubernetes does: %s',
    (_, { input, expect: { progressing } }) => {
      const deployment = aDeployment({
        replicas: input.specReplicas,
        progressDeadlineSeconds: input.progressDeadlineSeconds,
        status: { ...input.currentStatus, conditions: [...input.conditions] },
      });
      const current = input.newReplicaSet ? rolledOut(input.newReplicaSet) : undefined;
      const status = calculateRolloutStatus(deployment, current, input.oldReplicaSets.map(rolledOut), NOW_MS);
      expect(getDeploymentCondition(status, 'Progressing')).toMatchObject(progressing);
    },
  );

  test('starts the deadline anew with each step, though nothing else about Progressing changes', () => {
    const conditions = [condition('Progressing', 'True', 'ReplicaSetUpdated', 500)];
    const deployment = aDeployment({ replicas: 3, status: { updatedReplicas: 1, replicas: 3, conditions } });
    const current = aReplicaSet('new', { replicas: 2, available: 1 });
    const after = calculateRolloutStatus(deployment, current, [aReplicaSet('old', { replicas: 1 })], NOW_MS);
    expect(getDeploymentCondition(after, 'Progressing')).toMatchObject({
      reason: 'ReplicaSetUpdated',
      lastUpdateTime: at(0),
      lastTransitionTime: at(500),
    });
  });

  test('says nothing of progress without a deadline, and takes a failure back that is over', () => {
    const conditions = [
      condition('Progressing', 'True', 'ReplicaSetUpdated'),
      condition('ReplicaFailure', 'True', 'FailedCreate'),
    ];
    const deployment = aDeployment({
      replicas: 3,
      progressDeadlineSeconds: MAX_INT32,
      status: { conditions },
    });
    const after = calculateRolloutStatus(deployment, aReplicaSet('new', { replicas: 1 }), [], NOW_MS);
    expect(told(after.conditions).map(({ type }) => type)).toEqual(['Available']);
  });

  test('stops the clock while it is paused, and starts it anew afterwards', () => {
    const check = (paused: boolean, reason: string | undefined, parts: DeploymentParts = {}) => {
      const conditions = reason === undefined ? [] : [condition('Progressing', 'True', reason)];
      const said = checkPausedConditions(aDeployment({ paused, status: { conditions }, ...parts }), NOW_MS);
      return said && `${said.type} ${said.status} ${said.reason} ${said.lastUpdateTime === at(0)}`;
    };
    expect(check(true, 'ReplicaSetUpdated')).toBe('Progressing Unknown DeploymentPaused true');
    expect(check(true, undefined)).toBe('Progressing Unknown DeploymentPaused true');
    expect(check(true, 'DeploymentPaused')).toBeUndefined();
    expect(check(false, 'DeploymentPaused')).toBe('Progressing Unknown DeploymentResumed true');
    expect(check(false, 'ReplicaSetUpdated')).toBeUndefined();
    expect(check(true, 'ProgressDeadlineExceeded')).toBeUndefined();
    expect(check(true, undefined, { progressDeadlineSeconds: MAX_INT32 })).toBeUndefined();
  });
});

describe('Level 8 · History and rollback', () => {
  const revised = (name: string, number: number | string, parts: ReplicaSetParts = {}) =>
    aReplicaSet(name, { ...parts, annotations: { [REVISION]: `${number}`, ...parts.annotations } });

  test('reads revisions, and passes over those that are none', () => {
    expect(revision(revised('a', 7))).toBe(7);
    expect(revision(aReplicaSet('a'))).toBe(0);
    expect(revision(revised('a', 'seven'))).toBeUndefined();
    expect(maxRevision([revised('a', 2), revised('b', 10), revised('c', 'zebra'), aReplicaSet('d')])).toBe(
      10,
    );
    expect(maxRevision([])).toBe(0);
  });

  test('copies the Deployment’s annotations, but not those that are its own', () => {
    const deployment = aDeployment({
      annotations: {
        'kubernetes.io/change-cause': 'a new logo',
        'kubectl.kubernetes.io/last-applied-configuration': '{}',
        'deprecated.deployment.rollback.to': '1',
        [REVISION]: '9',
        [REVISION_HISTORY]: '1,2',
        [DESIRED_REPLICAS]: '5',
        [MAX_REPLICAS]: '6',
      },
    });
    expect(
      newReplicaSetAnnotations(deployment, { team: 'red', 'kubernetes.io/change-cause': 'old' }, 3),
    ).toEqual({
      team: 'red',
      'kubernetes.io/change-cause': 'a new logo',
      [REVISION]: '3',
    });
  });

  test('moves the revision up, never back, and compares numbers, not texts', () => {
    const deployment = aDeployment();
    const moved = (before: string, next: number) =>
      newReplicaSetAnnotations(deployment, { [REVISION]: before }, next)[REVISION];
    expect([moved('3', 4), moved('4', 4), moved('7', 4), moved('9', 10)]).toEqual(['4', '4', '7', '10']);
    expect(newReplicaSetAnnotations(deployment, { [REVISION]: 'zebra', a: 'b' }, 4)).toEqual({
      [REVISION]: 'zebra',
      a: 'b',
    });
  });

  test('remembers the revisions that a ReplicaSet had when it is rolled back to', () => {
    const deployment = aDeployment();
    let annotations = newReplicaSetAnnotations(deployment, {}, 1);
    expect(annotations[REVISION_HISTORY]).toBeUndefined();
    annotations = newReplicaSetAnnotations(deployment, annotations, 3);
    expect(annotations).toEqual({ [REVISION]: '3', [REVISION_HISTORY]: '1' });
    annotations = newReplicaSetAnnotations(deployment, annotations, 5);
    expect(annotations).toEqual({ [REVISION]: '5', [REVISION_HISTORY]: '1,3' });
    const noted = aDeployment({ annotations: { note: 'new' } });
    expect(newReplicaSetAnnotations(noted, annotations, 5)).toEqual({ ...annotations, note: 'new' });
  });

  interface HistoryRow {
    readonly deploymentRevision: string;
    readonly revisions: readonly string[];
    readonly revHistoryLimitInChars: number;
  }
  interface HistoryExpect {
    readonly revision: string;
    readonly history: string;
    readonly historyAfterRevision13: string;
  }
  test.each(table<HistoryRow, HistoryExpect>('revisionAnnotations', 1))(
    'cuts the history short as Kubernetes does: %s',
    (_, { input, expect: wanted }) => {
      const deployment = aDeployment({ annotations: { [REVISION]: input.deploymentRevision } });
      let annotations: Record<string, string> = {};
      for (const next of input.revisions) {
        annotations = newReplicaSetAnnotations(
          deployment,
          annotations,
          Number(next),
          input.revHistoryLimitInChars,
        );
        if (next === '13') expect(annotations[REVISION_HISTORY]).toBe(wanted.historyAfterRevision13);
      }
      expect(annotations).toEqual({ [REVISION]: wanted.revision, [REVISION_HISTORY]: wanted.history });
    },
  );

  interface OldRow {
    readonly name: string;
    readonly specReplicas: number;
    readonly statusReplicas: number;
    readonly created?: number;
    readonly revision?: string;
    readonly deletionTimestamp?: string;
  }
  interface CleanRow {
    readonly oldReplicaSets: readonly OldRow[];
    readonly revisionHistoryLimit: number;
  }
  const cleaned = ({ oldReplicaSets, revisionHistoryLimit }: CleanRow): string[] =>
    namesOf(
      findCleanableReplicaSets(
        aDeployment({ revisionHistoryLimit }),
        oldReplicaSets.map(
          ({ name, specReplicas: replicas, statusReplicas: reported, created = 0, ...row }) =>
            aReplicaSet(name, {
              replicas,
              reported,
              created,
              deleted: row.deletionTimestamp !== undefined,
              ...(row.revision === undefined ? {} : { annotations: { [REVISION]: row.revision } }),
            }),
        ),
      ),
    );
  test.each(table<CleanRow, { deletions: number }>('cleanupRevisionHistory', 4))(
    'trims as many as Kubernetes does: %s',
    (_, { input, expect: { deletions } }) => expect(cleaned(input)).toHaveLength(deletions),
  );
  test.each(table<CleanRow, { deleted: string[] }>('cleanupRevisionOrder', 5))(
    'trims in the order that Kubernetes does: %s',
    (_, { input, expect: { deleted } }) => expect(cleaned(input)).toEqual(deleted),
  );

  test('trims none that has not heard yet that it is to be empty', () => {
    const deployment = aDeployment({ revisionHistoryLimit: 0 });
    const deaf = aReplicaSet('deaf', { generation: 3, observedGeneration: 2 });
    expect(findCleanableReplicaSets(deployment, [deaf])).toEqual([]);
    expect(findCleanableReplicaSets(deployment, [aReplicaSet('heard', { generation: 3 })])).toHaveLength(1);
  });

  test('rolls back to the one before the last, or to the one that is asked for', () => {
    const all = [revised('c', 10), revised('a', 2), revised('odd', 'x'), revised('b', 9)];
    const find = (to?: number) => deploymentRevision(aDeployment(), all, to).metadata.name;
    expect([find(), find(0), find(2), find(10)]).toEqual(['b', 'b', 'a', 'c']);
    expect(() => find(7)).toThrow('unable to find specified revision 7 in history');
    expect(() => deploymentRevision(aDeployment(), [revised('a', 1)])).toThrow(
      'no rollout history found for deployment "web"',
    );
  });

  /** A Deployment with image `nginx:3` in a cluster without controllers, and its history. */
  const historic = async (parts: DeploymentParts = {}) => {
    const stage = await Stage.empty();
    const { metadata } = await stage.create({ image: 'nginx:3', ...parts });
    const own = { ownerUid: metadata.uid };
    await stage.addReplicaSet('web-1', {
      ...own,
      image: 'nginx:1',
      annotations: { [REVISION]: '1', cause: 'first' },
    });
    await stage.addReplicaSet('web-2', { ...own, image: 'nginx:2', annotations: { [REVISION]: '2' } });
    await stage.addReplicaSet('web-3', { ...own, image: 'nginx:3', annotations: { [REVISION]: '3' } });
    await stage.addReplicaSet('stranger', { image: 'nginx:9', annotations: { [REVISION]: '4' } });
    return stage;
  };
  const web = { namespace: 'default', name: 'web' };

  test('gives the Deployment an earlier template, without its hash', async () => {
    await using stage = await historic({ replicas: 7 });
    expect(await rollback(stage.client, web)).toBe('rolled back');
    const { spec } = stage.deployment();
    expect(spec.template.spec?.containers[0]?.image).toBe('nginx:2');
    expect(spec.template.metadata?.labels).toEqual({ app: 'web' });
    expect(spec.replicas).toBe(7);
  });

  test('brings back the annotations of that time, and keeps those that are the Deployment’s own', async () => {
    await using stage = await historic({ annotations: { [REVISION]: '3', cause: 'third', other: 'x' } });
    await rollback(stage.client, web, 1);
    expect(stage.deployment().metadata.annotations).toEqual({ [REVISION]: '3', cause: 'first' });
    expect(stage.deployment().spec.template.spec?.containers[0]?.image).toBe('nginx:1');
  });

  test('does nothing when that is what the Deployment has, or when it is paused', async () => {
    await using stage = await historic();
    const before = stage.deployment();
    const skipped = 'skipped rollback (current template already matches revision 3)';
    expect(await rollback(stage.client, web, 3)).toBe(skipped);
    await expect(rollback(stage.client, web, 4)).rejects.toThrow('unable to find specified revision 4');
    expect(stage.deployment()).toBe(before);
    await using paused = await historic({ paused: true });
    await expect(rollback(paused.client, web)).rejects.toThrow('kubectl rollout resume deployment/web');
  });
});

describe('Level 9 · The controller', () => {
  const begin = () => Stage.with({ ...components, deploymentController });
  const hashOf = (replicaSet: ReplicaSet | undefined) => replicaSet?.metadata.labels?.[POD_TEMPLATE_HASH];

  test('makes a ReplicaSet for a Deployment, and tells of it', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 3, maxSurge: 1 });
    const [made] = stage.owned();
    expect(stage.sizes()).toEqual([3]);
    expect(made?.metadata.name).toBe(`web-${hashOf(made)}`);
    expect(made?.metadata.annotations).toEqual({
      [REVISION]: '1',
      [DESIRED_REPLICAS]: '3',
      [MAX_REPLICAS]: '4',
    });
    expect(stage.deployment().metadata.annotations?.[REVISION]).toBe('1');
    expect(stage.condition('Progressing')).toBe('Progressing True NewReplicaSetCreated');
    expect(stage.told()).toEqual([
      `Normal ScalingReplicaSet: Scaled up replica set ${made?.metadata.name} to 3`,
    ]);
  });

  test('is done when all are available, and says so', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 3 });
    await stage.report(1);
    expect(stage.condition('Progressing')).toBe('Progressing True ReplicaSetUpdated');
    expect(stage.condition('Available')).toBe('Available False MinimumReplicasUnavailable');
    await stage.report();
    expect(stage.condition('Progressing')).toBe('Progressing True NewReplicaSetAvailable');
    expect(stage.condition('Available')).toBe('Available True MinimumReplicasAvailable');
    expect(stage.deployment().status).toMatchObject({
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
    });
  });

  test('writes nothing when there is nothing to do', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 3 });
    await stage.reportUntilDone();
    expect(stage.condition('Progressing')).toBe('Progressing True NewReplicaSetAvailable');
    const before = stage.writes();
    await stage.pass(3_600_000);
    expect(stage.writes()).toBe(before);
  });

  test('rolls out in steps, each as far as surge and availability allow', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 4, maxSurge: 1, maxUnavailable: 1 });
    await stage.reportUntilDone();
    await stage.setImage('nginx:2');
    expect(stage.sizes()).toEqual([3, 2]);
    await stage.report(3, 1);
    expect(stage.sizes()).toEqual([2, 3]);
    await stage.report(2, 3);
    await stage.reportUntilDone();
    expect(stage.sizes()).toEqual([0, 4]);
    expect(stage.owned().map(({ metadata }) => metadata.annotations?.[REVISION])).toEqual(['1', '2']);
    expect(stage.deployment().metadata.annotations?.[REVISION]).toBe('2');
    expect(stage.told()).toContainEqual(
      expect.stringMatching(/^Normal ScalingReplicaSet: Scaled down replica set web-\S+ to 3 from 4$/),
    );
  });

  test('halts where new pods do not become ready, and gives up when the deadline has passed, on the clock alone', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 4, maxSurge: 1, progressDeadlineSeconds: 100 });
    await stage.reportUntilDone();
    await stage.setImage('nginx:broken');
    await stage.report(undefined, 0);
    expect(stage.sizes()).toEqual([4, 1]);
    await stage.pass(95_000);
    expect(stage.condition('Progressing')).toBe('Progressing True ReplicaSetUpdated');
    await stage.pass(8_000);
    expect(stage.condition('Progressing')).toBe('Progressing False ProgressDeadlineExceeded');
    expect(stage.condition('Available')).toBe('Available True MinimumReplicasAvailable');
    expect(stage.sizes()).toEqual([4, 1]);
  });

  test('goes back to the ReplicaSet of an earlier template, with a new revision', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 4, maxSurge: 1 });
    await stage.reportUntilDone();
    await stage.setImage('nginx:broken');
    await stage.report(undefined, 0);
    await stage.setImage('nginx:1');
    await stage.report(undefined, 0);
    await stage.reportUntilDone();
    expect(stage.sizes()).toEqual([4, 0]);
    const [first] = stage.owned();
    expect(first?.metadata.annotations).toMatchObject({ [REVISION]: '3', [REVISION_HISTORY]: '1' });
    expect(stage.deployment().metadata.annotations?.[REVISION]).toBe('3');
    expect(stage.condition('Progressing')).toBe('Progressing True NewReplicaSetAvailable');
  });

  test('under Recreate begins the new only when every old pod is gone, also those that are still stopping', async () => {
    await using stage = await begin();
    await stage.create({ strategy: 'Recreate', replicas: 2 });
    const old = stage.owned()[0] as ReplicaSet;
    const pod = await stage.addPod('straggler', old);
    await stage.reportUntilDone();
    await stage.setImage('nginx:2');
    expect(stage.sizes()).toEqual([0]);
    await stage.report();
    expect(stage.sizes()).toEqual([0]);
    await stage.client.delete(pods, pod, { gracePeriodSeconds: 30 });
    await stage.pass();
    expect(stage.sizes()).toEqual([0]);
    await stage.client.delete(pods, pod, { gracePeriodSeconds: 0 });
    await stage.pass();
    expect(stage.sizes()).toEqual([0, 2]);
  });

  test('under Recreate does not wait for pods that have failed (k#128798)', async () => {
    await using stage = await begin();
    await stage.create({ strategy: 'Recreate', replicas: 2 });
    const old = stage.owned()[0] as ReplicaSet;
    await stage.addPod('evicted', old, 'Failed');
    const last = await stage.addPod('last', old);
    await stage.reportUntilDone();
    await stage.setImage('nginx:2');
    await stage.report();
    expect(stage.sizes()).toEqual([0]);
    await stage.client.delete(pods, last, { gracePeriodSeconds: 0 });
    await stage.pass();
    expect(stage.sizes()).toEqual([0, 2]);
  });

  test('rolls nothing out while it is paused, but scales', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 4 });
    await stage.reportUntilDone();
    await stage.edit({ paused: true });
    await stage.setImage('nginx:2');
    expect(stage.sizes()).toEqual([4]);
    expect(stage.condition('Progressing')).toBe('Progressing Unknown DeploymentPaused');
    await stage.edit({ replicas: 6 });
    expect(stage.sizes()).toEqual([6]);
    await stage.edit({ paused: false });
    expect(stage.sizes()).toEqual([6, 1]);
  });

  test('scales in proportion in the midst of a roll-out, and then goes on with it', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 10, maxSurge: 3, maxUnavailable: 2 });
    await stage.reportUntilDone();
    await stage.setImage('nginx:2');
    await stage.report(undefined, 0);
    expect(stage.sizes()).toEqual([8, 5]);
    await stage.edit({ replicas: 15 });
    expect(stage.sizes()).toEqual([11, 7]);
    await stage.reportUntilDone();
    expect(stage.sizes()).toEqual([0, 15]);
  });

  test('takes another name where a ReplicaSet of somebody else has the one that it wants', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2, paused: true });
    const { template } = stage.deployment().spec;
    const taken = `web-${computeHash(template)}`;
    const same = { hash: computeHash(template), image: 'nginx:1' };
    await stage.addReplicaSet(taken, { ownerUid: 'somebody-else', ...same });
    await stage.edit({ paused: false });
    expect(stage.deployment().status.collisionCount).toBe(1);
    expect(stage.owned()[0]?.metadata.name).toBe(`web-${computeHash(template, 1)}`);
    expect(stage.sizes()).toEqual([2]);
    expect(stage.replicaSet(taken)?.spec.replicas).toBe(0);
  });

  test('takes another name where its own ReplicaSet of another template has the one that it wants', async () => {
    await using stage = await begin();
    const { metadata } = await stage.create({ replicas: 2, paused: true });
    const { template } = stage.deployment().spec;
    const taken = `web-${computeHash(template)}`;
    await stage.addReplicaSet(taken, { ownerUid: metadata.uid, image: 'nginx:0' });
    await stage.edit({ paused: false });
    expect(stage.deployment().status.collisionCount).toBe(1);
    expect(stage.replicaSet(`web-${computeHash(template, 1)}`)?.spec.replicas).toBeGreaterThan(0);
  });

  test('finds the ReplicaSet that it made, though it died before it heard of it', async () => {
    await using stage = await begin();
    stage.strike({ fault: 'crash', skip: 0, performed: true, restartAfterMs: 100 });
    await stage.create({ replicas: 2 });
    await stage.pass(5_000);
    await stage.reportUntilDone();
    expect(stage.sizes()).toEqual([2]);
    expect(stage.deployment().status.collisionCount ?? 0).toBe(0);
    expect(stage.condition('Progressing')).toBe('Progressing True NewReplicaSetAvailable');
    expect(stage.deployment().metadata.annotations?.[REVISION]).toBe('1');
  });

  test('finds the ReplicaSet that it made, though its cache does not know of it yet', async () => {
    await using stage = await begin();
    stage.strike({ fault: 'delay-watches', forMs: 3_000, resource: 'replicasets' });
    await stage.create({ replicas: 2 });
    await stage.edit({ minReadySeconds: 5 });
    await stage.pass(5_000);
    expect(stage.sizes()).toEqual([2]);
    expect(stage.owned()[0]?.spec.minReadySeconds).toBe(5);
    expect(stage.deployment().status.collisionCount ?? 0).toBe(0);
  });

  test('adopts what it selects and nobody owns, and leaves others alone', async () => {
    await using stage = await begin();
    await stage.addReplicaSet('orphan', { replicas: 0 });
    await stage.addReplicaSet('taken', { ownerUid: 'somebody-else' });
    await stage.addReplicaSet('stranger', { labels: { app: 'other' }, of: 'other' });
    const { metadata } = await stage.create({ replicas: 1 });
    const ownerOf = (name: string) => stage.replicaSet(name)?.metadata.ownerReferences?.[0]?.uid;
    expect(['orphan', 'taken', 'stranger'].map(ownerOf)).toEqual([metadata.uid, 'somebody-else', undefined]);
  });

  test('adopts the ReplicaSet that has its template, instead of making one', async () => {
    await using stage = await begin();
    await stage.addReplicaSet('by-hand', { image: 'nginx:1', replicas: 1 });
    await stage.create({ image: 'nginx:1', replicas: 3 });
    expect(stage.owned().map(({ metadata }) => metadata.name)).toEqual(['by-hand']);
    expect(stage.sizes()).toEqual([3]);
  });

  test('lets go of what it no longer selects', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 1 });
    const { metadata, ...rest } = stage.owned()[0] as ReplicaSet;
    const labels = { ...metadata.labels, app: 'other' };
    await stage.client.update(replicaSets, { ...rest, metadata: { ...metadata, labels } });
    await stage.pass();
    expect(stage.replicaSet(metadata.name)?.metadata.ownerReferences ?? []).toEqual([]);
  });

  test('asks whether the Deployment is still there before it adopts for it', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 1 });
    expect(stage.sizes()).toEqual([1]);
    stage.strike({ fault: 'delay-watches', forMs: 20_000, resource: 'deployments' });
    const web = { namespace: 'default', name: 'web' };
    await stage.client.delete(deployments, web, { propagationPolicy: 'Foreground' });
    await stage.addReplicaSet('orphan');
    await stage.pass();
    expect(stage.replicaSet('orphan')?.metadata.ownerReferences ?? []).toEqual([]);
  });

  test('does nothing for a Deployment that is being deleted but keep its status', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2 });
    await stage.reportUntilDone();
    await stage.edit((spec) => spec);
    const web = { namespace: 'default', name: 'web' };
    await stage.client.delete(deployments, web, { propagationPolicy: 'Foreground' });
    await stage.edit({ replicas: 5 });
    await stage.setImage('nginx:2');
    await stage.report(1);
    expect(stage.sizes()).toEqual([2]);
    expect(stage.deployment().status).toMatchObject({ availableReplicas: 1 });
  });

  test('writes over nothing that it has not seen', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2 });
    await stage.reportUntilDone();
    stage.strike({ fault: 'delay-watches', forMs: 5_000, resource: 'replicasets' });
    const { metadata, ...rest } = stage.owned()[0] as ReplicaSet;
    const annotations = { ...metadata.annotations, note: 'unseen' };
    await stage.client.update(replicaSets, { ...rest, metadata: { ...metadata, annotations } });
    await stage.edit({ replicas: 3 });
    expect(stage.owned()[0]?.metadata.annotations?.note).toBe('unseen');
    await stage.pass(10_000);
    expect(stage.sizes()).toEqual([3]);
    expect(stage.owned()[0]?.metadata.annotations?.note).toBe('unseen');
  });

  test('keeps as much history as it is told to, and deletes the lowest revision first', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 1, revisionHistoryLimit: 2 });
    for (const image of ['nginx:2', 'nginx:3', 'nginx:1', 'nginx:4']) {
      await stage.reportUntilDone();
      await stage.setImage(image);
    }
    await stage.reportUntilDone();
    const revisions = stage.owned().map(({ metadata }) => metadata.annotations?.[REVISION]);
    expect(revisions.sort()).toEqual(['3', '4', '5']);
  });

  test('deletes nothing of its history that somebody has come to use, though its cache does not know', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 1 });
    await stage.reportUntilDone();
    await stage.setImage('nginx:2');
    await stage.reportUntilDone();
    const [old] = stage.owned() as [ReplicaSet];
    stage.strike({ fault: 'delay-watches', forMs: 5_000, resource: 'replicasets' });
    await stage.client.update(replicaSets, { ...old, spec: { ...old.spec, replicas: 1 } });
    await stage.edit({ revisionHistoryLimit: 0 });
    await stage.pass(10_000);
    await stage.reportUntilDone();
    // Who knows of it sizes it down first, and may delete it then.
    const deleted = [...stage.cluster.journal.of(replicaSets)].filter(({ type }) => type === 'DELETED');
    expect(deleted.map(({ object }) => object.spec.replicas)).toEqual([0]);
  });

  test('makes another ReplicaSet where one was deleted while its watch was down', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2 });
    const { namespace = '', name, uid } = (stage.owned()[0] as ReplicaSet).metadata;
    stage.strike({ fault: 'delay-watches', forMs: 2_000, resource: 'replicasets' });
    await stage.client.delete(replicaSets, { namespace, name }, { propagationPolicy: 'Background' });
    stage.cluster.nemesis.strike({ fault: 'compact' });
    stage.strike({ fault: 'fail-watches', reason: 'Expired' });
    await stage.pass(30_000);
    const next = stage.replicaSet(name);
    expect(next?.spec.replicas).toBe(2);
    expect(next?.metadata.uid).not.toBe(uid);
  });

  test('makes another ReplicaSet where somebody else has taken its own', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2 });
    const { metadata, ...rest } = stage.owned()[0] as ReplicaSet;
    const [owner] = metadata.ownerReferences ?? [];
    const ownerReferences = [{ ...owner, uid: 'somebody-else' } as OwnerReference];
    await stage.client.update(replicaSets, { ...rest, metadata: { ...metadata, ownerReferences } });
    await stage.pass(5_000);
    expect(stage.sizes()).toEqual([2]);
    expect(stage.replicaSet(metadata.name)?.metadata.ownerReferences).toEqual(ownerReferences);
  });

  test('adopts nothing that is being deleted', async () => {
    await using stage = await begin();
    await stage.addReplicaSet('dying');
    const dying = { namespace: 'default', name: 'dying' };
    await stage.client.delete(replicaSets, dying, { propagationPolicy: 'Foreground' });
    await stage.pass();
    await stage.create({ replicas: 1 });
    await stage.pass(5_000);
    expect(stage.sizes()).toEqual([1]);
    expect(stage.replicaSet('dying')?.metadata.ownerReferences ?? []).toEqual([]);
  });

  test('adopts nothing for a Deployment in whose place there is another of its name', async () => {
    await using stage = await begin();
    const first = await stage.create({ replicas: 1 });
    expect(stage.sizes()).toEqual([1]);
    stage.strike({ fault: 'delay-watches', forMs: 20_000, resource: 'deployments' });
    await stage.client.delete(
      deployments,
      { namespace: 'default', name: 'web' },
      { propagationPolicy: 'Background' },
    );
    await stage.create({ replicas: 1 });
    await stage.addReplicaSet('orphan');
    await stage.pass(5_000);
    const owners = stage.replicaSet('orphan')?.metadata.ownerReferences ?? [];
    expect(owners.map(({ uid }) => uid)).not.toContain(first.metadata.uid);
  });

  test('reports what keeps it from making a ReplicaSet', async () => {
    await using stage = await begin();
    const { spec } = aDeployment({ replicas: 2, maxSurge: 1 });
    // It is a name, but with a hash behind it too long for one.
    const long = { namespace: 'default', name: 'w'.repeat(250) };
    await stage.client.create(deployments, { metadata: long, spec });
    await stage.pass();
    expect(stage.told()).toContainEqual(
      expect.stringMatching(
        /^Warning ReplicaSetCreateError: Failed to create new replica set "w+-[a-z0-9]+": /,
      ),
    );
    const { status } = await stage.client.get(deployments, long);
    expect(getDeploymentCondition(status, 'Progressing')).toMatchObject({
      status: 'False',
      reason: 'ReplicaSetCreateError',
    });
  });

  test('tries again what failed, though nothing else happens', async () => {
    await using stage = await begin();
    stage.strike({ fault: 'refuse', reason: 'InternalError', requests: 3 });
    await stage.create({ replicas: 2 });
    await stage.pass(30_000);
    expect(stage.sizes()).toEqual([2]);
  });

  test('notices a roll-out that is stuck, though who began it died before saying so (k#106697)', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 2, progressDeadlineSeconds: 60 });
    await stage.reportUntilDone();
    stage.strike({ fault: 'crash', skip: 0, performed: true, restartAfterMs: 10_000 });
    await stage.setImage('nginx:broken');
    await stage.report(undefined, 0);
    await stage.pass(200_000);
    expect(stage.condition('Progressing')).toBe('Progressing False ProgressDeadlineExceeded');
  });

  test('leaves alone a Deployment that would select everything, and warns', async () => {
    await using stage = await begin();
    const { metadata, spec } = aDeployment({ replicas: 2 });
    // Every server refuses it; one that was there before they did would have to be lived with.
    stage.cluster.storage.create(deployments, {
      ...aDeployment(),
      metadata: { ...metadata },
      spec: { ...spec, selector: {} },
    });
    await stage.pass();
    expect(stage.owned()).toEqual([]);
    expect(stage.told()).toEqual([
      'Warning SelectingAll: This deployment is selecting all pods. A non-empty selector is required.',
    ]);
  });
});
