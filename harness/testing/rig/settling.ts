import type { Cluster } from '../../cluster/cluster.ts';
import type { JournalEntry } from '../../cluster/journal.ts';

/**
 * Remembers the answer to a question about storage for as long as nothing is written, because it is asked after each thing that
 * happens.
 *
 * @param also what else the answer depends on, as text
 */
export function perRevision<T>({ storage }: Cluster, ask: () => T, also: () => string = () => ''): () => T {
  let asked: { readonly at: string; readonly answer: T } | undefined;
  return () => {
    const at = `${storage.revision} ${also()}`;
    if (asked?.at !== at) asked = { at, answer: ask() };
    return asked.answer;
  };
}

/** How long it is waited for silence. */
interface SilenceWait {
  /** How long nothing must have been written. */
  readonly forMs: number;
  /** When a component that writes again and again is not waited for any longer. */
  readonly withinMs: number;
  /** After how many writes since the cluster began it is not waited for any longer. @defaultValue however many */
  readonly writesMax?: number;
  /** Which writes break a silence. */
  readonly isHeard: (entry: JournalEntry) => boolean;
}

/**
 * Lets time pass until nothing has been written for a while, from now on.
 *
 * @returns when the last write was, or 0 when there was none; `undefined` when there was no silence
 */
export async function untilSilent(cluster: Cluster, wait: SilenceWait): Promise<number | undefined> {
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
