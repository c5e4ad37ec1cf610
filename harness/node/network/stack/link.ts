import type { IP, IPPrefix } from '../../../api/ip-prefix.ts';
import type { Frame, MAC } from './packet.ts';

/** What kind of interface it is: `device` is the machine's own, on the Ethernet that all machines share. */
export type LinkKind = 'loopback' | 'veth' | 'bridge' | 'device';

/** An address of an interface, and the network that is reached by it. */
export interface LinkAddress extends IPPrefix {
  readonly scope: 'global' | 'link' | 'host';
  /** Whether there was another one of its network before. It goes with that. */
  readonly isSecondary: boolean;
}

/** What is beyond a machine's own interface. */
export interface Segment {
  /** The interfaces that get a frame which `from` sends: all that are up, if it is for all. */
  carry(from: Link, frame: Pick<Frame, 'to'>): readonly Link[];
  /** Takes a card in. */
  attach(card: Link): void;
  /** Succeeds when it is not there. */
  detach(card: Link): void;
}

/** An interface of a namespace. */
export class Link {
  readonly kind: LinkKind;
  /** Names it within its namespace, for as long as it is there. */
  index: number;
  name: string;
  mtu = 1_500;
  /** The other end, of a veth pair: what goes in here comes out there. */
  peer: Link | undefined;
  /** The bridge of which it is a port. */
  master: Link | undefined;
  /** Of a port: whether a frame may leave by the port by which it came. */
  hairpin = false;
  /** Of a port: whether it is kept apart from the other ports that are. */
  isolated = false;
  /** Of a bridge. */
  readonly bridge: BridgeState | undefined;
  /** Of a machine's own. */
  readonly segment: Segment | undefined;
  /** Told when it has gone up or down, or its addresses have changed: those that it had. */
  onChange: ((before: readonly LinkAddress[]) => void) | undefined;
  #up = false;
  #mac: MAC;
  #addresses: readonly LinkAddress[] = [];

  constructor(options: {
    readonly kind: LinkKind;
    readonly index: number;
    readonly name: string;
    readonly mac: MAC;
    readonly segment?: Segment;
  }) {
    this.kind = options.kind;
    this.index = options.index;
    this.name = options.name;
    this.#mac = options.mac;
    this.segment = options.segment;
    if (options.kind === 'loopback') this.mtu = 65_536;
    if (options.kind === 'bridge') this.bridge = { ports: new Set(), learned: new Map(), hasOwnMac: false };
  }

  /**
   * Its address on its link. A bridge that was given none has the lowest of its ports: it changes as they come and go, and all that
   * know the old one lose it.
   *
   * Upstream: torvalds/linux@v6.12 net/bridge/br_stp_if.c br_stp_recalculate_bridge_id
   */
  get mac(): MAC {
    if (!this.bridge || this.bridge.hasOwnMac || this.bridge.ports.size === 0) return this.#mac;
    return [...this.bridge.ports].map(({ mac }) => mac).sort()[0] as MAC;
  }

  /** Gives it this address for good. */
  set mac(mac: MAC) {
    this.#mac = mac;
    if (this.bridge) this.bridge.hasOwnMac = true;
  }

  get addresses(): readonly LinkAddress[] {
    return this.#addresses;
  }

  set addresses(addresses: readonly LinkAddress[]) {
    const before = this.#addresses;
    this.#addresses = addresses;
    this.onChange?.(before);
  }

  get up(): boolean {
    return this.#up;
  }

  set up(up: boolean) {
    this.#up = up;
    this.onChange?.(this.#addresses);
  }

  /** Whether something is on the other side: a peer that is up; behind a bridge, one port that has it, if there are any. */
  get hasCarrier(): boolean {
    if (!this.up) return false;
    if (this.kind === 'veth') return this.peer?.up === true;
    const ports = [...(this.bridge?.ports ?? [])];
    return ports.length === 0 || ports.some((port) => port.hasCarrier);
  }

  /** Its first address of a family. */
  addressOf(family: IP['family']): LinkAddress | undefined {
    return this.addresses.find(({ ip }) => ip.family === family);
  }

  /** Makes it a port of a bridge, or of none. */
  enslave(master: Link | undefined): void {
    this.master?.bridge?.ports.delete(this);
    this.master?.bridge?.learned.forEach((port, mac, learned) => {
      if (port.link === this) learned.delete(mac);
    });
    this.master = master;
    this.hairpin = false;
    this.isolated = false;
    master?.bridge?.ports.add(this);
  }
}

/** What a bridge knows. */
export interface BridgeState {
  readonly ports: Set<Link>;
  /** Behind which port an address was seen last, and when. */
  readonly learned: Map<MAC, { readonly link: Link; readonly atMs: number }>;
  /** Whether it was given an address of its own. */
  hasOwnMac: boolean;
}
