import { describe, expect, test } from 'vitest';
import { configMaps, type KubeObject, type New, type OwnerReference } from '#harness';
import {
  type Cluster,
  type CustomResourceDefinition,
  createCluster,
  customResourceDefinitions,
  defineResource,
} from '#harness/testing';
import { components } from '../components.ts';
import { ownedBy } from './cluster.fixture.ts';
import { garbageCollector } from './garbage-collector.ts';

const GROUP = 'example.com/v1';
const backups = defineResource(GROUP, 'Backup', 'backups');
const vaults = defineResource(GROUP, 'Vault', 'vaults', { namespaced: false });

/** Upper bound on the time until the collector runs discovery again. */
const DISCOVERY_MS = 31_000;

/**
 * Creates a cluster whose collector has discovered two custom resources: namespaced backups and cluster-scoped vaults.
 */
async function withBackups(): Promise<Cluster> {
  const cluster = await createCluster({ components, servesCustomResources: true });
  cluster.run('garbage-collector', garbageCollector);
  await cluster.runFor(1_000);
  await define(cluster, 'Backup', 'backups', 'Namespaced');
  await define(cluster, 'Vault', 'vaults', 'Cluster');
  await cluster.runFor(DISCOVERY_MS);
  return cluster;
}

function define({ admin }: Cluster, kind: string, plural: string, scope: string) {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const versions = [{ name: 'v1', served: true, storage: true, schema }];
  return admin.create(customResourceDefinitions, {
    metadata: { name: `${plural}.example.com` },
    spec: { group: 'example.com', scope, names: { kind, plural }, versions },
  } as unknown as New<CustomResourceDefinition>);
}

function create(
  { admin }: Cluster,
  name: string,
  owners: readonly OwnerReference[] = [],
): Promise<KubeObject> {
  const metadata = { namespace: 'default', name, ownerReferences: [...owners] };
  return admin.create(backups, { metadata } as unknown as New<KubeObject>);
}

const there = ({ storage }: Cluster): string[] => storage.list(backups).map(({ metadata }) => metadata.name);

const key = (name: string) => ({ namespace: 'default', name });

describe('A custom resource', () => {
  test('is deleted after its owner, and its own dependents after it', async () => {
    await using cluster = await withBackups();
    const metadata = { namespace: 'default', name: 'config' };
    const config = await cluster.admin.create(configMaps, { metadata });
    const backup = await create(cluster, 'backup', [ownedBy(config)]);
    await create(cluster, 'copy', [ownedBy(backup)]);
    await cluster.admin.create(configMaps, {
      metadata: { namespace: 'default', name: 'log', ownerReferences: [ownedBy(backup)] },
    });
    await cluster.runFor(1_000);
    await cluster.admin.delete(configMaps, key('config'), { propagationPolicy: 'Background' });
    await cluster.runFor(1_000);
    expect(there(cluster)).toEqual([]);
    expect(cluster.storage.list(configMaps).map(({ metadata }) => metadata.name)).not.toContain('log');
  });

  test('is deleted after its dependents in a foreground deletion', async () => {
    await using cluster = await withBackups();
    const owner = await create(cluster, 'owner');
    await create(cluster, 'dependent', [ownedBy(owner, { blockOwnerDeletion: true })]);
    await cluster.runFor(1_000);
    await cluster.admin.delete(backups, key('owner'), { propagationPolicy: 'Foreground' });
    await cluster.runFor(1_000);
    const gone = cluster.journal
      .of(backups)
      .flatMap(({ type, object }) => (type === 'DELETED' ? [object.metadata.name] : []));
    expect(gone).toEqual(['dependent', 'owner']);
  });

  test('is orphaned when its owner is deleted, although it does not support strategic merge patches', async () => {
    await using cluster = await withBackups();
    const [owner, other] = [await create(cluster, 'owner'), await create(cluster, 'other')];
    await create(cluster, 'dependent', [ownedBy(owner), ownedBy(other)]);
    await cluster.runFor(1_000);
    await cluster.admin.delete(backups, key('owner'), { propagationPolicy: 'Orphan' });
    await cluster.runFor(1_000);
    expect(there(cluster)).toEqual(['dependent', 'other']);
    const dependent = cluster.storage.get(backups, key('dependent'));
    expect(dependent?.metadata.ownerReferences?.map(({ name }) => name)).toEqual(['other']);
  });

  test('can be cluster-scoped and own a namespaced object', async () => {
    await using cluster = await withBackups();
    const vault = await cluster.admin.create(vaults, { metadata: { name: 'vault' } } as New<KubeObject>);
    await create(cluster, 'backup', [ownedBy(vault)]);
    await cluster.runFor(10_000);
    expect(there(cluster)).toEqual(['backup']);
    await cluster.admin.delete(vaults, { name: 'vault' }, { propagationPolicy: 'Background' });
    await cluster.runFor(1_000);
    expect(there(cluster)).toEqual([]);
  });

  test('is no longer watched when its definition is deleted, and watched again when the definition returns', async () => {
    await using cluster = await withBackups();
    const failures = () => cluster.trace.entries.filter(({ verb }) => verb === 'error').length;
    await cluster.admin.delete(customResourceDefinitions, { name: 'backups.example.com' });
    await cluster.runFor(DISCOVERY_MS);
    const told = failures();
    await cluster.runFor(10 * DISCOVERY_MS);
    expect(failures()).toBe(told);
    await define(cluster, 'Backup', 'backups', 'Namespaced');
    await cluster.runFor(DISCOVERY_MS);
    const owner = await create(cluster, 'owner');
    await create(cluster, 'dependent', [ownedBy(owner)]);
    await cluster.admin.delete(backups, key('owner'), { propagationPolicy: 'Background' });
    await cluster.runFor(1_000);
    expect(there(cluster)).toEqual([]);
  });
});
