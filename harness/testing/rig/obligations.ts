import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { type JournalEntry, momentsOf } from '../../cluster/journal.ts';
import type { Law, Violation } from '../holds.ts';

/**
 * The oracle of a kata: the pending obligations of a component in a snapshot. Each is a phrase that follows "has still
 * to" and "did not": `scale web-5d7 to 3`, `say updatedReplicas: 2`. It is a pure function of the API's promises, and
 * shares no code with a reference. A snapshot has a time, and obligations that are due later are not pending yet.
 */
export type Obligations<S> = (snapshot: S) => readonly string[];

/**
 * The law *At rest*: at the end no obligation is pending.
 *
 * @param end the last snapshot of a run, and its time in virtual ms
 */
export function owesNothing<R, S>(
  obligations: Obligations<S>,
  end: (run: R) => { readonly atMs: number; readonly snapshot: S },
): Law<R> {
  return (run) => {
    const { atMs, snapshot } = end(run);
    return obligations(snapshot).map(
      (due): Violation => ({ atMs, message: `it has still to ${due}, and will not` }),
    );
  };
}

/** A quiescent period: a time without writes, and the objects that exist in it. */
export interface QuietPeriod {
  readonly fromMs: number;
  /** The time of the next write, or the end of the run. */
  readonly toMs: number;
  /** The objects by `namespace/name`. The same map each time, updated in place: copy the entries that you keep. */
  objects<T extends KubeObject>(resource: Resource<T>): ReadonlyMap<string, T>;
}

/** The search range for quiescent periods. */
interface QuietPeriodOptions {
  /** The period must be longer than this. */
  readonly longerThanMs: number;
  /** The period must end after this: earlier faults may still have an effect. */
  readonly sinceMs: number;
  /** The end of the run. */
  readonly endMs: number;
  /** Returns whether a write ends a quiescent period. @defaultValue every write does */
  readonly isHeard?: (entry: JournalEntry) => boolean;
}

/** Yields the quiescent periods in a journal, oldest first. */
export function* quietPeriodsIn(
  journal: readonly JournalEntry[],
  { longerThanMs, sinceMs, endMs, isHeard = () => true }: QuietPeriodOptions,
): Generator<QuietPeriod> {
  const heard = journal.filter(isHeard);
  let next = 0;
  let fromMs = 0;
  for (const { entry, objects } of momentsOf(journal)) {
    if (entry !== heard[next]) continue;
    fromMs = entry.atMs;
    next++;
    const toMs = heard[next]?.atMs ?? endMs;
    if (toMs - fromMs > longerThanMs && toMs > sinceMs) yield { fromMs, toMs, objects };
  }
}

/**
 * The law *Prompt*: in a quiescent period no obligation is pending that was due `withinMs` before. A component that has
 * lost a wakeup or swallowed an error violates it from then on.
 *
 * @param silences the quiescent periods of a run that are longer than `withinMs`
 * @param snapshotAt returns the snapshot at a time in such a period
 */
export function isPrompt<R, S>(
  obligations: Obligations<S>,
  withinMs: number,
  quietPeriods: (run: R) => Iterable<QuietPeriod>,
  snapshotAt: (quietPeriod: QuietPeriod, nowMs: number, run: R) => S,
): Law<R> {
  return (run) => {
    const violations: Violation[] = [];
    for (const quietPeriod of quietPeriods(run)) {
      const { fromMs, toMs } = quietPeriod;
      for (const due of obligations(snapshotAt(quietPeriod, toMs - withinMs, run))) {
        const forMs = Math.round(toMs - fromMs);
        violations.push({ atMs: toMs, message: `nothing happened for ${forMs} ms, and it did not ${due}` });
      }
    }
    return violations;
  };
}
