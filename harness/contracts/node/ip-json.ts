/** An interface, as `ip -d -j link show` prints it. There is more in it. */
export interface IpLink {
  /** Names it within its namespace. */
  readonly ifindex: number;
  readonly ifname: string;
  /** Of a veth pair: the other end, where that is in the same namespace. */
  readonly link?: string;
  /** Of a veth pair: the index of the other end, where that is in another namespace. */
  readonly link_index?: number;
  /** Its address on its link: `0a:58:0a:f4:01:02`. */
  readonly address: string;
  readonly mtu: number;
  /** The bridge that it is a port of. */
  readonly master?: string;
  /** `UP`, `DOWN`, `LOWERLAYERDOWN`, `UNKNOWN`. */
  readonly operstate: string;
  /** `UP` among them: it was turned on. */
  readonly flags: readonly string[];
  readonly linkinfo?: { readonly info_kind: string };
}

/** An interface with its addresses, as `ip -j addr show` prints it. */
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

/** A route, as `ip -j route show` prints it. */
export interface IpRoute {
  /** `10.244.2.0/24`, `default`; an address alone has no length. */
  readonly dst: string;
  /** The router that it goes to. */
  readonly gateway?: string;
  /** The interface that it leaves by. */
  readonly dev?: string;
  /** What made it: `kernel`, or a number. */
  readonly protocol?: string;
  /** Of several routes to one destination, the one with the lowest is taken. @defaultValue 0 */
  readonly metric?: number;
}
