import { describe, expect, test } from 'vitest';
import { DESIRED_REPLICAS, MAX_REPLICAS, type ReplicaSet } from '#harness';
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

  test('sees that the Deployment was scaled by what its active ReplicaSets were sized for', () => {
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

  test('under Recreate takes several active ones for a roll-out, whichever size they were sized for', () => {
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

  test('gives all away if nothing is to be left, and rounds halves up', () => {
    const sized = aReplicaSet('a', { replicas: 5, ...annotated(10) });
    expect(getReplicaSetFraction(aDeployment({ replicas: 0 }), sized)).toBe(-5);
    expect(getReplicaSetFraction(aDeployment({ replicas: 5 }), sized)).toBe(-2);
    expect(getReplicaSetFraction(aDeployment({ replicas: 11 }), sized)).toBe(1);
    const unknown = aReplicaSet('a', { replicas: 5 });
    expect(getReplicaSetFraction(aDeployment({ replicas: 20, status: { replicas: 10 } }), unknown)).toBe(5);
  });

  test('gives no more than is left, in either direction, and nothing to a ReplicaSet without pods', () => {
    const up = aDeployment({ replicas: 20 });
    const sized = aReplicaSet('a', { replicas: 5, ...annotated(10) });
    expect(getReplicaSetProportion(up, sized, 10, 0)).toBe(5);
    expect(getReplicaSetProportion(up, sized, 10, 7)).toBe(3);
    expect(getReplicaSetProportion(up, sized, 10, 10)).toBe(0);
    expect(getReplicaSetProportion(up, aReplicaSet('a', { ...annotated(10) }), 10, 0)).toBe(0);
    const down = aDeployment({ replicas: 4 });
    expect(getReplicaSetProportion(down, sized, -6, 0)).toBe(-3);
    expect(getReplicaSetProportion(down, sized, -6, -5)).toBe(-1);
    expect(getReplicaSetProportion(down, sized, 0, 0)).toBe(0);
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

  test('empties the old at once if the new one has all', () => {
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

  test('also asks for a write if only the annotations are behind', () => {
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

  test('scales in proportion in the middle of a roll-out, and then goes on with it', async () => {
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
});
