import { describe, expect, test } from 'vitest';
import { events, persistentVolumeClaims, pods, statefulSets } from '#harness';
import type { Cluster } from '#harness/testing';
import {
  change,
  claimsIn,
  data,
  imagesIn,
  podsIn,
  revisionsIn,
  setImage,
  statefulCluster,
  WEB,
  web,
  webIn,
} from './stateful-set.fixture.ts';

/** Runs the cluster, and returns each change of the list of pod names. */
async function namesOver(cluster: Cluster, ms: number): Promise<string[]> {
  const seen: string[] = [];
  for (let passed = 0; passed < ms; passed += 50) {
    await cluster.runFor(50);
    const names = (await podsIn(cluster)).map(({ metadata }) => metadata.name).join(' ');
    if (seen.at(-1) !== names) seen.push(names);
  }
  return seen;
}

describe('A StatefulSet', () => {
  test('starts its pods in order, each with its own identity', async () => {
    await using cluster = await statefulCluster();
    await cluster.admin.create(statefulSets, web());
    expect(await namesOver(cluster, 6_000)).toEqual(['web-0', 'web-0 web-1', 'web-0 web-1 web-2']);
    const [, second] = await podsIn(cluster);
    expect(second?.spec).toMatchObject({ hostname: 'web-1', subdomain: 'web' });
    const { updateRevision } = (await webIn(cluster)).status;
    expect(second?.metadata.labels).toMatchObject({
      app: 'web',
      'apps.kubernetes.io/pod-index': '1',
      'controller-revision-hash': updateRevision,
      'statefulset.kubernetes.io/pod-name': 'web-1',
    });
    expect((await webIn(cluster)).status).toMatchObject({
      availableReplicas: 3,
      currentReplicas: 3,
      currentRevision: updateRevision,
      observedGeneration: 1,
      readyReplicas: 3,
      replicas: 3,
      updatedReplicas: 3,
    });
    const { items } = await cluster.admin.list(events, { namespace: 'default' });
    expect(items.map(({ message }) => message)).toContain('Create Pod web-1 in StatefulSet web successful');
  });

  test('starts all pods at once with the policy Parallel', async () => {
    await using cluster = await statefulCluster();
    await cluster.admin.create(statefulSets, web({ podManagementPolicy: 'Parallel' }));
    expect((await namesOver(cluster, 1_000)).at(-1)).toBe('web-0 web-1 web-2');
  });

  test('stops its pods downwards, and keeps their claims', async () => {
    await using cluster = await statefulCluster();
    await cluster.admin.create(statefulSets, web({ volumeClaimTemplates: [data] }));
    await cluster.runFor(6_000);
    expect(await claimsIn(cluster)).toEqual(['data-web-0', 'data-web-1', 'data-web-2']);
    const [first] = await podsIn(cluster);
    expect(first?.spec.volumes).toContainEqual({
      name: 'data',
      persistentVolumeClaim: { claimName: 'data-web-0' },
    });
    await change(cluster, { replicas: 1 });
    expect(await namesOver(cluster, 6_000)).toEqual(['web-0 web-1 web-2', 'web-0 web-1', 'web-0']);
    expect(await claimsIn(cluster)).toEqual(['data-web-0', 'data-web-1', 'data-web-2']);
  });

  test('replaces its pods from the highest ordinal to the partition', async () => {
    await using cluster = await statefulCluster();
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1 } };
    await cluster.admin.create(statefulSets, web({ updateStrategy }));
    await cluster.runFor(6_000);
    await setImage(cluster, 'web:2');
    await cluster.runFor(10_000);
    expect(await imagesIn(cluster)).toEqual(['web-0 web:1', 'web-1 web:2', 'web-2 web:2']);
    expect((await webIn(cluster)).status).toMatchObject({ currentReplicas: 1, updatedReplicas: 2 });
    // Below the partition, a new pod has the old template.
    await cluster.admin.delete(pods, { ...WEB, name: 'web-0' });
    await cluster.runFor(3_000);
    expect(await imagesIn(cluster)).toEqual(['web-0 web:1', 'web-1 web:2', 'web-2 web:2']);
    await change(cluster, { updateStrategy: { rollingUpdate: { partition: 0 } } });
    await cluster.runFor(3_000);
    const { status } = await webIn(cluster);
    expect(await imagesIn(cluster)).toEqual(['web-0 web:2', 'web-1 web:2', 'web-2 web:2']);
    expect(status.currentRevision).toBe(status.updateRevision);
  });

  test('gives a restored template the highest number, and deletes old revisions', async () => {
    await using cluster = await statefulCluster();
    await cluster.admin.create(statefulSets, web({ replicas: 1, revisionHistoryLimit: 1 }));
    for (const image of ['web:2', 'web:1', 'web:3', 'web:4']) {
      await cluster.runFor(3_000);
      await setImage(cluster, image);
    }
    await cluster.runFor(3_000);
    expect(await revisionsIn(cluster)).toEqual([4, 5]);
  });

  test('waits for the user with the strategy OnDelete', async () => {
    await using cluster = await statefulCluster();
    await cluster.admin.create(statefulSets, web({ updateStrategy: { type: 'OnDelete' } }));
    await cluster.runFor(6_000);
    await setImage(cluster, 'web:2');
    await cluster.runFor(3_000);
    await cluster.admin.delete(pods, { ...WEB, name: 'web-1' });
    await cluster.runFor(3_000);
    expect(await imagesIn(cluster)).toEqual(['web-0 web:1', 'web-1 web:2', 'web-2 web:1']);
  });

  test('starts with the ordinal that its spec gives', async () => {
    await using cluster = await statefulCluster();
    await cluster.admin.create(statefulSets, web({ replicas: 2, ordinals: { start: 5 } }));
    expect(await namesOver(cluster, 6_000)).toEqual(['web-5', 'web-5 web-6']);
  });

  test('waits until each pod is available', async () => {
    await using cluster = await statefulCluster();
    await cluster.admin.create(statefulSets, web({ replicas: 2, minReadySeconds: 10 }));
    expect(await namesOver(cluster, 5_000)).toEqual(['web-0']);
    expect(await namesOver(cluster, 10_000)).toEqual(['web-0', 'web-0 web-1']);
    await cluster.runFor(10_000);
    expect((await webIn(cluster)).status.availableReplicas).toBe(2);
  });

  test('replaces a pod that has ended', async () => {
    await using cluster = await statefulCluster();
    await cluster.admin.create(statefulSets, web({ replicas: 1 }));
    await cluster.runFor(3_000);
    const [before] = await podsIn(cluster);
    if (!before) throw new Error('the pod does not exist');
    await cluster.admin.updateStatus(pods, { ...before, status: { ...before.status, phase: 'Succeeded' } });
    await cluster.runFor(3_000);
    const [after] = await podsIn(cluster);
    expect(after?.metadata.name).toBe('web-0');
    expect(after?.metadata.uid).not.toBe(before.metadata.uid);
  });

  test('gives claims the owners of its retention policy', async () => {
    await using cluster = await statefulCluster();
    const persistentVolumeClaimRetentionPolicy = { whenDeleted: 'Delete', whenScaled: 'Delete' };
    const spec = { replicas: 2, volumeClaimTemplates: [data], persistentVolumeClaimRetentionPolicy };
    await cluster.admin.create(statefulSets, web(spec));
    await cluster.runFor(6_000);
    const owners = async () =>
      (await cluster.admin.list(persistentVolumeClaims, { namespace: 'default' })).items.map(({ metadata }) =>
        (metadata.ownerReferences ?? []).map(({ kind, name }) => `${kind} ${name}`).join(),
      );
    expect(await owners()).toEqual(['StatefulSet web', 'StatefulSet web']);
    await change(cluster, { replicas: 1 });
    await cluster.runFor(3_000);
    expect(await owners()).toEqual(['StatefulSet web', 'Pod web-1']);
    await change(cluster, { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain' } });
    await cluster.runFor(3_000);
    expect(await owners()).toEqual(['', 'Pod web-1']);
  });
});
