import { keyOf, keyToString } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import type { Client } from '../client.ts';
import { isSameStatus } from '../same-status.ts';
import type { PodSet } from './revision.ts';

/**
 * Writes the status of a set, unless it is the same. If that fails, it reads the set from the server and tries
 * again.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/daemon/daemon_controller.go storeDaemonSetStatus,
 * pkg/controller/statefulset/stateful_set_status_updater.go UpdateStatefulSetStatus
 *
 * Differs: the second attempt fails if the set on the server is another one, or was already synced at a newer
 * generation. Upstream overwrites the newer status
 *
 * @returns the set from the server; the given set if nothing was written
 * @throws the error of the server
 */
export async function updateSetStatus<T extends PodSet>(
  client: Pick<Client, 'get' | 'updateStatus'>,
  {
    set,
    resource,
    status,
  }: { readonly set: T; readonly resource: Resource<T>; readonly status: T['status'] },
): Promise<T> {
  if (isSameStatus(set.status, status)) return set;
  try {
    return await client.updateStatus(resource, { ...set, status });
  } catch {
    const fresh = await client.get(resource, keyOf(set));
    const { observedGeneration = 0 } = fresh.status;
    if (fresh.metadata.uid !== set.metadata.uid || observedGeneration > (status.observedGeneration ?? 0)) {
      const name = `${resource.kind} ${keyToString(keyOf(set))}`;
      throw new Error(`Failed to update the status of ${name}: the server knows a newer one.`);
    }
    return client.updateStatus(resource, { ...fresh, status });
  }
}
