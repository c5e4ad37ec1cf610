import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { type JournalEntry, momentsOf } from '../../cluster/journal.ts';
import type { Breach, Law } from '../holds.ts';

/**
 * The oracle of a kata: what a component still owes in a scene, each in words that follow "has still to" and "did not":
 * `scale web-5d7 to 3`, `say updatedReplicas: 2`. It is a pure function of what the API promises, and shares no code with a
 * reference. What is due later by the clock is not owed yet: a scene has its time.
 */
export type Dues<S> = (scene: S) => readonly string[];

/**
 * At rest: in the end nothing is owed.
 *
 * @param end the last scene of a run, and when that was, in virtual ms
 */
export function owesNothing<R, S>(
  dues: Dues<S>,
  end: (run: R) => { readonly atMs: number; readonly scene: S },
): Law<R> {
  return (run) => {
    const { atMs, scene } = end(run);
    return dues(scene).map((due): Breach => ({ atMs, message: `it has still to ${due}, and will not` }));
  };
}

/** A time in which nothing was written, and what there was. */
export interface Silence {
  readonly fromMs: number;
  /** When something was written again, or the run was over. */
  readonly toMs: number;
  /** What there was, by `namespace/name`. It is the same map each time, brought up to date: copy what you keep. */
  objects<T extends KubeObject>(resource: Resource<T>): ReadonlyMap<string, T>;
}

/** Where to look for silences. */
interface SilenceOptions {
  /** Only silences that are longer. */
  readonly longerThanMs: number;
  /** Only silences that end after this: faults before it may still have their effect. */
  readonly sinceMs: number;
  /** When the run was over. */
  readonly endMs: number;
  /** Does this write break a silence? @defaultValue every write does */
  readonly isHeard?: (entry: JournalEntry) => boolean;
}

/** The silences in a journal, oldest first. */
export function* silencesIn(
  journal: readonly JournalEntry[],
  { longerThanMs, sinceMs, endMs, isHeard = () => true }: SilenceOptions,
): Generator<Silence> {
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
 * Prompt: whenever nothing happens, nothing is owed that was due `withinMs` before. A component that has lost a wakeup or
 * swallowed an error owes it from then on.
 *
 * @param silences the silences of a run that are longer than `withinMs`
 * @param sceneAt the scene of a silence at a moment in it
 */
export function isPrompt<R, S>(
  dues: Dues<S>,
  withinMs: number,
  silences: (run: R) => Iterable<Silence>,
  sceneAt: (silence: Silence, nowMs: number, run: R) => S,
): Law<R> {
  return (run) => {
    const breaches: Breach[] = [];
    for (const silence of silences(run)) {
      const { fromMs, toMs } = silence;
      for (const due of dues(sceneAt(silence, toMs - withinMs, run))) {
        const forMs = Math.round(toMs - fromMs);
        breaches.push({ atMs: toMs, message: `nothing happened for ${forMs} ms, and it did not ${due}` });
      }
    }
    return breaches;
  };
}
