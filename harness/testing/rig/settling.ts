import type { Cluster } from '../../cluster/cluster.ts';
import type { JournalEntry } from '../../cluster/journal.ts';

/**
 * Caches the answer to a question about storage until the next write, because callers ask after every event.
 *
 * @param also returns any further dependency of the answer, as text
 */
export function perRevision<T>({ storage }: Cluster, ask: () => T, also: () => string = () => ''): () => T {
  let asked: { readonly at: string; readonly answer: T } | undefined;
  return () => {
    const at = `${storage.revision} ${also()}`;
    if (asked?.at !== at) asked = { at, answer: ask() };
    return asked.answer;
  };
}

/** Options of {@link untilSilent}. */
interface QuietWait {
  /** Required time without a write. */
  readonly forMs: number;
  /** Time limit for a component that keeps writing. */
  readonly withinMs: number;
  /** Limit on the number of writes since the cluster began. @defaultValue no limit */
  readonly writesMax?: number;
  /** Returns whether a write counts. */
  readonly isHeard: (entry: JournalEntry) => boolean;
}

/**
 * Lets time pass until no write has happened for a while, from now on.
 *
 * @returns the time of the last write, or 0 without a write; `undefined` if the cluster did not become quiescent
 */
export async function untilQuiet(cluster: Cluster, wait: QuietWait): Promise<number | undefined> {
  const { forMs, withinMs, writesMax = Number.POSITIVE_INFINITY, isHeard } = wait;
  const { sim, journal } = cluster;
  const untilMs = sim.elapsedMs + withinMs;
  const lastMs = (): number => journal.entries.findLast(isHeard)?.atMs ?? 0;
  let silentMs = sim.elapsedMs + forMs;
  while (sim.elapsedMs < silentMs && sim.elapsedMs < untilMs) {
    const passMs = Math.min(silentMs, untilMs) - sim.elapsedMs;
    if (await cluster.runUntil(() => journal.entries.length > writesMax, passMs)) return undefined;
    silentMs = Math.max(silentMs, lastMs() + forMs);
  }
  return sim.elapsedMs < silentMs ? undefined : lastMs();
}
