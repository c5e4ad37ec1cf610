import type { Cluster } from '../../cluster/cluster.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { Process } from '../../cluster/process.ts';
import { drawTimeline } from '../../drawing/timeline.ts';
import type { Fault } from '../../faults/index.ts';
import type { Run } from '../holds.ts';
import { noteTimeline } from '../property.ts';

/** A step of a scenario: after a pause, a fault strikes or an operation runs. */
export type Step<Action extends object> = { readonly afterMs: number } & (
  | { readonly strike: Fault }
  | Action
);

/** Options of {@link play}: the parts of a scenario that depend on the kata. */
export interface Play<Action extends object> {
  readonly cluster: Cluster;
  /** Steps before the component starts. @defaultValue none */
  readonly before?: readonly Step<Action>[];
  /** Starts the component under test, and the components that it needs. */
  start(): Process | Promise<Process>;
  /** Steps after the start, one after the other. */
  readonly steps: readonly Step<Action>[];
  /** Performs the operation of a step that is not a fault. */
  act(action: Action): Promise<void>;
  /** Lets time pass between steps. @defaultValue `cluster.runFor` */
  pass?(ms: number): Promise<unknown>;
  /**
   * Maximum number of writes of the whole cluster. After that, the remaining steps are skipped and the end is not
   * awaited. A component that writes without end would cost minutes.
   *
   * @defaultValue no limit
   */
  readonly writesMax?: number;
  /** Stops endless activity once the faults have ended. @defaultValue does nothing */
  calmDown?(): void | Promise<void>;
  /**
   * Waits until the component has settled.
   *
   * @returns the time since when it has been settled, in virtual ms; `undefined` if it never settled
   */
  settle(): Promise<number | undefined>;
}

/** The times of a run, in virtual ms. */
interface Played {
  readonly process: Process;
  /** The time when the last fault had ended, the last step was complete, and no call hung any more. */
  readonly healedMs: number;
  /** The result of {@link Play.settle}. */
  readonly restedMs: number | undefined;
}

/**
 * Plays a scenario: the preparation, the component, steps and faults. Then all faults end, and the component has time
 * to settle.
 *
 * @throws the error of the component, if it gave up by itself
 */
export async function play<Action extends object>(scenario: Play<Action>): Promise<Played> {
  const { cluster, before = [], steps, writesMax = Number.POSITIVE_INFINITY } = scenario;
  const { journal, nemesis, sim } = cluster;
  const isEnough = (): boolean => journal.entries.length > writesMax;
  const { pass = (ms) => cluster.runUntil(isEnough, ms) } = scenario;
  const take = async (step: Step<Action>): Promise<void> => {
    await pass(step.afterMs);
    if ('strike' in step) nemesis.strike(step.strike);
    else await scenario.act(step);
  };
  for (const step of before) await take(step);
  const process = await scenario.start();
  for (const step of steps) if (!isEnough()) await take(step);
  nemesis.heal();
  await cluster.runFor(Math.max(0, nemesis.lastErrorMs - sim.elapsedMs));
  const healedMs = sim.elapsedMs;
  await scenario.calmDown?.();
  const restedMs = isEnough() ? undefined : await scenario.settle();
  if (process.failure !== undefined) throw process.failure;
  return { process, healedMs, restedMs };
}

/** The record of a run in a cluster, for the laws. */
export interface ClusterRun extends Run {
  /** Every write of the cluster. */
  readonly journal: readonly JournalEntry[];
  /** Offset from virtual ms since the cluster began to ms since 1970. */
  readonly epochMs: number;
}

/** Shows the timeline of this cluster if the example that runs now fails. */
export function noteCluster({ trace }: Pick<Cluster, 'trace'>): void {
  noteTimeline(() => drawTimeline(trace.entries));
}

/** Returns a record of the cluster so far. Later events are not in it. */
export function recordOf({ clock, journal, sim, trace }: Cluster): ClusterRun {
  const happened = [...trace.entries];
  return {
    journal: [...journal.entries],
    epochMs: clock.now() - sim.elapsedMs,
    hash: trace.hash(),
    timeline: () => drawTimeline(happened),
  };
}
