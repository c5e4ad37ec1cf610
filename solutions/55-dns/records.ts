import type { DnsRecord } from '#harness';
import type { Found } from './find.ts';
import { addressIn } from './names.ts';

/** The common properties of the records in one answer. */
export interface Circumstances {
  /** The name from the question, in its original case. */
  readonly name: string;
  /** In the same case as in the name. */
  readonly zone: string;
  /** In seconds. */
  readonly ttl: number;
}

/** Returns the distinct addresses of one family. Upstream: coredns/coredns@v1.14.2 plugin/backend_lookup.go A, AAAA */
export function addressRecords(
  all: readonly Found[],
  type: 'A' | 'AAAA',
  { name, ttl }: Circumstances,
): readonly DnsRecord[] {
  const addresses = all.map(({ host }) => addressIn(host)).filter((address) => address !== undefined);
  return [...new Set(addresses)]
    .filter((address) => typeOf(address) === type)
    .map((address) => ({ name, ttl, type, address }));
}

function typeOf(address: string): 'A' | 'AAAA' {
  return address.includes(':') ? 'AAAA' : 'A';
}

/**
 * Returns the SRV records, and the addresses of their targets. All have the same weight: an equal share of 100, at
 * least 1.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/backend_lookup.go SRV
 */
export function serviceRecords(
  all: readonly Found[],
  { name, zone, ttl }: Circumstances,
): { readonly answer: readonly DnsRecord[]; readonly additional: readonly DnsRecord[] } {
  const answer = new Map<string, DnsRecord>();
  const additional = new Map<string, DnsRecord>();
  const weight = Math.max(1, Math.floor(100 / all.length));
  for (const { host, port, path } of all) {
    if (port === undefined) continue;
    const target = `${path}.${zone}`;
    const address = addressIn(host) ?? host;
    answer.set(`${target} ${port}`, { name, ttl, type: 'SRV', priority: 0, weight, port, target });
    additional.set(`${target} ${address}`, { name: target, ttl, type: typeOf(address), address });
  }
  return { answer: [...answer.values()], additional: [...additional.values()] };
}

/**
 * Returns the SOA record, which limits how long clients cache a negative answer.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/backend_lookup.go SOA
 */
export function startOfAuthority({ zone, ttl }: Omit<Circumstances, 'name'>, serial: number): DnsRecord {
  return {
    name: zone,
    ttl: Math.min(ttl, NEGATIVE_TTL_MAX),
    type: 'SOA',
    mname: `ns.dns.${zone}`,
    rname: `hostmaster.${zone}`,
    serial,
    refresh: 7_200,
    retry: 1_800,
    expire: 86_400,
    minimum: ttl,
  };
}

/** In seconds. */
const NEGATIVE_TTL_MAX = 300;
