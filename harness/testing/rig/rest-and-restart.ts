import type { Cluster } from '../../cluster/cluster.ts';

/**
 * Lets a cluster rest, restarts processes, and lets it rest again. A component that works without need shows it then:
 * in the first rest by writes, in the second by writes that only an empty memory explains.
 *
 * @param restMs the length of each rest, in virtual ms
 */
export async function restAndRestart(
  cluster: Cluster,
  { processes, restMs }: { readonly processes: readonly string[]; readonly restMs: number },
): Promise<void> {
  await cluster.runFor(restMs);
  for (const process of processes) {
    cluster.nemesis.strike({ fault: 'crash', process, skip: 0, performed: true, restartAfterMs: 50 });
    // It crashes at its next request: a closed watch makes it send one.
    cluster.nemesis.strike({ fault: 'cut-watches', process });
  }
  await cluster.runFor(restMs);
}
