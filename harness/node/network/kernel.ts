import type { ClusterNetwork } from './cluster-network.ts';
import { NetworkNamespace } from './namespace.ts';

/** Told what becomes of the addresses of a machine. */
export interface KernelEvents {
  readonly allocated: (ip: string, netns: string) => void;
  readonly released: (ip: string, netns: string) => void;
}

/**
 * The network of one machine as its kernel has it: namespaces by path, and which addresses each has. All of it is gone when the
 * machine loses its power.
 */
export class Kernel {
  /** That of the machine itself. */
  host = new NetworkNamespace();
  readonly #network: ClusterNetwork;
  readonly #events: KernelEvents;
  readonly #namespaces = new Map<string, NetworkNamespace>();
  readonly #netnsOf = new Map<string, string>();

  constructor(network: ClusterNetwork, events: KernelEvents) {
    this.#network = network;
    this.#events = events;
  }

  /** Makes a namespace, without an address. */
  addNamespace(netns: string): NetworkNamespace {
    const namespace = new NetworkNamespace();
    this.#namespaces.set(netns, namespace);
    return namespace;
  }

  /** With the addresses that are still in it. Succeeds when it is not there. */
  removeNamespace(netns: string): void {
    this.#namespaces.delete(netns);
    for (const [ip, of] of this.#netnsOf) if (of === netns) this.#network.detach(ip);
  }

  namespace(netns: string): NetworkNamespace | undefined {
    return this.#namespaces.get(netns);
  }

  /** @throws Error when there is no such namespace */
  addAddress(netns: string, ip: string): void {
    const namespace = this.#namespaces.get(netns);
    if (!namespace) throw new Error(`failed to open netns "${netns}": no such file or directory`);
    this.#network.attach(ip, namespace);
    this.#netnsOf.set(ip, netns);
    this.#events.allocated(ip, netns);
  }

  /** Succeeds when it is not there, or its namespace is gone. */
  removeAddress(ip: string): void {
    const netns = this.#netnsOf.get(ip);
    if (netns === undefined) return;
    this.#netnsOf.delete(ip);
    this.#network.detach(ip);
    this.#events.released(ip, netns);
  }

  forward(...[from, to]: Parameters<ClusterNetwork['forward']>): void {
    this.#network.forward(from, to);
  }

  /** Loses all namespaces. The plugin's own books, on disk, still have their addresses. */
  reset(): void {
    for (const netns of [...this.#namespaces.keys()]) this.removeNamespace(netns);
    this.host = new NetworkNamespace();
  }
}
