import type { ApiServer } from '../apiserver/apiserver.ts';
import type { ReplicaTarget } from '../faults/index.ts';

/** One apiserver replica, as a target of faults. Faults can overlap, and each must end separately. */
export class Replica implements ReplicaTarget {
  readonly server: ApiServer;
  #holds = 0;
  #outages = 0;

  constructor(server: ApiServer) {
    this.server = server;
  }

  get up(): boolean {
    return this.#outages === 0;
  }

  hold(): void {
    this.#holds++;
    this.server.cache.hold();
  }

  release(): void {
    if (--this.#holds === 0) this.server.cache.release();
  }

  goDown(): void {
    this.#outages++;
    this.server.cache.endWatches();
  }

  comeBack(): void {
    this.#outages--;
  }
}
