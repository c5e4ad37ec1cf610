/** An interface in the output of `ip -d -j link show`, which has more fields. */
export interface IpLink {
  /** Identifies the interface within its namespace. */
  readonly ifindex: number;
  readonly ifname: string;
  /** For a veth interface: its peer, if that is in the same namespace. */
  readonly link?: string;
  /** For a veth interface: the index of its peer, if that is in another namespace. */
  readonly link_index?: number;
  /** The link-layer address: `0a:58:0a:f4:01:02`. */
  readonly address: string;
  readonly mtu: number;
  /** Its bridge, if it is a port of a bridge. */
  readonly master?: string;
  /** `UP`, `DOWN`, `LOWERLAYERDOWN`, `UNKNOWN`. */
  readonly operstate: string;
  /** Contains `UP` if the interface is enabled. */
  readonly flags: readonly string[];
  readonly linkinfo?: { readonly info_kind: string };
}

/** An interface with its addresses in the output of `ip -j addr show`. */
export interface IpAddresses extends IpLink {
  readonly addr_info: readonly {
    readonly family: 'inet' | 'inet6';
    /** `10.244.1.2`. */
    readonly local: string;
    /** `24`. */
    readonly prefixlen: number;
    readonly scope: string;
  }[];
}

/** A route in the output of `ip -j route show`. */
export interface IpRoute {
  /** `10.244.2.0/24`, `default`; a single address has no prefix length. */
  readonly dst: string;
  /** The next router. */
  readonly gateway?: string;
  /** The outgoing interface. */
  readonly dev?: string;
  /** The origin of the route: `kernel`, or a number. */
  readonly protocol?: string;
  /** The kernel uses the route with the lowest metric to a destination. @defaultValue 0 */
  readonly metric?: number;
}
