import type { Storage } from '../apiserver/storage/storage.ts';
import type { Simulation } from '../sim/index.ts';
import type { Journal } from './journal.ts';

interface CompactionOptions {
  readonly storage: Storage;
  readonly intervalMs: number;
  /** What forgets its entries when storage does. @defaultValue none: all of it is kept */
  readonly journal?: Journal | undefined;
}

/**
 * Forgets old revisions again and again. A client that comes back within one interval finds everything, and one that comes after two,
 * nothing. If the journal forgets, so does the trace.
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
