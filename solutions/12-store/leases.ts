import { type KeyValueStoreContext, StoreError, type StoreLease } from '#given/12-store';
import type { Keyspace } from './keyspace.ts';

// Level 11 ★ · Leases

/** Upstream: etcd-io/etcd@v3.6.0 server/lease/lessor.go lessor.Revoke */
export function revokeLease(space: Keyspace, id: string): void {
  if (!space.leases.delete(id)) throw new StoreError('LeaseNotFound');
  space.write(space.present.all().flatMap(({ key, lease }) => (lease === id ? [{ key }] : [])));
}

/**
 * Upstream: etcd-io/etcd@v3.6.0 server/lease/lessor.go lessor.Promote
 *
 * Differs: etcd restarts the time of a lease when a member becomes the leader; a checkpoint keeps the remaining time.
 */
export function startLease(
  space: Keyspace,
  { id, seconds }: StoreLease,
  { clock, signal }: Pick<KeyValueStoreContext, 'clock' | 'signal'>,
  expire: () => void,
): void {
  const cancel = clock.after(seconds * 1000, () => {
    if (space.leases.has(id)) expire();
  });
  signal.addEventListener('abort', cancel, { once: true });
}
