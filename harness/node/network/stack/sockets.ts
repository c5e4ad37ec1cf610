import type { IP } from '../../../api/ip-prefix.ts';
import type { Packet } from './packet.ts';

/** A socket that listens. */
export interface Socket<S> {
  /** The server behind it. */
  readonly server: S;
  /** A function for each connection that breaks it off. */
  readonly connections: Set<() => void>;
}

/** A socket, and its address and port. */
interface Binding<S> {
  readonly protocol: Packet['protocol'];
  /** If absent, the socket listens on all addresses. */
  readonly ip: IP | undefined;
  readonly port: number;
  readonly socket: Socket<S>;
}

/**
 * The range of source ports for outgoing connections. Upstream: torvalds/linux@v6.12 net/ipv4/af_inet.c inet_init_net
 */
const FIRST_EPHEMERAL = 32_768;
const LAST_EPHEMERAL = 60_999;

/** The sockets of a namespace. */
export class Sockets<S> {
  readonly #listening: Binding<S>[] = [];
  readonly #open = new Set<string>();
  #last = FIRST_EPHEMERAL - 1;

  /**
   * Listens for connections or datagrams on a port.
   *
   * @returns a function that closes the port and breaks its connections off
   * @throws Error when the port is in use
   */
  listen(
    at: { readonly protocol: 'tcp' | 'udp'; readonly ip?: IP; readonly port: number },
    server: S,
  ): () => void {
    const { protocol, ip, port } = at;
    const clashes = this.#listening.some(
      (each) =>
        each.protocol === protocol && each.port === port && (!each.ip || !ip || each.ip.text === ip.text),
    );
    if (clashes) {
      throw new Error(
        `listen ${protocol} ${ip?.text ?? ''}:${port}: bind: address already in use (EADDRINUSE)`,
      );
    }
    const binding: Binding<S> = { protocol, ip, port, socket: { server, connections: new Set() } };
    this.#listening.push(binding);
    return () => {
      const i = this.#listening.indexOf(binding);
      if (i < 0) return;
      this.#listening.splice(i, 1);
      for (const breakOff of [...binding.socket.connections]) breakOff();
    };
  }

  /** Returns the socket that listens on this address and port. */
  listener({ protocol, dst, dport }: Pick<Packet, 'protocol' | 'dst' | 'dport'>): Socket<S> | undefined {
    const bound = this.#listening.filter((each) => each.protocol === protocol && each.port === dport);
    return (bound.find(({ ip }) => ip?.text === dst.text) ?? bound.find(({ ip }) => !ip))?.socket;
  }

  /** Returns a source port without a connection to this destination. */
  ephemeral(protocol: Packet['protocol'], dst: IP, dport: number): number {
    const ports = LAST_EPHEMERAL - FIRST_EPHEMERAL + 1;
    for (let i = 0; i < ports; i++) {
      this.#last = this.#last === LAST_EPHEMERAL ? FIRST_EPHEMERAL : this.#last + 1;
      if (![...this.#open].some((key) => key.startsWith(`${protocol} ${this.#last} ${dst.text} ${dport} `)))
        break;
    }
    return this.#last;
  }

  /** Registers an outgoing connection, so that its answers are accepted. @returns a function that ends this */
  expect(packet: Packet): () => void {
    const key = keyOf(packet);
    this.#open.add(key);
    return () => void this.#open.delete(key);
  }

  /** Whether an answer belongs to an outgoing connection. */
  expects({ protocol, src, sport, dst, dport, about }: Packet): boolean {
    if (about) return this.#open.has(keyOf(about));
    return this.#open.has(`${protocol} ${dport} ${src.text} ${sport} ${dst.text}`);
  }
}

function keyOf({ protocol, sport, dst, dport, src }: Packet): string {
  return `${protocol} ${sport} ${dst.text} ${dport} ${src.text}`;
}
