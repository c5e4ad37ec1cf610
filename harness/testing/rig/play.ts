import type { Cluster } from '../../cluster/cluster.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { Process } from '../../cluster/process.ts';
import { drawTimeline } from '../../drawing/timeline.ts';
import type { Fault } from '../../faults/index.ts';
import type { Run } from '../holds.ts';
import { noteTimeline } from '../property.ts';

/** What a scenario consists of: after a while a fault strikes, or something is done in the cluster. */
export type Step<Action extends object> = { readonly afterMs: number } & (
  | { readonly strike: Fault }
  | Action
);

/** How a scenario is played: everything in it that is a kata's own. */
export interface Play<Action extends object> {
  readonly cluster: Cluster;
  /** What happens before the component is there. @defaultValue nothing */
  readonly before?: readonly Step<Action>[];
  /** Runs the component that is put to the test, and what it needs beside it. */
  start(): Process | Promise<Process>;
  /** What happens then, one step after the other. */
  readonly steps: readonly Step<Action>[];
  /** Does what a step says, unless it is a fault. */
  act(action: Action): Promise<void>;
  /** Lets time pass between steps. @defaultValue `cluster.runFor` */
  pass?(ms: number): Promise<unknown>;
  /**
   * After how many writes, of the whole cluster, there is nothing new to be seen: steps that are left are not taken then, and the
   * end is not waited for. A component that writes without end would cost minutes.
   *
   * @defaultValue however many
   */
  readonly writesMax?: number;
  /** Ends what would go on for ever, when the faults have ended. @defaultValue nothing */
  calmDown?(): void | Promise<void>;
  /**
   * Waits until all is in order.
   *
   * @returns since when it has been, in virtual ms; `undefined` when that never came
   */
  settle(): Promise<number | undefined>;
}

/** When what happened, in virtual ms. */
interface Played {
  readonly process: Process;
  /** When the last fault had ended, the last step was done, and no call hung any more. */
  readonly healedMs: number;
  /** What {@link Play.settle} gave. */
  readonly restedMs: number | undefined;
}

/**
 * Plays a scenario: what is there before, the component, steps and faults; then everything heals, and the component has time to
 * put things in order.
 *
 * @throws what the component rejected with, if it gave up by itself
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

/** What every run in a cluster leaves behind, for laws to be read off. */
export interface ClusterRun extends Run {
  /** Every write of the cluster. */
  readonly journal: readonly JournalEntry[];
  /** From virtual ms since the cluster began to ms since 1970. */
  readonly epochMs: number;
}

/** Shows the timeline of this cluster if the example that runs now fails. */
export function noteCluster({ trace }: Pick<Cluster, 'trace'>): void {
  noteTimeline(() => drawTimeline(trace.entries));
}

/** What there is to say of a cluster by now. What happens later is not in it. */
export function recordOf({ clock, journal, sim, trace }: Cluster): ClusterRun {
  const happened = [...trace.entries];
  return {
    journal: [...journal.entries],
    epochMs: clock.now() - sim.elapsedMs,
    hash: trace.hash(),
    timeline: () => drawTimeline(happened),
  };
}
