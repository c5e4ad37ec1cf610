import { describe, expect, test } from 'vitest';
import { aDeployment, aReplicaSet, type ReplicaSetParts } from '../../laws/24-deployment/index.ts';
import { type VectorCase, vectors } from '../../testing/index.ts';
import {
  byRevision,
  DESIRED_REPLICAS,
  getReplicasAnnotation,
  isSaturated,
  MAX_REPLICAS,
  maxRevision,
  newReplicaSetAnnotations,
  REVISION,
  REVISION_HISTORY,
  replicasAnnotations,
  replicasAnnotationsNeedUpdate,
  revision,
  rolledBackAnnotations,
} from './annotations.ts';

const named = <I, E>(rows: readonly VectorCase<I, E>[]) => rows.map((row) => [row.name, row] as const);
const table = <I, E>(op: string, count: number) => named(vectors<I, E>('deployment-rolling', op, count));

describe('annotations of size', () => {
  const annotated = (desired: number | string, max: number | string = desired) => ({
    annotations: { [DESIRED_REPLICAS]: `${desired}`, [MAX_REPLICAS]: `${max}` },
  });

  interface Annotation {
    readonly annotation: string | null;
  }
  test.each(table<Annotation, { value: number; valid: boolean }>('parseReplicasAnnotation', 5))(
    'parses an annotation like Kubernetes: %s',
    (_, { input: { annotation }, expect: { value, valid } }) => {
      const annotations: Record<string, string> =
        annotation === null ? {} : { [DESIRED_REPLICAS]: annotation };
      const read = getReplicasAnnotation(aReplicaSet('a', { annotations }), DESIRED_REPLICAS);
      expect(read).toBe(valid ? value : undefined);
    },
  );

  test('rejects a value that is not a number', () => {
    for (const text of ['', 'ten', '1.5', '3 ', '0x10']) {
      const replicaSet = aReplicaSet('a', { annotations: { [MAX_REPLICAS]: text } });
      expect(getReplicasAnnotation(replicaSet, MAX_REPLICAS), JSON.stringify(text)).toBeUndefined();
    }
  });

  test('records the size of the Deployment, without and with the surge', () => {
    expect(replicasAnnotations(aDeployment({ replicas: 10 }), 3)).toEqual({
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
    'detects outdated annotations like Kubernetes: %s',
    (_, { input: { annotations, desired, max }, expect: { needUpdate } }) => {
      const deployment = aDeployment({ replicas: desired });
      expect(
        replicasAnnotationsNeedUpdate(deployment, aReplicaSet('a', { annotations }), max - desired),
      ).toBe(needUpdate);
      expect(replicasAnnotationsNeedUpdate(deployment, aReplicaSet('a'), 0)).toBe(true);
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
    'detects a saturated ReplicaSet like Kubernetes: %s',
    (_, { input: { specReplicas, rs }, expect: { saturated } }) => {
      const parts = {
        replicas: rs.replicas,
        available: rs.availableReplicas,
        ...annotated(rs.desiredAnnotation),
      };
      expect(isSaturated(aDeployment({ replicas: specReplicas }), aReplicaSet('new', parts))).toBe(saturated);
    },
  );

  test('is saturated only if the spec and the annotation agree and all pods are available', () => {
    const deployment = aDeployment({ replicas: 3 });
    const saturated = (parts: ReplicaSetParts) => isSaturated(deployment, aReplicaSet('new', parts));
    expect(saturated({ replicas: 3, ...annotated(3) })).toBe(true);
    expect(saturated({ replicas: 3, available: 2, ...annotated(3) })).toBe(false);
    expect(saturated({ replicas: 3, ...annotated(5) })).toBe(false);
    expect(saturated({ replicas: 3 })).toBe(false);
    expect(saturated({ replicas: 2, ...annotated(3) })).toBe(false);
    expect(isSaturated(deployment, undefined)).toBe(false);
  });
});

describe('revisions', () => {
  const revised = (name: string, number: number | string, parts: ReplicaSetParts = {}) =>
    aReplicaSet(name, { ...parts, annotations: { [REVISION]: `${number}`, ...parts.annotations } });

  test('reads revisions, and ignores invalid ones', () => {
    expect(revision(revised('a', 7))).toBe(7);
    expect(revision(aReplicaSet('a'))).toBe(0);
    expect(revision(revised('a', 'seven'))).toBeUndefined();
    expect(maxRevision([revised('a', 2), revised('b', 10), revised('c', 'zebra'), aReplicaSet('d')])).toBe(
      10,
    );
    expect(maxRevision([])).toBe(0);
  });

  test('copies the annotations of the Deployment, except its own', () => {
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

  test('increases the revision, never decreases it, and compares numerically', () => {
    const deployment = aDeployment();
    const moved = (before: string, next: number) =>
      newReplicaSetAnnotations(deployment, { [REVISION]: before }, next)[REVISION];
    expect([moved('3', 4), moved('4', 4), moved('7', 4), moved('9', 10)]).toEqual(['4', '4', '7', '10']);
    expect(newReplicaSetAnnotations(deployment, { [REVISION]: 'zebra', a: 'b' }, 4)).toEqual({
      [REVISION]: 'zebra',
      a: 'b',
    });
  });

  test('records the earlier revisions of a ReplicaSet after a rollback', () => {
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
    'truncates the history like Kubernetes: %s',
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

  test('sorts by revision, and by age without a valid revision', () => {
    const all = [
      revised('ten', 10, { created: 1 }),
      revised('nine', 9, { created: 2 }),
      revised('first', 2, { created: 3 }),
    ];
    const sorted = (some: typeof all) => some.toSorted(byRevision).map(({ metadata }) => metadata.name);
    expect(sorted(all)).toEqual(['first', 'nine', 'ten']);
    const pair = [revised('young', 1, { created: 2 }), revised('old', 'x', { created: 1 })];
    expect(sorted(pair)).toEqual(['old', 'young']);
  });

  test('takes the annotations of the ReplicaSet in a rollback, and keeps those of the Deployment itself', () => {
    const deployment = aDeployment({ annotations: { [REVISION]: '3', cause: 'third', other: 'x' } });
    const target = revised('web-1', 1, { annotations: { cause: 'first', [REVISION]: '1' } });
    expect(rolledBackAnnotations(deployment, target)).toEqual({ [REVISION]: '3', cause: 'first' });
  });
});
