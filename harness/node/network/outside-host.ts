import type { IP } from '../../api/ip-prefix.ts';
import type { HttpAnswer, NodeNetwork } from '../../contracts/node/index.ts';
import type { Clock } from '../../sim/index.ts';
import { nodeNetwork } from './node-network.ts';
import type { NetworkNamespace } from './stack/namespace.ts';

/** A request that came from the cluster. */
export interface Seen {
  /** Virtual ms since the simulation began. */
  readonly atMs: number;
  /** The address that it came from, as it was seen out here. */
  readonly from: string;
  readonly path: string;
}

/** A host outside the cluster. It has a web server on port 80, which tells each client from which address it came. */
export class OutsideHost {
  readonly ip: string;
  /** What it can reach, and how. */
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

  /** The requests that it got, oldest first. */
  get seen(): readonly Seen[] {
    return this.#seen;
  }

  /** Sends a request to a machine of the cluster: to a port of it that leads to pods. @throws NetworkError */
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
