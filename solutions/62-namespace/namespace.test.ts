import { describe, expect, test } from 'vitest';
import type { Pod } from '../../api/objects.ts';
import { namespaces, pods, secrets } from '../../api/resource.ts';
import { errors, isNotFound } from '../../api/status.ts';
import { intercept } from '../../contracts/intercept.ts';
import type { ApiRequest } from '../../contracts/request.ts';
import { type Cluster, createCluster } from '../cluster.ts';
import { deleteNamespace } from './delete-namespace.ts';

const inTeam = (name: string) => ({ namespace: 'team', name });

/** Creates a terminating namespace with a pod that is on no node, and a secret. */
async function terminating(): Promise<Cluster> {
  const cluster = await createCluster();
  const { admin } = cluster;
  await admin.create(namespaces, { metadata: { name: 'team' }, spec: {} });
  const spec = { containers: [{ name: 'a', image: 'a' }] } as Pod['spec'];
  await admin.create(pods, { metadata: inTeam('web'), spec });
  await admin.create(secrets, { metadata: inTeam('key') });
  await admin.delete(namespaces, { name: 'team' });
  return cluster;
}

/** Takes the deletion one step further, while the server rejects some requests. */
function step({ admin, sim }: Cluster, rejects: (request: ApiRequest) => boolean = () => false) {
  const client = intercept(admin, (request, send) =>
    rejects(request) ? Promise.reject(errors.internal('no')) : send(request),
  );
  return deleteNamespace('team', { client, clock: sim.clock, signal: new AbortController().signal });
}

/** Returns the existing objects, and the conditions that are true. */
async function state({ admin }: Cluster): Promise<readonly string[]> {
  const { items } = await admin.list(namespaces, { fieldSelector: 'metadata.name=team' });
  const names = [items, (await admin.list(pods)).items, (await admin.list(secrets)).items].flatMap((all) =>
    all.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
  );
  const conditions = items[0]?.status.conditions ?? [];
  const bad = conditions.filter(({ status }) => status === 'True');
  return [...names, ...bad.map(({ type, reason, message }) => `${type} ${reason}: ${message}`)];
}

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/namespace/deletion/namespaced_resources_deleter_test.go
describe('The deletion of a namespace', () => {
  test('keeps the namespace if its pods could not be deleted, and deletes everything else', async () => {
    await using cluster = await terminating();
    const failing = step(
      cluster,
      ({ verb, resource }) => verb === 'deleteCollection' && resource.plural === 'pods',
    );
    await expect(failing).rejects.toThrow('Internal error occurred: no');
    expect(await state(cluster)).toEqual([
      'Namespace team',
      'Pod web',
      'NamespaceDeletionContentFailure ContentDeletionFailed: Failed to delete all resource types, 1 remaining: Internal error occurred: no',
    ]);
    expect(await step(cluster)).toEqual({ leftForSeconds: 0 });
    expect(await state(cluster)).toEqual([]);
  });

  test('keeps the namespace if custom resources could not be discovered, and deletes everything else', async () => {
    await using cluster = await terminating();
    const failing = step(cluster, ({ resource }) => resource.plural === 'customresourcedefinitions');
    await expect(failing).rejects.toThrow('Internal error occurred: no');
    expect(await state(cluster)).toEqual([
      'Namespace team',
      'NamespaceDeletionDiscoveryFailure DiscoveryFailed: Internal error occurred: no',
    ]);
    await step(cluster);
    expect(await state(cluster)).toEqual([]);
  });

  test('does nothing without a namespace', async () => {
    await using cluster = await createCluster();
    expect(await step(cluster)).toEqual({ leftForSeconds: 0 });
    await expect(cluster.admin.get(namespaces, { name: 'team' })).rejects.toSatisfy(isNotFound);
  });
});
