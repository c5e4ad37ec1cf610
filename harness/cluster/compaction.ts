import type { Storage } from '../apiserver/storage/storage.ts';
import type { Simulation } from '../sim/index.ts';
import type { Journal } from './journal.ts';

interface CompactionOptions {
  readonly storage: Storage;
  readonly intervalMs: number;
  /** The journal that forgets its entries together with storage. @defaultValue none: the journal keeps every entry */
  readonly journal?: Journal | undefined;
}

/**
 * Compacts storage periodically. A client that returns within one interval can resume; a client that returns after two
 * cannot. If the journal forgets, so does the trace.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/compact.go compactor
 */
export function compactEvery(sim: Simulation, { storage, intervalMs, journal }: CompactionOptions): void {
  let revision = 0;
  let sinceMs = 0;
  sim.every(intervalMs, () => {
    storage.compact(revision);
    if (journal) {
      journal.forget(revision);
      sim.trace.forget(sinceMs);
    }
    revision = storage.revision;
    sinceMs = sim.elapsedMs;
  });
}
