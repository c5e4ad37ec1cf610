import type { Server } from '../programs/program.ts';

/** A server at a port, and the connections that are open to it. */
export interface Listener {
  readonly server: Server;
  /** Each breaks one connection off. */
  readonly connections: Set<() => void>;
}

/** A network of its own: the ports that processes listen on. A sandbox has one; the host has one. */
export class NetworkNamespace {
  readonly #listeners = new Map<number, Listener>();

  /**
   * Takes connections on a port.
   *
   * @returns what closes the port and breaks its connections off
   * @throws Error when the port is taken
   */
  listen(port: number, server: Server): () => void {
    if (this.#listeners.has(port)) {
      throw new Error(`listen tcp :${port}: bind: address already in use (EADDRINUSE)`);
    }
    const listener: Listener = { server, connections: new Set() };
    this.#listeners.set(port, listener);
    return () => {
      if (this.#listeners.get(port) !== listener) return;
      this.#listeners.delete(port);
      for (const breakOff of [...listener.connections]) breakOff();
    };
  }

  listenerOn(port: number): Listener | undefined {
    return this.#listeners.get(port);
  }
}
