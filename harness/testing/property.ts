import fc from 'fast-check';
import { Caught, type CaughtError } from '../contracts/caught.ts';
import type { Call } from './calls.ts';
import { marked, type Violation } from './violation.ts';

/** The smallest failing input of a property, and the settings that reproduce it. */
interface Counterexample {
  /** The input as source text. */
  readonly input: string;
  readonly seed: number;
  readonly runs: number;
  readonly shrinks: number;
  /** fast-check's path to the input before shrinking. Together with the seed, it generates the same input again. */
  readonly path: string;
  /** fast-check's path to the input after shrinking. */
  readonly smallestPath: string;
  /** The name of the scenario class that generated it, if the law has several. */
  readonly workload?: string;
}

/** Information about the current test besides its error. */
export interface Evidence {
  readonly counterexample?: Counterexample;
  /** The events, one per line, oldest first. */
  readonly timeline?: readonly string[];
  /** The name of the object at fault: no line of the timeline about it is hidden. */
  readonly object?: string;
  /** The components that cause the failure, as a sentence. Absent if nobody looked for them. */
  readonly culprit?: string;
  /** Whether {@link lastHistory} has something to draw in a replay of the test. */
  readonly isDrawable?: boolean;
  /**
   * The errors that the component reported or caught; for a property, in the smallest failing run. Absent if there were
   * none.
   */
  readonly caught?: readonly CaughtError[];
}

/** The error of a failed property: the message of the failed assertion, then the counterexample. */
class PropertyFailed extends Error {
  override readonly name = 'PropertyFailed';

  constructor(cause: unknown, { input, runs, shrinks }: Counterexample) {
    const told = cause instanceof Error ? toldBy(cause) : describeThrown(cause);
    const tries = `found in run ${runs}, made smaller ${shrinks} times`;
    super(`${told}\n\nSmallest failing input (${tries}):\n${indent(input)}`, { cause });
    // Vitest prints a difference from these fields.
    if (cause instanceof Error && 'expected' in cause && 'actual' in cause) {
      Object.assign(this, { expected: cause.expected, actual: cause.actual, showDiff: true });
    }
    // The assertion's frames lead to the code under test; the frames of this constructor lead nowhere.
    const frames = cause instanceof Error ? framesOf(cause) : '';
    this.stack = `${this.name}: ${this.message}\n${frames}`;
  }
}

/** Describes a thrown value that is not an Error. */
function describeThrown(thrown: unknown): string {
  return `A value that is not an Error was thrown: ${fc.stringify(thrown)}. Throw an Error: only an Error knows where it came from.`;
}

/** The default seed of every property, so that failures are reproducible. `KATA_SEED` overrides it. */
export const defaultSeed = 20_240;

/** The default number of runs of every property. `KATA_RUNS` overrides it. */
export const defaultRuns = 100;

/** The history of one run: what a law has judged. It is drawn only if someone looks at it. */
interface Noted {
  readonly lines?: () => readonly string[];
  readonly violation?: Violation | undefined;
  readonly calls?: readonly Call[];
  /** Whether only a replay draws it, and no screen. */
  readonly isQuiet?: boolean;
}

/** The history of the run that a failed test is about. */
export interface History {
  /** The events, one per line, oldest first, without the violation. Absent if the law judges no run. */
  readonly timeline?: readonly string[];
  /** Absent if the law names no place in the run. */
  readonly violation?: Violation;
  /** The calls of the code under test, in their order. Absent if nobody records them. */
  readonly calls?: readonly Call[];
}

// The histories of the current run, and of the last failed run: after shrinking, that is the smallest one.
let current: Noted | undefined;
let failing: Noted | undefined;
let caughtInFailing = new Caught();
let counterexample: Counterexample | undefined;
let culprit: string | undefined;
/** Number of resets of the evidence: one at the start of each test. */
let resets = 0;

/**
 * Registers the timeline of the latest simulation. For a property, the smallest failing run is shown; for an example,
 * the last one.
 *
 * @param lines - draws the timeline, oldest line first; called only for a failed test
 * @param violation the lines around its time are shown. @defaultValue the last lines, or a line that starts with `✗`
 */
export function noteTimeline(lines: () => readonly string[], violation?: Violation): void {
  current = { lines, violation };
}

/** Registers a timeline for replays alone: on a screen, the whole history of a cluster would explain little. */
export function noteHistory(lines: () => readonly string[]): void {
  current = { lines, isQuiet: true };
}

/** Registers the calls of the latest input of a law about pure decisions. Calls that follow may still be added to them. */
export function noteCalls(calls: readonly Call[]): void {
  current = { calls };
}

/** Registers the components that cause the failure of the current test, as a sentence. */
export function noteCulprit(sentence: string): void {
  culprit = sentence;
}

/** Forgets the evidence of earlier tests. Stops a property that is still running because its test was abandoned. */
export function resetEvidence(): void {
  resets++;
  current = failing = counterexample = culprit = undefined;
  Caught.current = new Caught();
}

/** Returns the counterexample of the last failed property, if one has failed since the reset. */
export function lastCounterexample(): Counterexample | undefined {
  return counterexample;
}

/** Returns the history of the smallest failing run, or of the last run if no property has failed since the reset. */
export function lastHistory(): History {
  const { lines, violation, calls } = lastNoted() ?? {};
  return { ...(lines && { timeline: lines() }), ...(violation && { violation }), ...(calls && { calls }) };
}

function lastNoted(): Noted | undefined {
  return counterexample ? failing : current;
}

/** Returns the evidence about the test that has just failed. */
export function takeEvidence(): Evidence {
  const noted = lastNoted();
  const { timeline, violation }: History = noted?.isQuiet ? {} : lastHistory();
  const caught = (counterexample ? caughtInFailing : Caught.current).list();
  const evidence: Evidence = {
    ...(counterexample && { counterexample }),
    ...(timeline && { timeline: violation ? marked(timeline, violation) : timeline }),
    ...(violation?.object !== undefined && { object: violation.object }),
    ...(culprit !== undefined && { culprit }),
    ...(noted && { isDrawable: true }),
    ...(caught.length > 0 && { caught }),
  };
  resetEvidence();
  return evidence;
}

/** One input of a seed, as in a {@link Counterexample}. */
export interface ReplayedInput {
  readonly path: string;
  /** @defaultValue the law has no scenario classes, or each of them runs the input of this path */
  readonly workload?: string;
}

/** Settings of the following properties. */
interface PropertySettings {
  readonly seed: number;
  /** Number of runs of each property. A replay has one. */
  readonly runs: number;
  /** Runs only this input, once, without shrinking. */
  readonly replay?: ReplayedInput;
}

let replayed: ReplayedInput | undefined;

/** Returns the input that the following properties replay; undefined if they generate their inputs. */
export function replayedInput(): ReplayedInput | undefined {
  return replayed;
}

/** The CPU time for shrinking a property's inputs, in ms. */
const SHRINK_MS = 3_000;
let shrinkMs = SHRINK_MS;

/** Runs `check` with another CPU time for shrinking: large scenarios need longer than most. */
export async function shrinkingFor(ms: number, check: () => Promise<void>): Promise<void> {
  shrinkMs = ms;
  try {
    await check();
  } finally {
    shrinkMs = SHRINK_MS;
  }
}

/** Configures the following properties. */
export function configureProperties({ seed, runs, replay }: PropertySettings): void {
  replayed = replay;
  const numRuns = replay ? 1 : runs;
  const settings = { seed, numRuns, path: replay?.path ?? '', endOnFailure: replay !== undefined };
  fc.configureGlobal({ ...fc.readConfigureGlobal(), ...settings });
}

/** The scenario class of the current property's inputs. */
let workload: string | undefined;

/** Runs `check` for a scenario class: a counterexample from it has this name. */
export async function onWorkload(name: string | undefined, check: () => Promise<void>): Promise<void> {
  workload = name;
  try {
    await check();
  } finally {
    workload = undefined;
  }
}

/**
 * Makes every property of this process reproducible, and its failure readable: the settings come from the environment
 * (`KATA_SEED`, `KATA_RUNS`), and a failed assertion throws {@link PropertyFailed}.
 *
 * fast-check's own errors, about an arbitrary that cannot generate or too many skipped runs, stay unchanged.
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
        // The test is abandoned: its remaining runs would disturb later tests.
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
          smallestPath: details.counterexamplePath ?? '',
          ...(workload !== undefined && { workload }),
        };
        const thrown = details.errorInstance;
        // This error says where to begin: a counterexample would not make it clearer.
        if (thrown instanceof Error && thrown.name === 'NotImplemented') throw thrown;
        throw new PropertyFailed(thrown, counterexample);
      },
    };
  });
}

/**
 * Limits shrinking: a large simulation has many smaller neighbours, and a good counterexample now is better than the
 * best one after a timeout.
 */
function shrinkBudget() {
  const attemptsMax = 2_000;
  // In CPU time of the process instead of wall time: inputs become as small on a busy machine.
  const budgetMs = integerIn(process.env, 'KATA_SHRINK_MS', shrinkMs);
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

/** Renders the generated values: completely if they define `toString`, else as source text of at most 24 lines. */
function stringifyInput(values: unknown): string {
  const linesMax = 24;
  const [only, ...more] = values as unknown[];
  if (more.length === 0 && fc.hasToStringMethod(only)) return fc.stringify(only);
  const lines = laidOut(more.length === 0 ? only : values).split('\n');
  const rest = lines.length - linesMax;
  if (rest > 0) lines.splice(linesMax - 1, rest, `  … and ${rest} more`);
  return lines.join('\n');
}

/** Uses one line if that is short; else one line per element or property. */
function laidOut(value: unknown): string {
  const widthMax = 100;
  const flat = fc.stringify(value);
  if (flat.length <= widthMax) return flat;
  if (Array.isArray(value)) return ['[', ...value.map((each) => indent(`${laidOut(each)},`)), ']'].join('\n');
  if (!isPlain(value)) return flat;
  const properties = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${laidOut(each)},`);
  return ['{', ...properties.map(indent), '}'].join('\n');
}

/** Returns whether a value is plain data, without a custom rendering. */
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

/** Omits the names of assertion errors: they add nothing to the message and the test's title. */
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
