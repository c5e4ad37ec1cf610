import type { SetPlan } from '../scenario/networks.ts';
import { certainlyAllocated, type Flight, type Ledger, mayBeAllocated } from './ledger.ts';

/** Renders the containers with an address of a set: ` (pod-1 has 10.1.2.2)`. */
export function holders({ containers }: Ledger, { addresses }: SetPlan): string {
  const held = [...containers].flatMap(([container, standing]) => {
    const own = standing.kind === 'held' ? standing.addresses.filter((one) => addresses.includes(one)) : [];
    return own.length > 0 ? [`${container} has ${own.join(', ')}`] : [];
  });
  return held.length > 0 ? ` (${held.join('; ')}; each container has one address of a set at most)` : '';
}

/** Renders whether the set had a free address for an ADD; if not, the expected error. */
export function describeFree(flight: Flight, set: SetPlan): string {
  return certainlyAllocated(flight, set).size < set.addresses.length
    ? `${set.said} has a free address`
    : `all ${set.addresses.length} addresses of ${set.said} are reserved, so ADD must fail with "no IP addresses available in range set"`;
}

/** Renders the addresses of a set that are certainly free, if they are few. */
export function describeUnused(flight: Flight, { addresses }: SetPlan): string {
  const free = addresses.filter((address) => !mayBeAllocated(flight, address));
  return free.length > 0 && free.length <= 6 ? `; free: ${free.join(', ')}` : '';
}

/** Explains why a file can disappear while a command reads it. */
export function describeVanished(failed: string): string {
  const isGone = /open \S+: no such file or directory/.test(failed);
  return isGone
    ? '; another process removed that file between readdir and open: every command must hold the lock'
    : '';
}
