import fc from 'fast-check';
import { Caught } from '../contracts/caught.ts';
import { NotImplemented } from '../contracts/todo.ts';
import { defaultRuns, noteTimeline, onWorkload, replayedInput } from './property.ts';
import { takingTurns } from './turns.ts';
import { noting } from './under-way.ts';
import type { Violation } from './violation.ts';

export type { Violation } from './violation.ts';

/** The result of a simulation, as far as {@link holds} needs it. */
export interface Run {
  /** Equal for equal runs. */
  readonly hash: string;
  timeline(): readonly string[];
}

/** A law: a pure function of a run that returns the violations. */
export interface Law<R> {
  (run: R): readonly Violation[];
  /** The situation that some run must reach before the law can hold; absent for a law about every run. */
  readonly situation?: Situation<R>;
}

/** A situation that a law is about. */
interface Situation<R> {
  /** A noun phrase, as in "No scenario led to the situation that this law checks: …": `a roll-out that was undone`. */
  readonly name: string;
  isMet(run: R): boolean;
  /**
   * Returns a failed attempt in this run to reach the situation, such as a failed ADD. If no run reaches the situation,
   * the first failed attempt is reported, so that a component whose operations all fail shows the reason. @defaultValue
   * no attempt
   */
  inVain?(run: R): Violation | undefined;
}

/** Creates a law that also fails if no run reached its situation: a law without a case to check has shown nothing. */
export function lawAbout<R>(situation: Situation<R>, law: (run: R) => readonly Violation[]): Law<R> {
  return Object.assign((run: R) => law(run), { situation });
}

/**
 * A scenario class, with its number of runs. Behaviour that only rare scenarios show needs a separate class: among
 * all scenarios, it would occur too seldom, and on some seeds never.
 */
export interface Workload<S> {
  /** The name of the class for readers: `a collision of names`. */
  readonly name: string;
  readonly scenarios: fc.Arbitrary<S>;
  /** Number of runs per 100 runs of a property. @defaultValue 6 */
  readonly runs?: number;
}

/** Runs each scenario once, however many laws check it. */
type Simulate<S, R extends Run> = (scenario: S) => Promise<R>;

/**
 * Number of remembered runs, as a multiple of a property's runs: enough for all scenario classes, but not for a long
 * soak.
 */
const RUNS_REMEMBERED = 5;

/**
 * Number of implementations whose runs are remembered: only the last one. A judge runs dozens, one after the other, and
 * their runs would fill the memory.
 */
const IMPLEMENTATIONS_REMEMBERED = 1;

const remembered: Map<string, unknown>[] = [];

/** The errors caught in remembered runs: another law may fail over the same run. */
const caughtIn = new WeakMap<object, Caught>();

/** Other tasks get a turn after this number of runs. */
const RUNS_PER_TURN = 50;

/** Number of scenarios that run twice, with equal results. */
const REPEATED_RUNS = 3;

/** A law is violated. The message lists the violations. */
export class LawBroken extends Error {
  override readonly name = 'LawBroken';
}

/** No run reached the situation of a law, so the law has shown nothing. */
class NotMet extends Error {
  override readonly name = 'NotMet';

  constructor(situation: string, inVain?: Violation) {
    const tried = inVain
      ? ` One scenario was meant to lead to it, but at ${inVain.atMs} ms: ${inVain.message}`
      : '';
    super(
      `No scenario led to the situation that this law checks: ${situation}. The law can hold only when that happens.${tried}`,
    );
  }
}

/** The same scenario ran twice with different results: code used the real time or real randomness. */
class NotDeterministic extends Error {
  override readonly name = 'NotDeterministic';
}

/**
 * Lets all laws of a kata share their runs: a scenario that one law has run is not run again for the next. The first
 * scenarios run twice, and both runs must be equal.
 *
 * Call it once in a test file, so that the remembered runs belong to the implementation under test.
 */
export function remembering<S, R extends Run>(simulate: Simulate<S, R>): Simulate<S, R> {
  const runs = new Map<string, Promise<R>>();
  return (scenario) => {
    const key = JSON.stringify(scenario);
    const known = runs.get(key);
    if (known) return known;
    keepOnly(runs);
    const isRepeated = runs.size < REPEATED_RUNS && !replayedInput();
    const run = isRepeated ? twice(simulate, scenario) : once(simulate, scenario);
    runs.set(key, run);
    // Each law must reach the unwritten function itself.
    run.catch((error: unknown) => error instanceof NotImplemented && runs.delete(key));
    const { numRuns = 100 } = fc.readConfigureGlobal();
    const [oldest] = runs.keys();
    if (runs.size > RUNS_REMEMBERED * numRuns && oldest !== undefined) runs.delete(oldest);
    return run;
  };
}

/** Makes these runs the newest remembered ones, and forgets the least recently used. */
function keepOnly(runs: Map<string, unknown>): void {
  if (remembered.at(-1) === runs) return;
  const at = remembered.indexOf(runs);
  if (at >= 0) remembered.splice(at, 1);
  remembered.push(runs);
  while (remembered.length > IMPLEMENTATIONS_REMEMBERED) remembered.shift()?.clear();
}

async function once<S, R extends Run>(simulate: Simulate<S, R>, scenario: S): Promise<R> {
  Caught.current = new Caught();
  const run = await noting(scenario, simulate);
  caughtIn.set(run, Caught.current);
  return run;
}

async function twice<S, R extends Run>(simulate: Simulate<S, R>, scenario: S): Promise<R> {
  const first = await noting(scenario, simulate);
  const second = await once(simulate, scenario);
  if (first.hash === second.hash) return second;
  throw new NotDeterministic(
    'The same scenario ran twice and went differently. Something here looks at the real clock, at Math.random, ' +
      'or at what an earlier run left behind: take time from `clock`, chance from `random`, and keep state in objects.',
  );
}

/**
 * Asserts that a law holds over generated scenarios. A failure shows the violations, the smallest failing scenario, and
 * the timeline around the first violation.
 *
 * @param scenarios any scenarios; or several scenario classes, each with its number of runs
 * @param options.numRuns for scenarios that are much larger than most. With scenario classes, the runs of all classes
 *   together. @defaultValue the runs of all properties
 * @throws LawBroken; NotMet when no run reached the law's situation, with the default number of runs or more
 */
export async function holds<S, R extends Run>(
  law: Law<R>,
  scenarios: fc.Arbitrary<S> | readonly Workload<S>[],
  simulate: Simulate<S, R>,
  options: { readonly numRuns?: number } = {},
): Promise<void> {
  const { numRuns = 100 } = fc.readConfigureGlobal();
  const turn = takingTurns(RUNS_PER_TURN);
  let met = law.situation === undefined;
  let tried: { readonly run: R; readonly inVain: Violation } | undefined;
  const property = (workload: fc.Arbitrary<S>, name: string | undefined, parameters: { numRuns?: number }) =>
    fc.assert(
      fc.asyncProperty(workload, async (scenario) => {
        // Remembered runs take no turn of the event loop: thousands of them would look like a loop.
        await turn();
        const run = await simulate(scenario);
        noteTimeline(() => run.timeline());
        Caught.current = caughtIn.get(run) ?? Caught.current;
        met ||= law.situation?.isMet(run) ?? true;
        const inVain = met || tried ? undefined : law.situation?.inVain?.(run);
        if (inVain) tried = { run, inVain };
        const [first, ...more] = law(run);
        if (!first) return;
        noteTimeline(() => run.timeline(), first);
        const where = name === undefined ? 'At' : `Scenario "${name}", at`;
        const others = more.length > 0 ? ` (and ${more.length} more)` : '';
        throw new LawBroken(`${where} ${first.atMs} ms: ${first.message}${others}`);
      }),
      parameters,
    );
  if (isWorkloads(scenarios)) {
    const wanted = replayedInput()?.workload;
    for (const { name, scenarios: workload, runs = 6 } of scenarios) {
      if (wanted !== undefined && wanted !== name) continue;
      const share = wanted === undefined ? Math.ceil((runs * (options.numRuns ?? numRuns)) / 100) : 1;
      await onWorkload(name, () => property(workload, name, { numRuns: share }));
    }
  } else await property(scenarios, undefined, replayedInput() ? {} : options);
  // The caller requested fewer runs than usual, which may miss the situation.
  if (met || numRuns < defaultRuns) return;
  if (tried) {
    const { run, inVain } = tried;
    noteTimeline(() => run.timeline(), inVain);
    Caught.current = caughtIn.get(run) ?? Caught.current;
  }
  throw new NotMet(law.situation?.name ?? '', tried?.inVain);
}

function isWorkloads<S>(
  scenarios: fc.Arbitrary<S> | readonly Workload<S>[],
): scenarios is readonly Workload<S>[] {
  return Array.isArray(scenarios);
}
