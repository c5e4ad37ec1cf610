import { describe, expect, test } from 'vitest';
import { REVISION } from '#given/24-deployment';
import { type ReplicaSet, replicaSets } from '#harness';
import { ruleFor } from '#harness/testing';
import { deploymentRevision, findCleanableReplicaSets, rollback } from '#kata/24-deployment/deployment';
import {
  aDeployment,
  aReplicaSet,
  type DeploymentParts,
  type ReplicaSetParts,
  Stage,
} from '#laws/24-deployment';
import { begin } from './controller.fixture.ts';
import { namesOf } from './sizes.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 12 ★ · History and rollback', () => {
  const revised = (name: string, number: number | string, parts: ReplicaSetParts = {}) =>
    aReplicaSet(name, { ...parts, annotations: { [REVISION]: `${number}`, ...parts.annotations } });

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
  const CLEANABLE =
    'as many as exceed revisionHistoryLimit, lowest revision first; skip one that wants or has pods, or is being deleted';
  test.each(table<CleanRow, { deletions: number }>('cleanupRevisionHistory', 4))(
    'deletes as many old ReplicaSets as Kubernetes does: %s',
    (_, { input, expect: { deletions } }) =>
      expect(cleaned(input), ruleFor(CLEANABLE, input)).toHaveLength(deletions),
  );
  test.each(table<CleanRow, { deleted: string[] }>('cleanupRevisionOrder', 5))(
    'deletes old ReplicaSets in the order of Kubernetes: %s',
    (_, { input, expect: { deleted } }) => expect(cleaned(input), ruleFor(CLEANABLE, input)).toEqual(deleted),
  );

  test('deletes no ReplicaSet whose status is older than its spec', () => {
    const deployment = aDeployment({ revisionHistoryLimit: 0 });
    const deaf = aReplicaSet('deaf', { generation: 3, observedGeneration: 2 });
    expect(
      findCleanableReplicaSets(deployment, [deaf]),
      'observedGeneration 2 is older than generation 3, so its counts may be out of date: keep it',
    ).toEqual([]);
    expect(
      findCleanableReplicaSets(deployment, [aReplicaSet('heard', { generation: 3 })]),
      'the status has observed generation 3 and counts no pods, and the limit is 0: this ReplicaSet can be deleted',
    ).toHaveLength(1);
  });

  test('rolls back to the previous or the given revision', () => {
    const all = [revised('c', 10), revised('a', 2), revised('odd', 'x'), revised('b', 9)];
    const find = (to?: number) => deploymentRevision(aDeployment(), all, to).metadata.name;
    expect(
      [find(), find(0), find(2), find(10)],
      'revisions 2, 9, 10 in numeric order; without a number, and with 0, the one before the last',
    ).toEqual(['b', 'b', 'a', 'c']);
    expect(() => find(7), 'find revision 7 among 2, 9 and 10').toThrow(
      'unable to find specified revision 7 in history',
    );
    expect(
      () => deploymentRevision(aDeployment(), [revised('a', 1)]),
      'find the previous revision, although only revision 1 exists',
    ).toThrow('no rollout history found for deployment "web"');
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

  test('copies an earlier template into the Deployment, without its hash', async () => {
    await using stage = await historic({ replicas: 7 });
    expect(
      await rollback(stage.client, web),
      'the last revision before 3 is 2. A ReplicaSet that the Deployment does not control, here stranger with revision 4, does not count',
    ).toBe('rolled back');
    const { spec } = stage.deployment();
    expect(spec.template.spec?.containers[0]?.image, 'the image of revision 2').toBe('nginx:2');
    expect(
      spec.template.metadata?.labels,
      'the label pod-template-hash must be removed from the template',
    ).toEqual({ app: 'web' });
    expect(spec.replicas, 'a rollback must not change spec.replicas').toBe(7);
  });

  test('restores the annotations of the revision, and keeps those of the Deployment', async () => {
    await using stage = await historic({ annotations: { [REVISION]: '3', cause: 'third', other: 'x' } });
    await rollback(stage.client, web, 1);
    expect(
      stage.deployment().metadata.annotations,
      'annotations come from the ReplicaSet of revision 1, except those that belong to the Deployment itself',
    ).toEqual({ [REVISION]: '3', cause: 'first' });
    expect(stage.deployment().spec.template.spec?.containers[0]?.image, 'the image of revision 1').toBe(
      'nginx:1',
    );
  });

  test('does nothing if the template is unchanged or the Deployment is paused', async () => {
    await using stage = await historic();
    const before = stage.deployment();
    const skipped = 'skipped rollback (current template already matches revision 3)';
    expect(await rollback(stage.client, web, 3), 'revision 3 is what the Deployment has already').toBe(
      skipped,
    );
    await expect(rollback(stage.client, web, 4), 'revision 4 does not exist').rejects.toThrow(
      'unable to find specified revision 4',
    );
    expect(stage.deployment(), 'a skipped or failed rollback must not write the Deployment').toBe(before);
    await using paused = await historic({ paused: true });
    await expect(rollback(paused.client, web), 'a paused Deployment cannot be rolled back').rejects.toThrow(
      'kubectl rollout resume deployment/web',
    );
  });

  test('keeps revisionHistoryLimit old ReplicaSets, and deletes the lowest revision first', async () => {
    await using stage = await begin();
    await stage.create({ replicas: 1, revisionHistoryLimit: 2 });
    for (const image of ['nginx:2', 'nginx:3', 'nginx:1', 'nginx:4']) {
      await stage.reportUntilDone();
      await stage.setImage(image);
    }
    await stage.reportUntilDone();
    const revisions = stage.owned().map(({ metadata }) => metadata.annotations?.[REVISION]);
    expect(revisions.sort(), 'the current revision 5, and 2 old ones: the highest').toEqual(['3', '4', '5']);
  });

  test('deletes no old ReplicaSet that is in use again, even if its cache is stale', async () => {
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
    // A controller that knows of it sizes it down first, and may delete it then.
    const deleted = [...stage.cluster.journal.of(replicaSets)].filter(({ type }) => type === 'DELETED');
    expect(
      deleted.map(({ object }) => object.spec.replicas),
      'the old ReplicaSet wants 1 pod again: a delete from a stale cache must end in Conflict, and be decided again',
    ).toEqual([0]);
  });
});
