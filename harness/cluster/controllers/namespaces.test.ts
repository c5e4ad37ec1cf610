import { describe, expect, test } from 'vitest';
import { configMaps, namespaces, pods, secrets, serviceAccounts } from '../../api/resource.ts';
import { isNotFound } from '../../api/status.ts';
import type { Components } from '../../contracts/component.ts';
import { type Cluster, createCluster } from '../cluster.ts';
import { scriptedKubelet } from '../nodes/scripted-kubelet.ts';
import { runSecuredControllers } from './index.ts';

const { components } = (await import('#components')) as { readonly components: Components };

async function running(): Promise<Cluster> {
  const cluster = await createCluster({ components });
  runSecuredControllers(cluster);
  cluster.run('kubelet-node-1', scriptedKubelet({ node: 'node-1' }), { node: 'node-1' });
  await cluster.admin.create(namespaces, { metadata: { name: 'team' }, spec: {} });
  await cluster.runFor(5_000);
  return cluster;
}

const inTeam = (name: string) => ({ namespace: 'team', name });

const isGone = async ({ admin }: Cluster): Promise<boolean> =>
  admin.get(namespaces, { name: 'team' }).then(() => false, isNotFound);

describe('A namespace', () => {
  test('has a service account and a CA certificate, which are recreated', async () => {
    await using cluster = await running();
    const { admin } = cluster;
    expect((await admin.get(configMaps, inTeam('kube-root-ca.crt'))).data).toEqual({
      'ca.crt': 'the authority',
    });
    const { metadata } = await admin.get(serviceAccounts, inTeam('default'));
    await admin.delete(serviceAccounts, inTeam('default'));
    await cluster.runFor(5_000);
    expect((await admin.get(serviceAccounts, inTeam('default'))).metadata.uid).not.toBe(metadata.uid);
  });

  test('has the same CA certificate again after an edit', async () => {
    await using cluster = await running();
    const { admin } = cluster;
    const { metadata, ...rest } = await admin.get(configMaps, inTeam('kube-root-ca.crt'));
    const annotations = { note: 'mine' };
    await admin.update(configMaps, {
      ...rest,
      metadata: { ...metadata, annotations },
      data: { 'ca.crt': 'edited' },
    });
    await cluster.runFor(1_000);
    expect(await admin.get(configMaps, inTeam('kube-root-ca.crt'))).toMatchObject({
      metadata: { uid: metadata.uid, annotations: { ...metadata.annotations, note: 'mine' } },
      data: { 'ca.crt': 'the authority' },
    });
    const { revision } = cluster.storage;
    await admin.patch(configMaps, inTeam('kube-root-ca.crt'), {
      type: 'merge',
      body: { metadata: { annotations: { 'kubernetes.io/description': 'ours' } } },
    });
    await cluster.runFor(1_000);
    expect(cluster.storage.revision).toBe(revision + 1);
  });

  test('that cannot be emptied is retried every minute', async () => {
    await using cluster = await running();
    const { admin, nemesis, sim } = cluster;
    // Each attempt begins with one get.
    const refusal = { fault: 'refuse', reason: 'TooManyRequests', requests: 20, verb: 'get' } as const;
    nemesis.schedule([{ ...refusal, atMs: sim.elapsedMs, process: 'namespace-controller' }]);
    await admin.delete(namespaces, { name: 'team' });
    await cluster.runFor(400_000);
    expect(await isGone(cluster)).toBe(false);
    await cluster.runFor(100_000);
    expect(await isGone(cluster)).toBe(true);
  });

  test('that is deleted loses its pods first, then everything else, and is then removed', async () => {
    await using cluster = await running();
    const { admin, journal } = cluster;
    const spec = {
      nodeName: 'node-1',
      containers: [{ name: 'a', image: 'a' }],
      terminationGracePeriodSeconds: 5,
    };
    await admin.create(pods, { metadata: inTeam('web'), spec });
    await admin.create(secrets, { metadata: inTeam('key') });
    await cluster.runFor(10_000);
    await admin.delete(namespaces, { name: 'team' });
    await cluster.runFor(7_000);
    const { status } = await admin.get(namespaces, { name: 'team' });
    expect(status.phase).toBe('Terminating');
    await admin.get(secrets, inTeam('key'));
    await cluster.runFor(60_000);
    expect(await isGone(cluster)).toBe(true);
    const gone = journal.entries.filter(
      ({ type, key }) => type === 'DELETED' && /^team\/(web|key)$/.test(key),
    );
    expect(gone.map(({ key }) => key)).toEqual(['team/web', 'team/key']);
    expect(await admin.list(secrets, { namespace: 'team' })).toMatchObject({ items: [] });
  });

  test('reports its remaining content, and is removed once that is deleted', async () => {
    await using cluster = await running();
    const { admin } = cluster;
    await admin.create(secrets, { metadata: { ...inTeam('held'), finalizers: ['example.com/hold'] } });
    await admin.delete(namespaces, { name: 'team' });
    await cluster.runFor(10_000);
    const { status } = await admin.get(namespaces, { name: 'team' });
    const said = Object.fromEntries(
      (status.conditions ?? []).map(({ type, status: is, message }) => [type, `${is}: ${message}`]),
    );
    expect(said).toEqual({
      NamespaceContentRemaining: 'True: Some resources are remaining: secrets. has 1 resource instances',
      NamespaceDeletionContentFailure:
        'False: All content successfully deleted, may be waiting on finalization',
      NamespaceDeletionDiscoveryFailure: 'False: All resources successfully discovered',
      NamespaceDeletionGroupVersionParsingFailure: 'False: All legacy kube types successfully parsed',
      NamespaceFinalizersRemaining:
        'True: Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
    });
    const held = await admin.get(secrets, inTeam('held'));
    const { finalizers: _, ...metadata } = held.metadata;
    await admin.update(secrets, { ...held, metadata });
    await cluster.runFor(30_000);
    expect(await isGone(cluster)).toBe(true);
  });
});
