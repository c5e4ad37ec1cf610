import fc from 'fast-check';
import { Caught } from '../contracts/caught.ts';
import { NotImplemented } from '../contracts/todo.ts';
import { defaultRuns, noteTimeline, onRoad, replayedInput } from './property.ts';
import { takingTurns } from './turns.ts';
import { noting } from './under-way.ts';

/** Where a law is broken, in words. */
export interface Breach {
  readonly atMs: number;
  readonly message: string;
  /** The name of the object at fault, `web-1`: the timeline shows every row about it. @defaultValue the rows near the breach */
  readonly object?: string;
}

/** What a simulation leaves behind, as far as {@link holds} needs to know. */
export interface Run {
  /** Equal for equal runs. */
  readonly hash: string;
  timeline(): readonly string[];
}

/** A law: a pure function of a run, which says where the law is broken. */
export interface Law<R> {
  (run: R): readonly Breach[];
  /** What must have happened in some run for the law to say anything; absent for a law about every run. */
  readonly situation?: Situation<R>;
}

/** What a law speaks of. */
interface Situation<R> {
  /** As the end of a sentence that begins with "There was never": `a roll-out that was undone`. */
  readonly name: string;
  isMet(run: R): boolean;
  /**
   * What was to lead to it in this run, and did not: an ADD that failed. Of a situation that never came the first of these is told, so that
   * a component of which nothing ever succeeds says why. @defaultValue nothing
   */
  inVain?(run: R): Breach | undefined;
}

/** A law that is red, too, when its situation never came: a law that had nothing to look at has shown nothing. */
export function lawAbout<R>(situation: Situation<R>, law: (run: R) => readonly Breach[]): Law<R> {
  return Object.assign((run: R) => law(run), { situation });
}

/**
 * One kind of life, and how often it is lived. What only a rare life shows needs a road of its own: drawn among all others,
 * it would come too seldom, and on some seeds never.
 */
export interface Road<S> {
  /** As a reader would call it: `a collision of names`. */
  readonly name: string;
  readonly scenarios: fc.Arbitrary<S>;
  /** Of every 100 runs of a property. @defaultValue 6 */
  readonly runs?: number;
}

/** Runs each scenario once, however many laws are checked on it. */
type Simulate<S, R extends Run> = (scenario: S) => Promise<R>;

/** How many runs are remembered, as a multiple of what a property has: those of all roads, but not of a long soak. */
const RUNS_REMEMBERED = 5;

/**
 * Of how many implementations runs are remembered: of the one that was run last. A judge runs dozens, one after the other, and
 * what they left would fill the memory.
 */
const IMPLEMENTATIONS_REMEMBERED = 1;

const remembered: Map<string, unknown>[] = [];

/** What was caught in runs that are remembered: another law may be the one that is red. */
const caughtIn = new WeakMap<object, Caught>();

/** After so many runs other tasks have a turn. */
const RUNS_PER_TURN = 50;

/** Of so many scenarios, a second run must be the same as the first. */
const REPEATED_RUNS = 3;

/** A law was broken. The message lists where. */
export class LawBroken extends Error {
  override readonly name = 'LawBroken';
}

/** No run led to the situation that a law checks: the law has shown nothing. */
class NotMet extends Error {
  override readonly name = 'NotMet';

  constructor(situation: string, inVain?: Breach) {
    const tried = inVain
      ? ` One scenario was meant to lead to it, but at ${inVain.atMs} ms: ${inVain.message}`
      : '';
    super(
      `No scenario led to the situation that this law checks: ${situation}. The law can hold only when that happens.${tried}`,
    );
  }
}

/** The same scenario ran twice and went differently: something looked at the real time, or at real chance. */
class NotDeterministic extends Error {
  override readonly name = 'NotDeterministic';
}

/**
 * Lets all laws of a kata share their runs: a scenario that one law has run is not run again for the next. The
 * first scenarios are run twice, and must go the same way both times.
 *
 * Call it once in a test file, so that what is remembered belongs to the implementation under test.
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
    // Each law is to meet the function that is not written yet itself.
    run.catch((error: unknown) => error instanceof NotImplemented && runs.delete(key));
    const { numRuns = 100 } = fc.readConfigureGlobal();
    const [oldest] = runs.keys();
    if (runs.size > RUNS_REMEMBERED * numRuns && oldest !== undefined) runs.delete(oldest);
    return run;
  };
}

/** Makes these runs the newest to be remembered, and forgets those that were used the longest ago. */
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
 * Asserts that a law holds over generated scenarios. A red names the law's breaches, the smallest scenario that
 * breaks it, and the timeline around the first breach.
 *
 * @param scenarios lives of any kind; or several roads, each of which is gone as often as it says
 * @param options.numRuns for scenarios that are much bigger than most. @defaultValue what all properties have
 * @throws LawBroken; NotMet when the law's situation never came in as many runs as usual, or more
 */
export async function holds<S, R extends Run>(
  law: Law<R>,
  scenarios: fc.Arbitrary<S> | readonly Road<S>[],
  simulate: Simulate<S, R>,
  options: { readonly numRuns?: number } = {},
): Promise<void> {
  const { numRuns = 100 } = fc.readConfigureGlobal();
  const turn = takingTurns(RUNS_PER_TURN);
  let met = law.situation === undefined;
  let tried: { readonly run: R; readonly inVain: Breach } | undefined;
  const property = (road: fc.Arbitrary<S>, name: string | undefined, parameters: { numRuns?: number }) =>
    fc.assert(
      fc.asyncProperty(road, async (scenario) => {
        // Runs that are remembered take no turn of the event loop: thousands of them would look like a loop.
        await turn();
        const run = await simulate(scenario);
        noteTimeline(() => run.timeline());
        Caught.current = caughtIn.get(run) ?? Caught.current;
        met ||= law.situation?.isMet(run) ?? true;
        const inVain = met || tried ? undefined : law.situation?.inVain?.(run);
        if (inVain) tried = { run, inVain };
        const [first, ...more] = law(run);
        if (!first) return;
        noteTimeline(() => marked(run.timeline(), first), first.object);
        const where = name === undefined ? 'At' : `Scenario "${name}", at`;
        const others = more.length > 0 ? ` (and ${more.length} more)` : '';
        throw new LawBroken(`${where} ${first.atMs} ms: ${first.message}${others}`);
      }),
      parameters,
    );
  if (isRoads(scenarios)) {
    const wanted = replayedInput()?.road;
    for (const { name, scenarios: road, runs = 6 } of scenarios) {
      if (wanted !== undefined && wanted !== name) continue;
      await onRoad(name, () => property(road, name, { numRuns: Math.ceil((runs * numRuns) / 100) }));
    }
  } else await property(scenarios, undefined, replayedInput() ? {} : options);
  // Fewer runs than usual show less than usual: that is what was asked for.
  if (met || numRuns < defaultRuns) return;
  if (tried) {
    const { run, inVain } = tried;
    noteTimeline(() => marked(run.timeline(), inVain), inVain.object);
    Caught.current = caughtIn.get(run) ?? Caught.current;
  }
  throw new NotMet(law.situation?.name ?? '', tried?.inVain);
}

function isRoads<S>(scenarios: fc.Arbitrary<S> | readonly Road<S>[]): scenarios is readonly Road<S>[] {
  return Array.isArray(scenarios);
}

/** The timeline with the breach in its place, marked for the reporter. */
function marked(lines: readonly string[], { atMs, message }: Breach): readonly string[] {
  const before = lines.filter((line) => timeOf(line) <= atMs).length;
  // The reasons stand above the timeline.
  const [headline = ''] = message.split('\n');
  return [...lines.slice(0, before), `✗ ${headline}`, ...lines.slice(before)];
}

function timeOf(line: string): number {
  const [, ms] = /t=\s*([\d.]+)\s*ms/.exec(line) ?? [];
  return ms === undefined ? Number.POSITIVE_INFINITY : Number(ms);
}
