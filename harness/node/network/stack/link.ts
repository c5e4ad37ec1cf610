import type { IP, IPPrefix } from '../../../api/ip-prefix.ts';
import type { Frame, MAC } from './packet.ts';

/** The kind of an interface. `device` is the machine's own card, on the Ethernet that all machines share. */
export type LinkKind = 'loopback' | 'veth' | 'bridge' | 'device';

/** An address of an interface, and the network that the interface reaches directly. */
export interface LinkAddress extends IPPrefix {
  readonly scope: 'global' | 'link' | 'host';
  /** Whether an earlier address of the same network exists. If that address is deleted, so is this one. */
  readonly isSecondary: boolean;
}

/** The medium behind a machine's own interface. */
export interface Segment {
  /** Returns the interfaces that receive a frame from `from`: for a broadcast, every interface that is up. */
  carry(from: Link, frame: Pick<Frame, 'to'>): readonly Link[];
  /** Attaches a card. */
  attach(card: Link): void;
  /** Detaches a card; does nothing if the card is not attached. */
  detach(card: Link): void;
}

/** An interface of a namespace. */
export class Link {
  readonly kind: LinkKind;
  /** Identifies the interface within its namespace. */
  index: number;
  name: string;
  mtu = 1_500;
  /** The other end of a veth pair. Each end receives what the other sends. */
  peer: Link | undefined;
  /** The bridge that this interface is a port of. */
  master: Link | undefined;
  /** Whether a bridge may send a frame back through this port if it arrived there. */
  hairpin = false;
  /** Whether this port exchanges no frames with other isolated ports. */
  isolated = false;
  /** Set if this is a bridge. */
  readonly bridge: BridgeState | undefined;
  /** Set if this is a machine's own interface. */
  readonly segment: Segment | undefined;
  /** Called after a change of state or of addresses, with the addresses before the change. */
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
   * The MAC address. A bridge whose address was never set uses the lowest address of its ports. It changes as ports
   * come and go, and then ARP entries with the old address are wrong.
   *
   * Upstream: torvalds/linux@v6.12 net/bridge/br_stp_if.c br_stp_recalculate_bridge_id
   */
  get mac(): MAC {
    if (!this.bridge || this.bridge.hasOwnMac) return this.#mac;
    let lowest: MAC | undefined;
    for (const { mac } of this.bridge.ports) if (lowest === undefined || mac < lowest) lowest = mac;
    return lowest ?? this.#mac;
  }

  /** Sets the MAC address permanently. */
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

  /**
   * Whether the other side is connected: a peer that is up or, for a bridge with ports, at least one port with a
   * carrier.
   */
  get hasCarrier(): boolean {
    if (!this.up) return false;
    if (this.kind === 'veth') return this.peer?.up === true;
    if (!this.bridge || this.bridge.ports.size === 0) return true;
    for (const port of this.bridge.ports) if (port.hasCarrier) return true;
    return false;
  }

  /** Returns its first address of a family. */
  addressOf(family: IP['family']): LinkAddress | undefined {
    return this.addresses.find(({ ip }) => ip.family === family);
  }

  /** Attaches the interface to a bridge as a port, or detaches it. */
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

/** The state of a bridge. */
interface BridgeState {
  readonly ports: Set<Link>;
  /** The port behind which each address was last seen, and when. */
  readonly learned: Map<MAC, { readonly link: Link; readonly atMs: number }>;
  /** Whether the MAC address was set explicitly. */
  hasOwnMac: boolean;
}
