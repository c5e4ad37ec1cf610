import fc from 'fast-check';
import { Caught, type CaughtError } from '../contracts/caught.ts';

/** The smallest failing input of a property, and how to see it again. */
interface Counterexample {
  /** The input as source text. */
  readonly input: string;
  readonly seed: number;
  readonly runs: number;
  readonly shrinks: number;
  /** fast-check's path to the input before shrinking. With the seed, it generates the same input again. */
  readonly path: string;
  /** The name of the road that generated it, if the law has several. */
  readonly road?: string;
}

/** What is known about the test at hand besides its error. */
export interface Evidence {
  readonly counterexample?: Counterexample;
  /** What happened, a line an event, oldest first. */
  readonly timeline?: readonly string[];
  /** The name of the object at fault: no line of the timeline that speaks of it is hidden. */
  readonly object?: string;
  /** The errors that the component reported or caught; for a property, in the smallest failing run. Absent if there were none. */
  readonly caught?: readonly CaughtError[];
}

/** A property is red with this: the message of the assertion that failed, then the counterexample. */
class PropertyFailed extends Error {
  override readonly name = 'PropertyFailed';

  constructor(cause: unknown, { input, runs, shrinks }: Counterexample) {
    const told = cause instanceof Error ? toldBy(cause) : describeThrown(cause);
    const tries = `found in run ${runs}, made smaller ${shrinks} times`;
    super(`${told}\n\nSmallest failing input (${tries}):\n${indent(input)}`, { cause });
    // What Vitest draws a difference from.
    if (cause instanceof Error && 'expected' in cause && 'actual' in cause) {
      Object.assign(this, { expected: cause.expected, actual: cause.actual, showDiff: true });
    }
    // The frames of the assertion lead to the code under test; those of this constructor lead nowhere.
    const frames = cause instanceof Error ? framesOf(cause) : '';
    this.stack = `${this.name}: ${this.message}\n${frames}`;
  }
}

/** Says of something thrown that is not an Error what it is. */
function describeThrown(thrown: unknown): string {
  return `Something that is not an Error was thrown: ${fc.stringify(thrown)}. Throw an Error: only an Error knows where it came from.`;
}

/** The seed every property starts from, unless `KATA_SEED` says otherwise: the same red twice. */
export const defaultSeed = 20_240;

/** The runs of every property, unless `KATA_RUNS` says otherwise. */
export const defaultRuns = 100;

/** A timeline that is drawn if the test fails. */
interface Noted {
  readonly lines: () => readonly string[];
  readonly object: string | undefined;
}

// Of the run that is going on, and of the last run that failed: after shrinking, that is the smallest one.
let current: Noted | undefined;
let failing: Noted | undefined;
let caughtInFailing = new Caught();
let counterexample: Counterexample | undefined;
/** How often the evidence was reset: each test begins with that. */
let resets = 0;

/**
 * Hands in the timeline of the simulation that has just run. Of a property, the one of the smallest failing
 * run is shown; of an example, the last one.
 *
 * @param lines - draws the timeline, oldest line first; called at most once, and only for a test that failed.
 * A line that begins with `✗` marks the violation: the lines around it are the ones shown.
 * @param object the name of the object at fault: lines that speak of it are shown wherever they stand
 */
export function noteTimeline(lines: () => readonly string[], object?: string): void {
  current = { lines, object };
}

/** Forgets what earlier tests left behind. A property that still goes on in one of them, because the test was given up, stops. */
export function resetEvidence(): void {
  resets++;
  current = failing = counterexample = undefined;
  Caught.current = new Caught();
}

/** The counterexample of the property that failed last, if one has failed since the evidence was reset. */
export function lastCounterexample(): Counterexample | undefined {
  return counterexample;
}

/** What is known about the test that has just failed. */
export function takeEvidence(): Evidence {
  const noted = counterexample ? failing : current;
  const caught = (counterexample ? caughtInFailing : Caught.current).list();
  const evidence: Evidence = {
    ...(counterexample && { counterexample }),
    ...(noted && { timeline: noted.lines() }),
    ...(noted?.object !== undefined && { object: noted.object }),
    ...(caught.length > 0 && { caught }),
  };
  resetEvidence();
  return evidence;
}

/** One input of a seed, as a {@link Counterexample} names it. */
export interface ReplayedInput {
  readonly path: string;
  /** @defaultValue the law has no roads, or each of them gets the input of this path */
  readonly road?: string;
}

/** How the properties that follow are run. */
interface PropertySettings {
  readonly seed: number;
  /** Of each property. A replay has one. */
  readonly runs: number;
  /** Runs this input alone, once, and makes it no smaller. */
  readonly replay?: ReplayedInput;
}

let replayed: ReplayedInput | undefined;

/** The one input that the properties that follow run; undefined if they generate theirs. */
export function replayedInput(): ReplayedInput | undefined {
  return replayed;
}

/** Sets how the properties that follow are run. */
export function configureProperties({ seed, runs, replay }: PropertySettings): void {
  replayed = replay;
  const numRuns = replay ? 1 : runs;
  const settings = { seed, numRuns, path: replay?.path ?? '', endOnFailure: replay !== undefined };
  fc.configureGlobal({ ...fc.readConfigureGlobal(), ...settings });
}

/** The road whose inputs the property at hand runs. */
let road: string | undefined;

/** Names the road whose inputs `check` runs: a counterexample that it finds has this name. */
export async function onRoad(name: string | undefined, check: () => Promise<void>): Promise<void> {
  road = name;
  try {
    await check();
  } finally {
    road = undefined;
  }
}

/**
 * Makes every property of this process replayable, and its failure readable: seeds come from the environment
 * (`KATA_SEED`, `KATA_RUNS`), and a failed assertion throws {@link PropertyFailed}.
 *
 * What fast-check itself has to say, about an arbitrary that cannot generate or too many skipped runs, is left
 * as it is.
 */
export function installProperties(env: NodeJS.ProcessEnv = process.env): void {
  configureProperties({
    seed: integerIn(env, 'KATA_SEED', defaultSeed),
    runs: integerIn(env, 'KATA_RUNS', defaultRuns),
  });
  fc.installGlobalPlugin(() => {
    const mayShrink = shrinkBudget();
    let passed: Promise<null> | null = null;
    const begun = resets;
    return {
      decorateRun: (run) => (value) => {
        // Nothing waits for the rest of a test that was given up; it would disturb those that follow.
        if (resets !== begun) return new Promise(() => {});
        if (!mayShrink()) return passed;
        current = undefined;
        Caught.current = new Caught();
        const outcome = run(value);
        const note = <T>(failure: T): T => {
          if (failure === null || fc.PreconditionFailure.isFailure(failure)) return failure;
          failing = current;
          caughtInFailing = Caught.current;
          mayShrink.spend();
          return failure;
        };
        if (!(outcome instanceof Promise)) return note(outcome);
        passed = Promise.resolve(null);
        return outcome.then(note);
      },
      onAllRunsComplete: (details) => {
        if (!details.failed || details.counterexample === null) return;
        counterexample = {
          input: stringifyInput(details.counterexample),
          seed: details.seed,
          runs: details.numRuns,
          shrinks: details.numShrinks,
          path: details.counterexamplePath?.split(':')[0] ?? '',
          ...(road !== undefined && { road }),
        };
        const thrown = details.errorInstance;
        // These say where to begin, or that the rules were broken: no input makes them clearer.
        if (thrown instanceof Error && thrown.name === 'NotImplemented') throw thrown;
        throw new PropertyFailed(thrown, counterexample);
      },
    };
  });
}

/**
 * Ends shrinking that goes on for too long: a large simulation has many smaller neighbours, and a good
 * counterexample now is better than the best one after the test has timed out.
 */
function shrinkBudget() {
  const attemptsMax = 2_000;
  // Of what the process computes, not of the wall's time: on a machine that is busy inputs become as small.
  const budgetMs = integerIn(process.env, 'KATA_SHRINK_MS', 3_000);
  let failedAtMs: number | undefined;
  let attempts = 0;
  return Object.assign(
    () => failedAtMs === undefined || (++attempts <= attemptsMax && computedMs() - failedAtMs < budgetMs),
    {
      spend: () => {
        failedAtMs ??= computedMs();
      },
    },
  );
}

function computedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The generated values, in their own words if they have any: whole. Else as source text over lines, of which 24 are kept. */
function stringifyInput(values: unknown): string {
  const linesMax = 24;
  const [only, ...more] = values as unknown[];
  if (more.length === 0 && fc.hasToStringMethod(only)) return fc.stringify(only);
  const lines = laidOut(more.length === 0 ? only : values).split('\n');
  const rest = lines.length - linesMax;
  if (rest > 0) lines.splice(linesMax - 1, rest, `  … and ${rest} more`);
  return lines.join('\n');
}

/** On one line if that is short; else an element or property a line. */
function laidOut(value: unknown): string {
  const widthMax = 100;
  const flat = fc.stringify(value);
  if (flat.length <= widthMax) return flat;
  if (Array.isArray(value)) return ['[', ...value.map((each) => indent(`${laidOut(each)},`)), ']'].join('\n');
  if (!isPlain(value)) return flat;
  const properties = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${laidOut(each)},`);
  return ['{', ...properties.map(indent), '}'].join('\n');
}

/** Whether it is data, and not something that says itself how it is written. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || fc.hasToStringMethod(value)) return false;
  return [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

function integerIn(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  if (!/^-?\d+$/.test(text)) throw new Error(`Failed to read ${name}: "${text}" is not a whole number.`);
  return Number(text);
}

/** The name of an assertion, or that a law was broken, says nothing that the message and the test's title do not. */
function toldBy({ name, message }: Error): string {
  return /^(Error|AssertionError|LawBroken)$/.test(name) ? message : `${name}: ${message}`;
}

function framesOf(error: Error): string {
  const start = error.stack?.search(/^\s+at /m) ?? -1;
  return start < 0 ? '' : (error.stack ?? '').slice(start);
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
