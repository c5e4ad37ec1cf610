import type { DnsQuestion, DnsType } from '../../../contracts/dns.ts';
import { ADDRESSES, HOSTNAMES, NAMESPACES, SERVICES } from '../operations.ts';

/** The zone of services. */
export const ZONE = 'cluster.local.';

const ask = (type: DnsType, ...labels: readonly string[]): DnsQuestion => ({
  name: `${labels.join('.')}.${ZONE}`,
  type,
});

const ofServices = NAMESPACES.flatMap((namespace) =>
  [...SERVICES, 'none'].flatMap((name): readonly DnsQuestion[] => {
    const base = [name, namespace, 'svc'] as const;
    return [
      ...(['A', 'AAAA', 'SRV', 'CNAME', 'TXT'] as const).map((type) => ask(type, ...base)),
      ask('SRV', '_http', '_tcp', ...base),
      ask('SRV', '_dns', '_udp', ...base),
      ask('SRV', '_dns', '_tcp', ...base),
      ...[...HOSTNAMES, ...ADDRESSES.map(dashed)].map((label) => ask('A', label, ...base)),
    ];
  }),
);

const ofNamespaces = NAMESPACES.flatMap((namespace) => [
  ask('A', namespace, 'svc'),
  ask('A', '*', namespace, 'svc'),
  ask('A', 'a', 'b', 'c', 'web', namespace, 'svc'),
  ask('A', '10-244-9-9', namespace, 'pod'),
  ask('A', 'no-address', namespace, 'pod'),
]);

const others: readonly DnsQuestion[] = [
  { name: ZONE, type: 'A' },
  { name: ZONE, type: 'AAAA' },
  ask('A', 'svc'),
  ask('A', 'pod'),
  ask('A', 'web'),
  ask('TXT', 'dns-version'),
  { name: 'WEB.Default.svc.CLUSTER.local.', type: 'A' },
  { name: 'Db.DEFAULT.Svc.cluster.local.', type: 'A' },
  { name: 'example.com.', type: 'A' },
  ...ADDRESSES.map(pointer),
  pointer('10.244.9.9'),
];

/** All questions; each is asked repeatedly. */
export const questions: readonly DnsQuestion[] = [...ofServices, ...ofNamespaces, ...others];

/** Returns the question for the name of an address. */
export function pointer(address: string): DnsQuestion {
  return { name: `${address.split('.').reverse().join('.')}.in-addr.arpa.`, type: 'PTR' };
}

/** Returns the address in the form `10-244-1-2`. */
export function dashed(address: string): string {
  return address.replaceAll('.', '-');
}
