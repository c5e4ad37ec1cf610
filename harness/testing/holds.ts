import fc from 'fast-check';
import { noteTimeline } from './property.ts';
import { takingTurns } from './turns.ts';

/** Where a law is broken, in words. */
export interface Breach {
  readonly atMs: number;
  readonly message: string;
}

/** What a simulation leaves behind, as far as {@link holds} needs to know. */
export interface Run {
  /** Equal for equal runs. */
  readonly hash: string;
  timeline(): readonly string[];
}

/** Runs each scenario once, however many laws are checked on it. */
export type Simulate<S, R extends Run> = (scenario: S) => Promise<R>;

/** How many seeds' runs are remembered: all laws of one, but not all seeds of a long soak. */
const SEEDS_REMEMBERED = 2;

/**
 * Of how many implementations runs are remembered: of those that were run last. A judge runs dozens, one after the other, and
 * what they left would fill the memory.
 */
const IMPLEMENTATIONS_REMEMBERED = 2;

const remembered: Map<string, unknown>[] = [];

/** After so many runs everybody else has a turn. */
const RUNS_PER_TURN = 50;

/** Of so many scenarios, a second run must be the same as the first. */
const REPEATED_RUNS = 3;

/** A law was broken. The message lists where. */
export class LawBroken extends Error {
  override readonly name = 'LawBroken';
}

/** The same scenario ran twice and went differently: something looked at the real time, or at real chance. */
export class NotDeterministic extends Error {
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
    const run = runs.size < REPEATED_RUNS ? twice(simulate, scenario) : simulate(scenario);
    runs.set(key, run);
    const { numRuns = 100 } = fc.readConfigureGlobal();
    const [oldest] = runs.keys();
    if (runs.size > SEEDS_REMEMBERED * numRuns && oldest !== undefined) runs.delete(oldest);
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

async function twice<S, R extends Run>(simulate: Simulate<S, R>, scenario: S): Promise<R> {
  const first = await simulate(scenario);
  const second = await simulate(scenario);
  if (first.hash === second.hash) return first;
  throw new NotDeterministic(
    'The same scenario ran twice and went differently. Something here looks at the real clock, at Math.random, ' +
      'or at what an earlier run left behind: take time from `clock`, chance from `random`, and keep state in objects.',
  );
}

/**
 * Asserts that a law holds over generated scenarios. A red names the law's breaches, the smallest scenario that
 * breaks it, and the timeline around the first breach.
 *
 * @param options.numRuns for scenarios that are much bigger than most. @defaultValue what all properties have
 * @throws LawBroken
 */
export async function holds<S, R extends Run>(
  law: (run: R) => readonly Breach[],
  scenarios: fc.Arbitrary<S>,
  simulate: Simulate<S, R>,
  options: { readonly numRuns?: number } = {},
): Promise<void> {
  // Runs that are remembered take no turn of the event loop: thousands of them would look like a loop.
  const turn = takingTurns(RUNS_PER_TURN);
  await fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      await turn();
      const run = await simulate(scenario);
      noteTimeline(() => run.timeline());
      const [first, ...more] = law(run);
      if (!first) return;
      noteTimeline(() => marked(run.timeline(), first));
      const others = more.length > 0 ? ` (and ${more.length} more)` : '';
      throw new LawBroken(`at ${first.atMs} ms: ${first.message}${others}`);
    }),
    options,
  );
}

/** The timeline with the breach in its place, marked for the reporter. */
function marked(lines: readonly string[], { atMs, message }: Breach): readonly string[] {
  const before = lines.filter((line) => timeOf(line) <= atMs).length;
  return [...lines.slice(0, before), `✗ ${message}`, ...lines.slice(before)];
}

function timeOf(line: string): number {
  const [, ms] = /t=\s*([\d.]+)\s*ms/.exec(line) ?? [];
  return ms === undefined ? Number.POSITIVE_INFINITY : Number(ms);
}
