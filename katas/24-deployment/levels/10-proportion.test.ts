import { describe, expect, test } from 'vitest';
import { DESIRED_REPLICAS, MAX_REPLICAS } from '#given/24-deployment';
import type { ReplicaSet } from '#harness';
import { ruleFor } from '#harness/testing';
import {
  getReplicaSetFraction,
  getReplicaSetProportion,
  isScalingEvent,
  scale,
} from '#kata/24-deployment/deployment';
import { aDeployment, aReplicaSet, type DeploymentParts } from '#laws/24-deployment';
import { begin } from './controller.fixture.ts';
import { sizesAfter } from './sizes.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 10 ★ · Scale in proportion', () => {
  const annotated = (desired: number | string, max: number | string = desired) => ({
    annotations: { [DESIRED_REPLICAS]: `${desired}`, [MAX_REPLICAS]: `${max}` },
  });

  test('detects a change of size by the annotation of active ReplicaSets', () => {
    const deployment = aDeployment({ replicas: 5 });
    const scaled = (...all: readonly ReplicaSet[]) => isScalingEvent(deployment, all);
    const sized = (name: string, replicas: number, desired: number) =>
      aReplicaSet(name, { replicas, ...annotated(desired) });
    expect(
      scaled(sized('new', 2, 5), sized('old', 3, 5)),
      'both active ReplicaSets have desired-replicas 5, as spec.replicas',
    ).toBe(false);
    expect(
      scaled(sized('new', 2, 5), sized('old', 3, 10)),
      'one active ReplicaSet has desired-replicas 10, but spec.replicas is 5: it was scaled',
    ).toBe(true);
    expect(
      scaled(sized('new', 5, 5), sized('empty', 0, 10)),
      'a ReplicaSet without pods does not count',
    ).toBe(false);
    expect(
      scaled(aReplicaSet('adopted', { replicas: 3 })),
      'a ReplicaSet without the annotation desired-replicas does not count',
    ).toBe(false);
    expect(scaled(), 'no ReplicaSet at all').toBe(false);
  });

  test('treats several active ReplicaSets under Recreate as a roll-out, whatever their annotations', () => {
    const deployment = aDeployment({ strategy: 'Recreate', replicas: 5 });
    const one = aReplicaSet('one', { replicas: 3, ...annotated(3) });
    const other = aReplicaSet('other', { replicas: 3, ...annotated(3) });
    expect(isScalingEvent(deployment, [one]), 'one active ReplicaSet of another size: this is scaling').toBe(
      true,
    );
    expect(
      isScalingEvent(deployment, [one, other]),
      'two active ReplicaSets under Recreate are an unfinished roll-out, never scaling: the roll-out scales the old one down',
    ).toBe(false);
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
    'computes shares as Kubernetes does: %s',
    (_, { input, expect: { delta } }) => {
      const { deployment, replicaSet } = input;
      const { statusReplicas, ...parts } = deployment;
      const { replicas, maxReplicasAnnotation } = replicaSet;
      const annotations = { [MAX_REPLICAS]: maxReplicasAnnotation };
      const fraction = getReplicaSetFraction(
        aDeployment({ ...parts, status: { replicas: statusReplicas } }),
        aReplicaSet('a', { replicas, annotations }),
      );
      const rule =
        'replicas × new maximum / max-replicas annotation (without it status.replicas), rounded, minus replicas';
      expect(fraction + 0, ruleFor(rule, input)).toBe(delta);
    },
  );

  test('returns all pods at size 0, and rounds halves up', () => {
    const sized = aReplicaSet('a', { replicas: 5, ...annotated(10) });
    const of = '5 replicas, sized for at most 10; the Deployment now wants';
    expect(getReplicaSetFraction(aDeployment({ replicas: 0 }), sized), `${of} 0`).toBe(-5);
    expect(
      getReplicaSetFraction(aDeployment({ replicas: 5 }), sized),
      `${of} 5: 2.5 is rounded up to 3`,
    ).toBe(-2);
    expect(
      getReplicaSetFraction(aDeployment({ replicas: 11 }), sized),
      `${of} 11: 5.5 is rounded up to 6`,
    ).toBe(1);
    const unknown = aReplicaSet('a', { replicas: 5 });
    expect(
      getReplicaSetFraction(aDeployment({ replicas: 20, status: { replicas: 10 } }), unknown),
      'without the annotation max-replicas, the size before is status.replicas, 10; now 20 are desired, so 5 become 10',
    ).toBe(5);
  });

  test('limits a share to the rest in both directions, and gives none to an empty ReplicaSet', () => {
    const up = aDeployment({ replicas: 20 });
    const sized = aReplicaSet('a', { replicas: 5, ...annotated(10) });
    const share = 'its share is 5 of 10; already given away:';
    expect(getReplicaSetProportion(up, sized, 10, 0), `${share} 0`).toBe(5);
    expect(getReplicaSetProportion(up, sized, 10, 7), `${share} 7, so 3 are left`).toBe(3);
    expect(getReplicaSetProportion(up, sized, 10, 10), `${share} 10, so none is left`).toBe(0);
    expect(
      getReplicaSetProportion(up, aReplicaSet('a', { ...annotated(10) }), 10, 0),
      'a ReplicaSet without pods gets nothing',
    ).toBe(0);
    const down = aDeployment({ replicas: 4 });
    expect(getReplicaSetProportion(down, sized, -6, 0), 'its share is 3 of the 6 to remove').toBe(-3);
    expect(getReplicaSetProportion(down, sized, -6, -5), '5 of 6 are removed already, so 1 is left').toBe(-1);
    expect(getReplicaSetProportion(down, sized, 0, 0), 'the share of 0 replicas to add').toBe(0);
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
      const rule =
        'each ReplicaSet in proportion to its size, the biggest first; the rest goes to the biggest';
      expect(sizesAfter(all, orders), ruleFor(rule, input)).toEqual(replicas);
    },
  );

  test('scales old ReplicaSets to 0 once the new ReplicaSet has all pods', () => {
    const current = aReplicaSet('new', { replicas: 5, ...annotated(5) });
    const old = [aReplicaSet('old', { replicas: 2, ...annotated(5) })];
    const orders = scale(aDeployment({ replicas: 5 }), current, old);
    expect(sizesAfter([...old, current], orders), 'the new ReplicaSet has all 5 replicas, available').toEqual(
      { old: 0, new: 5 },
    );
  });

  test('scales nothing under Recreate with several ReplicaSets', () => {
    const current = aReplicaSet('new', { replicas: 2, ...annotated(5) });
    const old = [aReplicaSet('old', { replicas: 3, ...annotated(5) })];
    expect(
      scale(aDeployment({ strategy: 'Recreate', replicas: 9 }), current, old),
      'two active ReplicaSets are scaled in proportion only under RollingUpdate',
    ).toEqual([]);
  });

  test('returns a write if only the annotations are outdated', () => {
    const deployment = aDeployment({ replicas: 5 });
    const right = aReplicaSet('new', { replicas: 5, ...annotated(3) });
    expect(scale(deployment, right, []), 'desired-replicas says 3, and spec.replicas is 5').toEqual([
      { replicaSet: right, replicas: 5 },
    ]);
    expect(
      scale(deployment, aReplicaSet('new', { replicas: 5, ...annotated(5) }), []),
      'the only ReplicaSet has 5 replicas and the annotations for 5: no orders',
    ).toEqual([]);
    const current = aReplicaSet('new', { replicas: 2, created: 2, ...annotated(5) });
    const behind = aReplicaSet('old', { replicas: 3, created: 1, ...annotated(4) });
    expect(
      scale(deployment, current, [behind]),
      'together they have 5 replicas, as desired, but desired-replicas of old is 4: write its annotations',
    ).toEqual([{ replicaSet: behind, replicas: 3 }]);
  });

  test('scales down before it scales up', () => {
    const deployment = aDeployment({ replicas: 11, maxSurge: 3 });
    // The Deployment changed its size twice. The big ReplicaSet got only the first change, the small one got both.
    const big = aReplicaSet('big', { replicas: 8, created: 1, ...annotated(10, 13) });
    const small = aReplicaSet('small', { replicas: 7, created: 2, ...annotated(15, 19) });
    const orders = scale(deployment, small, [big]);
    expect(
      orders.map(({ replicaSet, replicas }) => [replicaSet.metadata.name, replicas]),
      'the order that shrinks must come first: after a crash between the two writes there must not be too many pods',
    ).toEqual([
      ['small', 5],
      ['big', 9],
    ]);
  });

  test('scales in proportion during a roll-out, and then continues it', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 10, maxSurge: 3, maxUnavailable: 2 });
    await stage.reportUntilDone();
    await stage.setImage('nginx:2');
    await stage.report(undefined, 0);
    expect(stage.sizes(), 'old and new, in the middle of the roll-out').toEqual([8, 5]);
    await stage.edit({ replicas: 15 });
    expect(stage.sizes(), '13 pods become 18, in proportion: 8 × 18/13 = 11.1, and 5 × 18/13 = 6.9').toEqual([
      11, 7,
    ]);
    await stage.reportUntilDone();
    expect(stage.sizes(), 'spec.replicas of old and new, after the rollout').toEqual([0, 15]);
  });
});
