import type { Cluster } from '../cluster/cluster.ts';

/**
 * Writes of one object per virtual second that count as a loop. A Deployment that rolls out causes about five, a loop
 * some 400.
 */
const WRITES_MAX = 50;

const WINDOW_MS = 1_000;

/**
 * Reports each process that keeps writing one object because every write triggers the next one. Such a loop slows
 * everything down and has no other symptom.
 */
export function tellingHotWrites(cluster: Cluster, tell: (line: string) => void): void {
  const told = new Set<string>();
  let { revision } = cluster.storage;
  cluster.sim.every(WINDOW_MS, () => {
    const { entries } = cluster.journal;
    const counts = new Map<string, number>();
    for (let i = entries.length - 1; i >= 0; i--) {
      const entry = entries[i];
      if (!entry || entry.revision <= revision) break;
      const what = `The ${entry.actor} writes ${entry.resource.plural}/${entry.key}`;
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
    revision = cluster.storage.revision;
    for (const [what, times] of counts) {
      if (times <= WRITES_MAX || told.has(what)) continue;
      told.add(what);
      tell(`${what} again and again: ${times} times within a second. Does each write trigger the next one?`);
    }
  });
}
