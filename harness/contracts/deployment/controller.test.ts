import { describe, expect, test } from 'vitest';
import type { Deployment, OwnerReference, ReplicaSet } from '../../api/objects.ts';
import { deployments, pods, replicaSets } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import { aDeployment, Stage } from '../../laws/24-deployment/index.ts';
import type { Components } from '../component.ts';
import { todo } from '../todo.ts';
import { assembleDeploymentController, type DeploymentSyncContext } from './controller.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** Starts a controller that only records the keys that it must sync. */
async function listen(
  sync: (syncContext: DeploymentSyncContext, key: string) => Promise<void> = async () => {},
): Promise<{ stage: Stage; woken: string[]; since(act: () => Promise<unknown>): Promise<string[]> }> {
  const woken: string[] = [];
  const deploymentController = assembleDeploymentController({
    syncDeployment: async (syncContext, key) => {
      woken.push(key);
      await sync(syncContext, key);
    },
  });
  const stage = await Stage.with({ ...components, deploymentController });
  const since = async (act: () => Promise<unknown>): Promise<string[]> => {
    await stage.pass();
    woken.length = 0;
    await act();
    await stage.pass();
    return [...new Set(woken)];
  };
  return { stage, woken, since };
}

describe('the handlers of a Deployment controller', () => {
  test('enqueue a Deployment when it is added or changed', async () => {
    const { stage, since } = await listen();
    await using _ = stage;
    expect(await since(() => stage.create())).toEqual(['default/web']);
    expect(await since(() => stage.edit({ replicas: 3 }))).toEqual(['default/web']);
  });

  test('enqueue the owner of a ReplicaSet when it is added, changed or deleted', async () => {
    const { stage, since } = await listen();
    await using _ = stage;
    const { uid } = (await stage.create()).metadata;
    expect(await since(() => stage.addReplicaSet('web-1', { ownerUid: uid }))).toEqual(['default/web']);
    const set = stage.replicaSet('web-1') as ReplicaSet;
    const grown = { ...set, spec: { ...set.spec, replicas: 2 } };
    expect(await since(() => stage.client.update(replicaSets, grown))).toEqual(['default/web']);
    const key = { namespace: 'default', name: 'web-1' };
    const gone = since(() => stage.client.delete(replicaSets, key, { propagationPolicy: 'Background' }));
    expect(await gone).toEqual(['default/web']);
  });

  test('enqueue a Deployment that selects an orphan, and ignore an owned ReplicaSet of others', async () => {
    const { stage, since } = await listen();
    await using _ = stage;
    await stage.create();
    expect(await since(() => stage.addReplicaSet('orphan'))).toEqual(['default/web']);
    expect(await since(() => stage.addReplicaSet('stranger', { of: 'other' }))).toEqual([]);
    expect(await since(() => stage.addReplicaSet('taken', { ownerUid: 'another-one' }))).toEqual([]);
  });

  test('enqueue the former owner when a ReplicaSet gets another owner', async () => {
    const { stage, since } = await listen();
    await using _ = stage;
    const { uid } = (await stage.create()).metadata;
    const set = await stage.addReplicaSet('web-1', { ownerUid: uid });
    const [owner] = set.metadata.ownerReferences ?? [];
    const ownerReferences = [{ ...owner, uid: 'another-one' } as OwnerReference];
    const taken = { ...set, metadata: { ...set.metadata, ownerReferences } };
    expect(await since(() => stage.client.update(replicaSets, taken))).toEqual(['default/web']);
  });

  test('enqueue the owner of a ReplicaSet that was deleted while the watch was down', async () => {
    const { stage, since } = await listen();
    await using _ = stage;
    const { uid } = (await stage.create()).metadata;
    await stage.addReplicaSet('web-1', { ownerUid: uid });
    const key = { namespace: 'default', name: 'web-1' };
    const woken = await since(async () => {
      stage.strike({ fault: 'delay-watches', forMs: 2_000, resource: 'replicasets' });
      await stage.client.delete(replicaSets, key, { propagationPolicy: 'Background' });
      stage.cluster.nemesis.strike({ fault: 'compact' });
      stage.strike({ fault: 'fail-watches', reason: 'Expired' });
      await stage.pass(30_000);
    });
    expect(woken).toEqual(['default/web']);
  });

  test('enqueue the Deployment of a deleted pod, but not of a changed pod', async () => {
    const { stage, since } = await listen();
    await using _ = stage;
    const { uid } = (await stage.create()).metadata;
    const set = await stage.addReplicaSet('web-1', { ownerUid: uid });
    expect(await since(() => stage.addPod('pod', set))).toEqual([]);
    const key = { namespace: 'default', name: 'pod' };
    const gone = since(() => stage.client.delete(pods, key, { gracePeriodSeconds: 0 }));
    expect(await gone).toEqual(['default/web']);
  });
});

describe('the caches of a Deployment controller', () => {
  test('return the ReplicaSets that a Deployment owns or may adopt, and the pods of ReplicaSets', async () => {
    const seen: string[][] = [];
    const { stage, since } = await listen(async ({ caches }, key) => {
      const around = caches.candidateReplicaSets(caches.deployment(key) as Deployment);
      const found = caches.podsOf(around.filter(({ metadata }) => metadata.name === 'web-1'));
      seen.push([...around, ...found].map(({ metadata }) => metadata.name));
    });
    await using _ = stage;
    const { uid } = (await stage.create()).metadata;
    const first = await stage.addReplicaSet('web-1', { ownerUid: uid });
    const other = await stage.addReplicaSet('taken', { ownerUid: 'another-one' });
    await stage.addPod('pod-1', first);
    await stage.addReplicaSet('orphan');
    await stage.addPod('pod-2', other);
    await since(() => stage.edit({ replicas: 3 }));
    expect(seen.at(-1)?.sort()).toEqual(['orphan', 'pod-1', 'web-1']);
  });
});

describe('a Deployment controller', () => {
  test('retries a failed sync with an increasing delay', async () => {
    const { stage, woken } = await listen(async () => {
      throw new Error('no');
    });
    await using _ = stage;
    await stage.create();
    await stage.pass(1_000);
    const soon = woken.length;
    expect(soon).toBeGreaterThan(3);
    await stage.pass(1_000);
    expect(woken.length).toBeLessThan(soon + 4);
  });

  test('does not retry in a terminating namespace', async () => {
    const cause = { reason: 'NamespaceTerminating', message: 'going', field: 'metadata.namespace' };
    const refused = errors.forbidden(replicaSets, 'web-1', 'going');
    Object.assign(refused.status, { details: { ...refused.status.details, causes: [cause] } });
    const { stage, since } = await listen(async () => {
      throw refused;
    });
    await using _ = stage;
    await since(() => stage.create());
    expect(await since(() => stage.pass(60_000))).toEqual([]);
  });

  test('ends when a part is not implemented', async () => {
    const syncDeployment = async () => todo('24-deployment', 'syncDeployment', 'Level 9');
    const deploymentController = assembleDeploymentController({ syncDeployment });
    await using stage = await Stage.empty({ components: { ...components, deploymentController } });
    const process = stage.start();
    await stage.create();
    expect(process.failure).toMatchObject({ name: 'NotImplemented' });
  });

  test('syncs again one second after the given time', async () => {
    let asked = false;
    const { stage, since } = await listen(async (syncContext, key) => {
      if (!asked) syncContext.enqueueAfter(syncContext.caches.deployment(key) as Deployment, 10_000);
      asked = true;
    });
    await using _ = stage;
    await since(() => stage.create());
    expect(await since(() => stage.pass(6_000))).toEqual([]);
    expect(await since(() => stage.pass(1_000))).toEqual(['default/web']);
  });

  test('does not sync a Deployment with an empty selector', async () => {
    const { stage, woken } = await listen();
    await using _ = stage;
    const { metadata, spec } = aDeployment();
    // Every server rejects it now, but an object from before that validation may still exist.
    stage.cluster.storage.create(deployments, {
      ...aDeployment(),
      metadata,
      spec: { ...spec, selector: {} },
    });
    await stage.pass();
    expect(woken).toEqual([]);
    expect(stage.emitted()).toEqual([expect.stringMatching(/^Warning SelectingAll: /)]);
  });
});
