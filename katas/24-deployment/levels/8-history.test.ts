import { describe, expect, test } from 'vitest';
import {
  DESIRED_REPLICAS,
  deploymentRevision,
  findCleanableReplicaSets,
  MAX_REPLICAS,
  maxRevision,
  newReplicaSetAnnotations,
  REVISION,
  REVISION_HISTORY,
  revision,
  rollback,
} from '#kata/24-deployment/deployment';
import {
  aDeployment,
  aReplicaSet,
  type DeploymentParts,
  type ReplicaSetParts,
  Stage,
} from '#laws/24-deployment';
import { namesOf } from './sizes.fixture.ts';
import { table } from './tables.fixture.ts';

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
