import {
  type ConfigMap,
  configMaps,
  type Event,
  events,
  type KubeObject,
  namespaces,
  type OwnerReference,
} from '#harness';
import { type Cluster, createCluster } from '#harness/testing';
import { components } from '../components.ts';
import { garbageCollector } from './garbage-collector.ts';

type Policy = 'Background' | 'Foreground' | 'Orphan';

/** Creates a cluster with the empty namespaces `ns1` and `ns2`. */
export async function emptyCluster(): Promise<Cluster> {
  const cluster = await createCluster({ components });
  for (const name of ['ns1', 'ns2']) await cluster.admin.create(namespaces, { metadata: { name }, spec: {} });
  return cluster;
}

/** Creates a cluster whose collector is running and has synced. */
export async function collectedCluster(): Promise<Cluster> {
  const cluster = await emptyCluster();
  cluster.run('garbage-collector', garbageCollector);
  await cluster.runFor(1_000);
  return cluster;
}

interface Extra {
  readonly owners?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly namespace?: string;
}

/** Creates a ConfigMap, by default in `ns1`. */
export function create({ admin }: Cluster, name: string, extra: Extra = {}): Promise<ConfigMap> {
  const { owners = [], finalizers = [], namespace = 'ns1' } = extra;
  const metadata = { namespace, name, ownerReferences: [...owners], finalizers: [...finalizers] };
  return admin.create(configMaps, { metadata });
}

/** Returns an owner reference to an object, with these additional fields. */
export function ownedBy(
  { apiVersion, kind, metadata }: KubeObject,
  more: Partial<OwnerReference> = {},
): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, ...more };
}

/** Fields of an owner reference that blocks the owner's foreground deletion. */
export const blocking = { blockOwnerDeletion: true };

/** Deletes a ConfigMap. */
export function remove(
  { admin }: Cluster,
  { metadata }: ConfigMap,
  propagationPolicy: Policy = 'Background',
) {
  const { namespace = '', name } = metadata;
  return admin.delete(configMaps, { namespace, name }, { propagationPolicy });
}

/** Merges these fields into a ConfigMap's metadata. */
export function patchMetadata({ admin }: Cluster, object: ConfigMap, metadata: object) {
  const { namespace = '', name } = object.metadata;
  return admin.patch(configMaps, { namespace, name }, { type: 'merge', body: { metadata } });
}

/** Returns the names of the existing ConfigMaps. */
export function there({ storage }: Cluster): string[] {
  return storage.list(configMaps).map(({ metadata }) => metadata.name);
}

/** Returns the names of the deleted ConfigMaps, in the order of their deletion. */
export function gone({ journal }: Cluster): string[] {
  return journal
    .of(configMaps)
    .flatMap(({ type, object }) => (type === 'DELETED' ? [object.metadata.name] : []));
}

/** Returns the names of a ConfigMap's current owners. */
export function ownersOf(cluster: Cluster, { metadata }: ConfigMap): (string | undefined)[] {
  const { namespace = '', name } = metadata;
  const now = cluster.storage.get(configMaps, { namespace, name });
  return (now?.metadata.ownerReferences ?? []).map((owner) => owner.name);
}

/** Returns the events of the collector: the reason and the involved object. */
export function warnings({ storage }: Cluster): string[] {
  return (storage.list(events) as Event[]).map(
    ({ reason, involvedObject }) => `${reason} ${involvedObject.kind} ${involvedObject.name}`,
  );
}
