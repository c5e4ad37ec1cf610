import type { IP } from '../../api/ip-prefix.ts';
import type { HttpAnswer, NodeNetwork } from '../../contracts/node/index.ts';
import type { Clock } from '../../sim/index.ts';
import { nodeNetwork } from './node-network.ts';
import type { NetworkNamespace } from './stack/namespace.ts';

/** A request that came from the cluster. */
interface Seen {
  /** Virtual ms since the start of the simulation. */
  readonly atMs: number;
  /** The source address of the request, as seen outside the cluster. */
  readonly from: string;
  readonly path: string;
}

/** A host outside the cluster. Its web server on port 80 answers each client with the client's address. */
export class OutsideHost {
  readonly ip: string;
  /** The network access of this host. */
  readonly network: NodeNetwork;
  readonly namespace: NetworkNamespace;
  readonly #seen: Seen[] = [];

  constructor({
    ip,
    namespace,
    clock,
  }: { readonly ip: IP; readonly namespace: NetworkNamespace; readonly clock: Clock }) {
    this.ip = ip.text;
    this.namespace = namespace;
    this.network = nodeNetwork({ clock, namespace: () => namespace });
    namespace.sockets.listen(
      { protocol: 'tcp', port: 80 },
      {
        http: ({ path, from }) => {
          this.#seen.push({ atMs: namespace.nowMs(), from, path });
          return { status: 200, headers: {}, body: `${from}\n` };
        },
      },
    );
  }

  /** The requests that it received, oldest first. */
  get seen(): readonly Seen[] {
    return this.#seen;
  }

  /**
   * Sends a request to a machine of the cluster, for example to a node port.
   * @throws NetworkError when the request fails
   */
  get(host: string, port: number, timeoutMs = 1_000): Promise<HttpAnswer> {
    return this.network.request({
      scheme: 'http',
      method: 'GET',
      host,
      port,
      path: '/',
      headers: {},
      timeoutMs,
    });
  }
}
