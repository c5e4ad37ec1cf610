import type { EndpointSlice, Namespace, Service } from '../../../api/objects.ts';
import type { DnsMessage, DnsQuestion, DnsRecord } from '../../../contracts/dns.ts';
import { dashed, ZONE } from '../scenario/questions.ts';

/** The objects that define names. */
export interface NamedObjects {
  readonly namespaces: readonly Namespace[];
  readonly services: readonly Service[];
  readonly slices: readonly EndpointSlice[];
}

/** The TTL of the cluster's records, in seconds. */
export const TTL = 30;

/**
 * Formats an answer as one text: `NOERROR web.default.svc.cluster.local. 30 A 10.96.0.7 | | `. The records of a
 * section are sorted.
 */
export function describeAnswer(message: DnsMessage | undefined): string {
  if (!message) return 'left to another plugin';
  const { rcode, answer, authority, additional } = message;
  const sections = [
    answer.map(describeRecord),
    authority.map(({ name, type }) => `${name} ${type}`),
    additional.map(describeRecord),
  ];
  return [rcode, ...sections.map((records) => [...records].sort().join(', '))].join(' | ');
}

function describeRecord(record: DnsRecord): string {
  const { name, ttl, type } = record;
  switch (type) {
    case 'A':
    case 'AAAA':
      return `${name} ${ttl} ${type} ${record.address}`;
    case 'SRV':
      return `${name} ${ttl} SRV ${record.priority} ${record.weight} ${record.port} ${record.target}`;
    case 'TXT':
      return `${name} ${ttl} TXT ${record.text}`;
    case 'SOA':
      return `${name} ${ttl} SOA`;
    default:
      return `${name} ${ttl} ${type} ${record.target}`;
  }
}

/** The entries of one name: addresses, ports, an alias. An empty name still exists. */
interface Entry {
  readonly addresses: string[];
  /** The number of pairs of an endpoint and a port. */
  shares: number;
  readonly ports: { readonly port: number; readonly target: string; readonly address: string }[];
  alias?: string;
}

/**
 * The oracle: all names of the objects, as in a zone file, and a lookup in them.
 *
 * It follows the specification of names and shares no code with a reference.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/README.md
 */
export class Zone {
  readonly #entries = new Map<string, Entry>();
  readonly #pointers = new Map<string, Set<string>>();
  readonly #namespaces: ReadonlySet<string>;
  readonly #services: ReadonlySet<string>;
  /** The addresses of services and of their ready endpoints, independent of names, each with its `namespace/name`. */
  readonly ownAddresses: readonly (readonly [service: string, address: string])[];

  constructor({ namespaces, services, slices }: NamedObjects) {
    this.#namespaces = new Set(namespaces.map(({ metadata }) => metadata.name));
    this.#services = new Set(services.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
    for (const name of ['', 'svc.', 'pod.']) this.#entry(name);
    for (const namespace of this.#namespaces) {
      this.#entry(`${namespace}.svc.`);
      this.#entry(`${namespace}.pod.`);
    }
    for (const service of services) {
      const own = slices.filter(
        ({ metadata }) =>
          metadata.namespace === service.metadata.namespace &&
          metadata.labels?.['kubernetes.io/service-name'] === service.metadata.name,
      );
      this.#write(service, own);
    }
    this.#writePointers(services, slices);
    this.ownAddresses = [
      ...services.map(
        ({ metadata, spec }) => [`${metadata.namespace}/${metadata.name}`, spec.clusterIP ?? ''] as const,
      ),
      ...slices.flatMap((slice) => {
        const { namespace, labels = {} } = slice.metadata;
        return readyIn(slice).map(
          ({ address }) => [`${namespace}/${labels['kubernetes.io/service-name']}`, address] as const,
        );
      }),
    ];
  }

  /**
   * Returns the expected answer in the format of {@link describeAnswer}. @param outside the address of each external name
   */
  expected(question: DnsQuestion, outside: string): string {
    const { name, type } = question;
    if (name.endsWith('.in-addr.arpa.')) {
      const targets = [...(this.#pointers.get(name) ?? [])];
      if (targets.length === 0) return 'left to another plugin';
      return answered(targets.map((target) => `${name} ${TTL} PTR ${target}`));
    }
    if (!name.toLowerCase().endsWith(`.${ZONE}`) && name.toLowerCase() !== ZONE)
      return 'left to another plugin';
    const zone = name.slice(name.length - ZONE.length);
    const found = this.#lookUp(name);
    if (type === 'TXT') {
      if (name === `dns-version.${ZONE}`) return answered([`${name} 28800 TXT 1.1.0`]);
      const says = found && (found.alias ?? found.addresses[0]) !== undefined;
      return says ? nothing('NOERROR', zone) : nothing('NXDOMAIN', zone);
    }
    if (!found) return nothing('NXDOMAIN', zone);
    if (type === 'SRV' && found.ports.length > 0) return describePorts(name, found);
    if (type === 'CNAME' && found.alias) return answered([`${name} ${TTL} CNAME ${found.alias}`]);
    const records = type === 'A' || type === 'AAAA' ? this.#follow(name, found, { type, outside }) : [];
    return records.length > 0 ? answered(records) : nothing('NOERROR', zone);
  }

  /** Is there a service `namespace/name` that is not an alias? */
  hasService(key: string): boolean {
    const [namespace, name] = key.split('/');
    const entry = this.#services.has(key) ? this.#lookUp(`${name}.${namespace}.svc.${ZONE}`) : undefined;
    return this.#services.has(key) && entry?.alias === undefined;
  }

  hasNamespace(name: string): boolean {
    return this.#namespaces.has(name);
  }

  /** Whether a name is an alias. */
  isAlias(name: string): boolean {
    return this.#lookUp(name)?.alias !== undefined;
  }

  #lookUp(name: string): Entry | undefined {
    const below = name.slice(0, name.length - ZONE.length).toLowerCase();
    const [, address, namespace = ''] = /^(\d+-\d+-\d+-\d+)\.([^.]+)\.pod\.$/.exec(below) ?? [];
    if (address === undefined || !this.#namespaces.has(namespace)) return this.#entries.get(below);
    return { addresses: [address.replaceAll('-', '.')], shares: 1, ports: [] };
  }

  /** Returns the records of an alias, up to its target; empty if the chain does not end. */
  #follow(
    name: string,
    { alias, addresses }: Entry,
    of: { readonly type: 'A' | 'AAAA'; readonly outside: string },
    passed: readonly string[] = [],
  ): readonly string[] {
    // This zone has no addresses of the other family.
    const isAsked = of.type === 'A';
    if (!alias) return isAsked ? addresses.map((address) => `${name} ${TTL} A ${address}`) : [];
    const own = `${name} ${TTL} CNAME ${alias}`;
    if (!alias.endsWith(`.${ZONE}`)) return [own, ...(isAsked ? [`${alias} 60 A ${of.outside}`] : [])];
    const next = this.#lookUp(alias);
    const all = [...passed, name.toLowerCase()];
    if (!next || all.includes(alias)) return [];
    const rest = this.#follow(alias, next, of, all);
    return rest.length > 0 ? [own, ...rest] : [];
  }

  #write(service: Service, slices: readonly EndpointSlice[]): void {
    const { metadata, spec } = service;
    const base = `${metadata.name}.${metadata.namespace}.svc.`;
    if (spec.type === 'ExternalName') {
      this.#entry(base).alias = `${spec.externalName}.`;
      return;
    }
    const { clusterIP = '', ports = [] } = spec;
    for (const slice of slices) {
      const open = slice.ports?.length ? slice.ports : [{}];
      for (const { address, label } of readyIn(slice)) {
        const names = clusterIP === 'None' ? [base, `${label}.${base}`] : [`${label}.${base}`];
        for (const port of open)
          for (const name of names) this.#add(name, port, { address, target: `${label}.${base}` });
      }
    }
    if (clusterIP === 'None') return;
    for (const port of ports) this.#add(base, port, { address: clusterIP, target: base });
  }

  /** Adds an address under a name, and a port under its own name. */
  #add(
    name: string,
    {
      name: portName,
      protocol = 'TCP',
      port,
    }: { readonly name?: string; readonly protocol?: string; readonly port?: number },
    { address, target }: { readonly address: string; readonly target: string },
  ): void {
    const below = portName === undefined ? [] : [`_${portName}._${protocol.toLowerCase()}.${name}`];
    for (const each of [name, ...below]) {
      const entry = this.#entry(each);
      if (!entry.addresses.includes(address)) entry.addresses.push(address);
      entry.shares++;
      if (port !== undefined) entry.ports.push({ port, target: `${target}${ZONE}`, address });
    }
  }

  #writePointers(services: readonly Service[], slices: readonly EndpointSlice[]): void {
    for (const slice of slices) {
      const { namespace, labels = {} } = slice.metadata;
      for (const { address, label } of readyIn(slice)) {
        const name = `${address.split('.').reverse().join('.')}.in-addr.arpa.`;
        const target = `${label}.${labels['kubernetes.io/service-name']}.${namespace}.svc.${ZONE}`;
        this.#pointers.set(name, (this.#pointers.get(name) ?? new Set()).add(target));
      }
    }
    for (const { metadata, spec } of services) {
      const { clusterIP = '' } = spec;
      if (!/^\d/.test(clusterIP)) continue;
      const name = `${clusterIP.split('.').reverse().join('.')}.in-addr.arpa.`;
      this.#pointers.set(name, new Set([`${metadata.name}.${metadata.namespace}.svc.${ZONE}`]));
    }
  }

  #entry(name: string): Entry {
    const entry = this.#entries.get(name) ?? { addresses: [], shares: 0, ports: [] };
    this.#entries.set(name, entry);
    return entry;
  }
}

/** Returns the ready endpoints of a slice, and their names. */
function readyIn({
  endpoints,
}: EndpointSlice): readonly { readonly address: string; readonly label: string }[] {
  return (endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses, hostname }) =>
      addresses.map((address) => ({ address, label: hostname ?? dashed(address) })),
    );
}

/** Formats each port once, with an equal share of a hundred, and the addresses of its targets. */
function describePorts(name: string, { ports, shares }: Entry): string {
  const weight = Math.max(1, Math.floor(100 / shares));
  const records = ports.map(({ port, target }) => `${name} ${TTL} SRV 0 ${weight} ${port} ${target}`);
  const behind = ports.map(({ target, address }) => `${target} ${TTL} A ${address}`);
  return answered([...new Set(records)], [...new Set(behind)]);
}

function answered(records: readonly string[], additional: readonly string[] = []): string {
  return ['NOERROR', [...records].sort().join(', '), '', [...additional].sort().join(', ')].join(' | ');
}

function nothing(rcode: string, zone: string): string {
  return [rcode, '', `${zone} SOA`, ''].join(' | ');
}
