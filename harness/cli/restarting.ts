import type { Cluster } from '../cluster/cluster.ts';
import type { Process } from '../cluster/process.ts';

/** Delay before a failed process restarts, in virtual ms: the kubelet's first restart back-off. */
const RESTART_MS = 10_000;

/** Interval between checks for failed processes, in virtual ms. */
const LOOK_MS = 1_000;

interface RestartingOptions {
  /** Called with a sentence about each process that gave up. */
  readonly tell: (line: string) => void;
  /** Renders the error. @defaultValue the whole stack */
  readonly describe?: ((error: unknown) => string) | undefined;
}

/** Restarts the processes of a cluster that gave up, as the kubelet of a control plane node does. */
export function restarting(
  cluster: Cluster,
  processes: readonly Process[],
  { tell, describe = stackOf }: RestartingOptions,
): void {
  /** The number of the last start that was reported as failed, by process. */
  const told = new Map<Process, number>();
  cluster.sim.every(LOOK_MS, () => {
    for (const process of processes) {
      const { name, failure, running, starts } = process;
      if (running || failure === undefined || told.get(process) === starts) continue;
      told.set(process, starts);
      tell(`The ${name} gave up and restarts in ${RESTART_MS / 1_000} s: ${describe(failure)}`);
      cluster.sim.schedule(RESTART_MS, name, 'restart', () => process.start());
    }
  });
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
