import type { IP } from '../../../api/ip-prefix.ts';
import type { Random } from '../../../sim/index.ts';
import type { Server } from '../../programs/program.ts';
import { Netfilter } from '../netfilter/netfilter.ts';
import { Link, type LinkAddress, type LinkKind, type Segment } from './link.ts';
import { Neighbours } from './neighbours.ts';
import type { MAC } from './packet.ts';
import { type Route, RouteTable } from './routes.ts';
import { Sockets } from './sockets.ts';

/** Options of {@link NetworkNamespace}. */
export interface NamespaceOptions {
  readonly node: string;
  /** The name, such as `cni-4f5c…`; empty for the machine's own namespace. */
  readonly name: string;
  readonly now: () => number;
  readonly random: Random;
  /** Called for each address that is added to or removed from an interface in this namespace. */
  readonly onAddress?: (change: AddressChange, ip: IP, namespace: NetworkNamespace) => void;
}

/** A change of an address. */
export type AddressChange = 'added' | 'removed';

const owners = new WeakMap<Link, NetworkNamespace>();

/** Returns the namespace of an interface. */
export function namespaceOf(link: Link): NetworkNamespace {
  return owners.get(link) as NetworkNamespace;
}

/** A network namespace: interfaces, addresses, routes, rules and sockets. The machine has one, and each pod has one. */
export class NetworkNamespace {
  readonly node: string;
  readonly name: string;
  /** The name that packet traces show: the pod's name, once it is known. */
  label: string;
  readonly links = new Map<string, Link>();
  readonly routes = new RouteTable();
  readonly neighbours = new Neighbours();
  readonly netfilter: { readonly 4: Netfilter; readonly 6: Netfilter };
  readonly sockets = new Sockets<Server>();
  /** Sysctls with their values, such as `net.ipv4.ip_forward`: `1`. A missing sysctl has the kernel's default. */
  readonly sysctls = new Map<string, string>();
  readonly #random: Random;
  readonly #now: () => number;
  readonly #onAddress: NamespaceOptions['onAddress'];
  /** The addresses of this namespace. They are cached, because most packets need them. */
  #local: ReadonlySet<string> | undefined;
  #index = 0;

  constructor({ node, name, now, random, onAddress }: NamespaceOptions) {
    this.node = node;
    this.name = name;
    this.label = name;
    this.#random = random;
    this.#now = now;
    this.#onAddress = onAddress;
    this.netfilter = {
      4: new Netfilter({ now, random: () => random.fork('netfilter') }),
      6: new Netfilter({ now, random: () => random.fork('netfilter 6') }),
    };
    this.addLink({ kind: 'loopback', name: 'lo', mac: '00:00:00:00:00:00' });
  }

  /** The time of its kernel's clock, in ms. */
  nowMs(): number {
    return this.#now();
  }

  /** Creates an interface, which is down. */
  addLink(made: {
    readonly kind: LinkKind;
    readonly name: string;
    readonly mac?: MAC;
    readonly segment?: Segment;
  }): Link {
    const link = new Link({ ...made, mac: made.mac ?? this.newMac(), index: ++this.#index });
    this.#own(link);
    link.segment?.attach(link);
    return link;
  }

  /** Moves an interface here from another namespace. It is down, without addresses and routes. */
  adopt(link: Link, name = link.name): void {
    link.name = name;
    link.index = ++this.#index;
    this.#own(link);
  }

  #own(link: Link): void {
    this.links.set(link.name, link);
    owners.set(link, this);
    const tell = this.#onAddress;
    link.onChange = (before) => {
      this.#local = undefined;
      if (!tell) return;
      for (const { ip } of without(before, link.addresses)) tell('removed', ip, this);
      for (const { ip } of without(link.addresses, before)) tell('added', ip, this);
    };
  }

  /** Removes an interface from this namespace, with its bridge membership, routes and neighbours. */
  release(link: Link): void {
    this.links.delete(link.name);
    this.routes.removeWhere(({ dev }) => dev === link);
    this.neighbours.removeWhere((neighbour) => neighbour.link === link);
    link.enslave(undefined);
    for (const port of link.bridge?.ports ?? []) port.enslave(undefined);
    link.addresses = [];
    link.up = false;
  }

  /** Whether an address belongs to this namespace. */
  isLocal({ text }: IP): boolean {
    if (text.startsWith('127.') || text === '::1') return this.links.get('lo')?.up === true;
    this.#local ??= new Set(
      [...this.links.values()].flatMap(({ up, addresses }) => (up ? addresses.map(({ ip }) => ip.text) : [])),
    );
    return this.#local.has(text);
  }

  /** Returns the route to an address outside this namespace. */
  routeTo(ip: IP): Route | undefined {
    return this.routes.lookup(ip);
  }

  /** Returns the source address for packets on a route. */
  sourceFor({ src, dev }: Pick<Route, 'src' | 'dev'>, family: IP['family']): IP | undefined {
    if (src) return src;
    const own = dev?.addressOf(family);
    if (own) return own.ip;
    for (const link of this.links.values()) {
      const address = link.addresses.find(({ ip, scope }) => ip.family === family && scope === 'global');
      if (link.up && address) return address.ip;
    }
    return undefined;
  }

  /** Whether a boolean sysctl is on. @param initially - the kernel's default */
  isOn(sysctl: string, initially = false): boolean {
    return (this.sysctls.get(sysctl) ?? (initially ? '1' : '0')) === '1';
  }

  /** Creates a random MAC address from the locally administered range. */
  newMac(): MAC {
    const bytes = Array.from({ length: 6 }, () => this.#random.int(256));
    bytes[0] = ((bytes[0] as number) & 0xfe) | 0x02;
    return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':');
  }
}

/** Returns the addresses that the other list does not contain. */
function without(some: readonly LinkAddress[], others: readonly LinkAddress[]): readonly LinkAddress[] {
  return some.filter(({ ip }) => !others.some((other) => other.ip.text === ip.text));
}
