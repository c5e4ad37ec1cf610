import type { KubeObject, New, ObjectKey } from '../../api/objects.ts';
import { customResourceDefinitions } from '../../api/plain-resources.ts';
import { groupVersion, type Resource } from '../../api/resource.ts';
import { type Cluster, createCluster } from '../../cluster/cluster.ts';
import { discoverResources } from '../../cluster/discover-resources.ts';
import { AS_SERVED } from '../../serving/serve-cluster.ts';
import type { OtherStep } from './row.ts';

/** Creates a cluster that only has an apiserver, so that nobody but the steps of a row writes. */
export function createServer(startMs?: number): Promise<Cluster> {
  return createCluster({ ...AS_SERVED, seed: 1, ...(startMs !== undefined && { startMs }) });
}

/** Resolves with the resources that a cluster serves. */
export function resourcesOf({ admin }: Cluster): Promise<readonly Resource[]> {
  return discoverResources(admin, new AbortController().signal);
}

/** Whether the server serves every defined kind. */
export async function isEstablished({ admin }: Cluster): Promise<boolean> {
  const { items } = await admin.list(customResourceDefinitions);
  return items.every(({ status }) =>
    status?.conditions?.some(({ type, status: holds }) => type === 'Established' && holds === 'True'),
  );
}

/** Performs a write by another user. */
export async function carryOut(cluster: Cluster, { object, does }: OtherStep): Promise<void> {
  const client = cluster.as('other');
  const [apiVersion = '', kind = '', place = ''] = object.split(' ');
  const found = (await resourcesOf(cluster)).find(
    (each) => groupVersion(each) === apiVersion && each.kind === kind,
  );
  if (!found) throw new Error(`Failed to change ${object}: no resource has this kind.`);
  const names = place.split('/');
  const name = names.at(-1) as string;
  const key: ObjectKey = names.length > 1 ? { namespace: names[0] as string, name } : { name };
  if ('create' in does) await client.create(found, does.create as New<KubeObject>);
  else if ('patch' in does) await client.patch(found, key, does.patch);
  else {
    const stored = await client.get(found, key);
    await client.update(found, does.update(stored) as KubeObject);
  }
}
