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

/** A cluster with the namespaces `ns1` and `ns2`, and nothing in them yet. */
export async function emptyCluster(): Promise<Cluster> {
  const cluster = await createCluster({ components });
  for (const name of ['ns1', 'ns2']) await cluster.admin.create(namespaces, { metadata: { name }, spec: {} });
  return cluster;
}

/** One in which a collector has looked around. */
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

/** Puts a ConfigMap into `ns1`, or where `extra` says. */
export function create({ admin }: Cluster, name: string, extra: Extra = {}): Promise<ConfigMap> {
  const { owners = [], finalizers = [], namespace = 'ns1' } = extra;
  const metadata = { namespace, name, ownerReferences: [...owners], finalizers: [...finalizers] };
  return admin.create(configMaps, { metadata });
}

/** A reference to an object as an owner, with what else is said of it. */
export function ownedBy(
  { apiVersion, kind, metadata }: KubeObject,
  more: Partial<OwnerReference> = {},
): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, ...more };
}

/** More of a reference: the owner must not go before its dependent. */
export const blocking = { blockOwnerDeletion: true };

/** Asks for a ConfigMap to be deleted. */
export function remove(
  { admin }: Cluster,
  { metadata }: ConfigMap,
  propagationPolicy: Policy = 'Background',
) {
  const { namespace = '', name } = metadata;
  return admin.delete(configMaps, { namespace, name }, { propagationPolicy });
}

/** Changes this of a ConfigMap's metadata. */
export function patchMetadata({ admin }: Cluster, object: ConfigMap, metadata: object) {
  const { namespace = '', name } = object.metadata;
  return admin.patch(configMaps, { namespace, name }, { type: 'merge', body: { metadata } });
}

/** The names of the ConfigMaps that are there. */
export function there({ storage }: Cluster): string[] {
  return storage.list(configMaps).map(({ metadata }) => metadata.name);
}

/** The names of ConfigMaps, in the order in which they went. */
export function gone({ journal }: Cluster): string[] {
  return journal
    .of(configMaps)
    .flatMap(({ type, object }) => (type === 'DELETED' ? [object.metadata.name] : []));
}

/** The names of the owners that a ConfigMap has now. */
export function ownersOf(cluster: Cluster, { metadata }: ConfigMap): (string | undefined)[] {
  const { namespace = '', name } = metadata;
  const now = cluster.storage.get(configMaps, { namespace, name });
  return (now?.metadata.ownerReferences ?? []).map((owner) => owner.name);
}

/** What the collector told people: the reason, and of which object. */
export function warnings({ storage }: Cluster): string[] {
  return (storage.list(events) as Event[]).map(
    ({ reason, involvedObject }) => `${reason} ${involvedObject.kind} ${involvedObject.name}`,
  );
}
