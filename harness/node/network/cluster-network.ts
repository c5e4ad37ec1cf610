import type { NetworkNamespace } from './namespace.ts';

/** The addresses of a cluster, and which network namespace each leads to. All its machines share one. */
export class ClusterNetwork {
  readonly #namespaces = new Map<string, NetworkNamespace>();
  readonly #forwarded = new Map<string, { readonly ip: string; readonly port: number }>();

  /** @throws Error when the address is taken */
  attach(ip: string, namespace: NetworkNamespace): void {
    if (this.#namespaces.has(ip)) throw new Error(`Failed to give out ${ip}: it is taken. Detach it first.`);
    this.#namespaces.set(ip, namespace);
  }

  /** Succeeds when it is not there. */
  detach(ip: string): void {
    this.#namespaces.delete(ip);
    for (const [from, to] of this.#forwarded) if (to.ip === ip) this.#forwarded.delete(from);
  }

  /** Leads a port of one address to a port of another: a `hostPort`. The newest one counts. */
  forward(
    from: { readonly ip: string; readonly port: number },
    to: { readonly ip: string; readonly port: number },
  ) {
    this.#forwarded.set(`${from.ip}:${from.port}`, to);
  }

  /** Where a packet to this address arrives; undefined when there is no such address. */
  find(
    ip: string,
    port: number,
  ): { readonly namespace: NetworkNamespace; readonly port: number } | undefined {
    const to = this.#forwarded.get(`${ip}:${port}`) ?? { ip, port };
    const namespace = this.#namespaces.get(to.ip);
    return namespace && { namespace, port: to.port };
  }
}
