import { deepEqual } from '../api/freeze.ts';
import type { ConfigMap } from '../api/objects.ts';
import { configMaps, leases } from '../api/resource.ts';
import { isNotFound } from '../api/status.ts';
import type { Component } from '../contracts/component.ts';
import { formatMicroTime, throughLine } from '../sim/index.ts';
import type { Program } from './process.ts';

const NAMESPACE = 'default';

/** The ConfigMap that {@link mirror} copies. */
export const SOURCE = { namespace: NAMESPACE, name: 'source' };

/** The ConfigMap that {@link mirror} writes. */
export const COPY = { namespace: NAMESPACE, name: 'copy' };

/**
 * Copies one ConfigMap to another, from an informer's cache, once a second.
 *
 * The samples here are small correct components to try faults on. Their tasks are simple, except under faults.
 */
export const mirror: Component = async ({ client, informers, clock, signal, log }) => {
  const { indexer } = informers.forResource(configMaps);
  informers.start();
  await informers.waitForCacheSync();
  const sync = async (): Promise<void> => {
    const [source, copy] = [indexer.getByKey('default/source'), indexer.getByKey('default/copy')];
    if (source && !copy) await client.create(configMaps, { metadata: COPY, data: source.data ?? {} });
    else if (source && copy && !sameData(source, copy)) {
      await client.update(configMaps, { ...copy, data: source.data ?? {} });
    } else if (!source && copy) {
      await client.delete(configMaps, COPY, { preconditions: { uid: copy.metadata.uid } });
    }
  };
  for (;;) {
    await sync().catch((error) => log(String(error)));
    await clock.sleep(1_000, signal);
  }
};

/** Returns whether both have the same data, or neither exists. */
export function sameData(a: ConfigMap | undefined, b: ConfigMap | undefined): boolean {
  return deepEqual(a?.data, b?.data) && (a === undefined) === (b === undefined);
}

/** Reads as an informer does, without a cache: events appear in the trace. */
export const reader: Component = async ({ client, clock, signal, log }) => {
  for (;;) {
    try {
      const { metadata } = await client.list(configMaps, { resourceVersion: '0', signal });
      const { resourceVersion } = metadata;
      const watch = await client.watch(configMaps, { resourceVersion, allowWatchBookmarks: true, signal });
      for await (const { type } of watch) log(type);
    } catch (error) {
      log(String(error));
    }
    await clock.sleep(1_000, signal);
  }
};

/** Interval between heartbeats of a node. Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go nodeLeaseRenewIntervalFraction */
export const RENEW_MS = 10_000;

/** The Lease that {@link heartbeat} renews. */
export const LEASE = { namespace: 'kube-node-lease', name: 'node-1' };

/** Renews a node's Lease with the time of the node's clock. */
export const heartbeat: Component = async ({ client, clock, signal, log }) => {
  const renew = async (): Promise<void> => {
    const renewTime = formatMicroTime(clock.now());
    const lease = await client.get(leases, LEASE).catch((error) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (lease) await client.update(leases, { ...lease, spec: { ...lease.spec, renewTime } });
    else await client.create(leases, { metadata: LEASE, spec: { holderIdentity: 'node-1', renewTime } });
  };
  for (;;) {
    await renew().catch((error) => log(String(error)));
    await clock.sleep(RENEW_MS, signal);
  }
};

/** Addresses by owner. An owner that asks twice gets the same address; a release without an owner is not an error. */
export class AddressPool {
  readonly holders = new Map<string, number>();
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  async allocate(id: string): Promise<number> {
    const taken = new Set(this.holders.values());
    const free = Array.from({ length: this.#size }, (_, i) => i).find((address) => !taken.has(address));
    const address = this.holders.get(id) ?? free;
    if (address === undefined) throw new Error('no addresses left');
    this.holders.set(id, address);
    return address;
  }

  async release(id: string): Promise<void> {
    this.holders.delete(id);
  }
}

/** The holders of addresses, from the tenants' view. */
export class Hands {
  readonly #byAddress = new Map<number, string>();
  readonly clashes: string[] = [];
  /** Number of allocations. */
  taken = 0;

  take(address: number, id: string): void {
    const other = this.#byAddress.get(address);
    if (other !== undefined && other !== id)
      this.clashes.push(`${address} is in the hands of ${other} and ${id}`);
    this.#byAddress.set(address, id);
    this.taken++;
  }

  drop(address: number): void {
    this.#byAddress.delete(address);
  }

  /** Forgets all holders, because they have crashed. */
  clear(): void {
    this.#byAddress.clear();
  }
}

/**
 * Tenants that allocate an address, hold it for a second and release it, in a loop. Half of them use the port `cri`,
 * half `cni`. After a restart they first release the addresses of the previous incarnation, by id.
 */
export function tenants(pool: AddressPool, hands: Hands, rounds: { left: number }): Program {
  return async ({ line, clock, signal, log }) => {
    const ports = (['cri', 'cni'] as const).map((port) => throughLine(remote(pool), line, { port }));
    const insist = async <R>(call: () => Promise<R>): Promise<R> => {
      for (;;) {
        try {
          return await call();
        } catch (error) {
          log(String(error));
          await clock.sleep(100, signal);
        }
      }
    };
    hands.clear();
    const live = async (id: string, port: Pick<AddressPool, 'allocate' | 'release'>): Promise<void> => {
      await insist(() => port.release(id));
      while (rounds.left > 0) {
        const address = await insist(() => port.allocate(id));
        hands.take(address, id);
        await clock.sleep(1_000, signal);
        rounds.left--;
        hands.drop(address);
        await insist(() => port.release(id));
      }
    };
    await Promise.all(['a', 'b', 'c', 'd'].map((id, i) => live(id, ports[i % ports.length] ?? remote(pool))));
  };
}

function remote(pool: AddressPool): Pick<AddressPool, 'allocate' | 'release'> {
  return { allocate: (id) => pool.allocate(id), release: (id) => pool.release(id) };
}
