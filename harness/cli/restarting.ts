import type { Cluster } from '../cluster/cluster.ts';
import type { Process } from '../cluster/process.ts';

/** How long a process that gave up is left alone, in virtual ms: what a kubelet waits before it starts a container again. */
const RESTART_MS = 10_000;

/** How often it is looked whether one has. */
const LOOK_MS = 1_000;

interface RestartingOptions {
  /** Told of each that gave up, and why. */
  readonly tell: (line: string) => void;
  /** Says why. @defaultValue the whole stack */
  readonly describe?: ((error: unknown) => string) | undefined;
}

/** Starts processes of a cluster again that gave up, as the kubelet of a control plane would. */
export function restarting(
  cluster: Cluster,
  processes: readonly Process[],
  { tell, describe = stackOf }: RestartingOptions,
): void {
  /** The last start of which it was told that it failed. */
  const told = new Map<Process, number>();
  cluster.sim.every(LOOK_MS, () => {
    for (const process of processes) {
      const { name, failure, running, starts } = process;
      if (running || failure === undefined || told.get(process) === starts) continue;
      told.set(process, starts);
      tell(`The ${name} gave up, and starts again in ${RESTART_MS / 1_000} s: ${describe(failure)}`);
      cluster.sim.schedule(RESTART_MS, name, 'restart', () => process.start());
    }
  });
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
