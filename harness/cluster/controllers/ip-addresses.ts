import type { IPAddress, New, Service } from '../../api/objects.ts';
import { ipAddresses } from '../../api/plain-resources.ts';
import { services } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import { isNotFound } from '../../api/status.ts';
import type { Component } from '../../contracts/component.ts';
import { lastKnown } from '../../contracts/last-known.ts';

const MANAGED_BY = 'ipaddress.kubernetes.io/managed-by';
const ALLOCATOR = 'ipallocator.k8s.io';

const WORKERS = 5;

/**
 * Keeps an IPAddress for each address of a Service, and deletes those without a Service.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/service/ipallocator/controller/repairip.go RepairIPAddress
 *
 * Differs: upstream's apiserver allocates an address by creating its IPAddress, and this controller only repairs. Here
 * the apiserver derives allocations from the Services, and this controller creates all IPAddresses, a moment after the
 * Services. So no event reports a repair, and an IPAddress without a Service is deleted at once.
 */
export const ipAddressController: Component = async (context) => {
  const { client, informers, signal } = context;
  const all = informers.forResource(services, { address: addressesOf });
  const known = informers.forResource(ipAddresses);
  const queue = context.newWorkQueue<string>();
  const enqueueOf = (service: Service): void => {
    for (const address of addressesOf(service)) queue.add(address);
  };
  const enqueue = ({ metadata }: IPAddress): void => queue.add(metadata.name);
  all.addEventHandler({
    onAdd: enqueueOf,
    onUpdate: (old, service) => {
      enqueueOf(old);
      enqueueOf(service);
    },
    onDelete: (last) => enqueueOf(lastKnown(last)),
  });
  known.addEventHandler({
    onAdd: enqueue,
    onUpdate: (_old, address) => enqueue(address),
    onDelete: (last) => enqueue(lastKnown(last)),
  });
  informers.start();
  await informers.waitForCacheSync();

  const remove = ({ metadata: { name, uid } }: IPAddress): Promise<unknown> =>
    client.delete(ipAddresses, { name }, { preconditions: { uid }, signal }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  await context.runWorkers({
    queue,
    workers: WORKERS,
    sync: async (address) => {
      const [holder] = all.indexer.byIndex('address', address);
      const existing = known.indexer.getByKey(address);
      if (!holder) {
        if (existing?.metadata.labels?.[MANAGED_BY] === ALLOCATOR) await remove(existing);
        return;
      }
      const wanted = addressOf(holder, address);
      if (existing && isSame(existing, wanted)) return;
      if (existing) await remove(existing);
      await client.create(ipAddresses, wanted, { signal });
    },
  });
};

/** Returns the addresses of a Service; empty if it needs none. */
function addressesOf({ spec: { type, clusterIPs = [] } }: Service): readonly string[] {
  return type === 'ExternalName' ? [] : clusterIPs.filter((address) => address !== '' && address !== 'None');
}

function addressOf({ metadata }: Service, address: string): New<IPAddress> {
  const { namespace = '', name } = metadata;
  return {
    metadata: {
      name: address,
      labels: {
        'ipaddress.kubernetes.io/ip-family': address.includes(':') ? 'IPv6' : 'IPv4',
        [MANAGED_BY]: ALLOCATOR,
      },
    },
    spec: { parentRef: { resource: 'services', namespace, name } },
  };
}

/**
 * Returns whether an IPAddress refers to the same Service, and has the labels of its manager. Upstream:
 * verifyIPAddressLabels
 */
function isSame({ metadata, spec }: IPAddress, wanted: New<IPAddress>): boolean {
  const { group = '', ...parentRef } = spec.parentRef;
  const labels = Object.entries(wanted.metadata.labels ?? {});
  return (
    group === '' &&
    semanticEqual(parentRef, wanted.spec.parentRef) &&
    labels.every(([name, value]) => metadata.labels?.[name] === value)
  );
}
