import type { Mistake, Mutant, Variant } from '../testing/mistakes.ts';
import { configureProperties, defaultRuns, defaultSeed } from '../testing/property.ts';
import type { Kata } from '../workbook/katas.ts';
import { draftedStub, readFirstDraft, shortWayOf } from '../workbook/short-way.ts';
import type { KataModules, Subject } from './judge-modules.ts';
import { collectTests, fileOfTest, type JudgedCase, runCase } from './judge-run.ts';
import { type Kill, type KillRecord, mutantId } from './kill-record.ts';

/** A wrong implementation that tests must notice. */
export interface Culprit {
  /** Its name in the record. */
  readonly id: string;
  readonly subject: Subject;
  /** Whether only the watchdog may kill it, because it never yields. */
  readonly spins: boolean;
}

/** A mistake of a kata as a culprit. */
export function culpritOf(change: Mistake): Culprit {
  return { id: change.id, subject: { kind: 'mistake', change }, spins: change.spins ?? false };
}

/** A mistake in a variant as a culprit. */
export function mutantOf(change: Variant, mutant: Mutant): Culprit {
  const subject: Subject = { kind: 'variant', change, mutant };
  return { id: mutantId(change, mutant), subject, spins: mutant.spins ?? false };
}

/** The first draft of a kata's short way. */
export interface Draft {
  readonly culprit: Culprit;
  /** The law that `SHORT.md` promises: as in a {@link Mistake}. */
  readonly law: string;
}

/** Returns the first draft of a kata's short way as a culprit; undefined if it has none. */
export function draftOf(kata: Kata): Draft | undefined {
  const [short, draft] = [shortWayOf(kata), readFirstDraft(kata)];
  if (!short || !draft) return undefined;
  const subject: Subject = { kind: 'stub', text: draftedStub(kata, draft) };
  return { culprit: { id: 'the first draft', subject, spins: false }, law: short.law };
}

/** Chooses tests of a kata. */
export type Includes = (one: JudgedCase) => boolean;

/** Lets the tests of one kata kill its culprits, and records the kills. */
export class Trial {
  readonly #kata: Kata;
  readonly #modules: KataModules;
  readonly #record: KillRecord['kills'];
  readonly #cases = new Map<string, readonly JudgedCase[]>();
  readonly #kills = new Map<string, Kill[]>();
  readonly #undecided = new Map<string, Set<string>>();
  #lastError: unknown;

  /** @param record kills of an earlier trial, which are tried first */
  constructor(kata: Kata, modules: KataModules, record: KillRecord['kills']) {
    this.#kata = kata;
    this.#modules = modules;
    this.#record = record;
  }

  /** The kills of this trial, by the id of the culprit. */
  get kills(): ReadonlyMap<string, readonly Kill[]> {
    return this.#kills;
  }

  /** The error of the test that killed a culprit last. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /**
   * The tests that reached a limit before they had a verdict on a culprit, with the error of each. A limit is not a
   * kill.
   */
  undecidedAbout({ id }: Pick<Culprit, 'id'>): readonly string[] {
    return [...(this.#undecided.get(id) ?? [])];
  }

  /** The kills of a culprit in the record. */
  recorded({ id }: Pick<Culprit, 'id'>): readonly Kill[] {
    return this.#record[id] ?? [];
  }

  /**
   * Whether one of the chosen tests fails on the culprit. Tries the recorded kills first.
   *
   * @param options.runs of each property
   * @throws Error when no test is chosen, or the culprit cannot be loaded
   */
  async isKilled(
    culprit: Culprit,
    includes: Includes,
    { seed, runs = defaultRuns }: { readonly seed: number; readonly runs?: number },
  ): Promise<boolean> {
    const asked = (await this.#collect(culprit)).filter(includes);
    if (asked.length === 0)
      throw new Error(`Failed to judge "${culprit.id}": no test has the name it asks for.`);
    const isOf = ({ test }: Kill) => asked.some(({ fullName }) => fullName === test);
    const killed = (this.#kills.get(culprit.id) ?? []).filter(isOf);
    if (killed.some((kill) => kill.seed === seed)) return true;
    const recorded = this.recorded(culprit).filter(isOf);
    for (const kill of recorded)
      if (kill.seed === seed && (await this.killsAgain(culprit, kill))) return true;
    // An earlier kill most likely works again.
    const suspects = new Set([...killed, ...recorded].map(({ test }) => test));
    const isSuspect = ({ fullName }: JudgedCase): boolean => suspects.has(fullName);
    const ordered = [...asked.filter(isSuspect), ...asked.filter((one) => !isSuspect(one))];
    configureProperties({ seed, runs });
    for (const { fullName } of ordered) {
      if (await this.#run(culprit, { test: fullName, seed })) return true;
    }
    return false;
  }

  /** Whether a kill happens again, on its recorded input if it has one. */
  async killsAgain(culprit: Culprit, kill: Kill): Promise<boolean> {
    const { seed, input } = kill;
    configureProperties({ seed, runs: defaultRuns, ...(input && { replay: input }) });
    try {
      return await this.#run(culprit, kill);
    } finally {
      configureProperties({ seed: defaultSeed, runs: defaultRuns });
    }
  }

  /** The same as {@link killsAgain}, but loads only the file of that test. */
  async replays(culprit: Culprit, kill: Kill): Promise<boolean> {
    const file = fileOfTest(this.#kata, kill.test);
    if (file !== undefined) this.#cases.set(culprit.id, await this.#load(culprit, [file]));
    const isKilled = await this.killsAgain(culprit, kill);
    this.forget(culprit);
    return isKilled;
  }

  /** Drops the modules of a culprit: the next test loads new ones. */
  forget({ id }: Culprit): void {
    this.#cases.delete(id);
  }

  async #run(culprit: Culprit, kill: Kill): Promise<boolean> {
    const one = (await this.#collect(culprit)).find(({ fullName }) => fullName === kill.test);
    if (!one) return false;
    const verdict = await runCase(one);
    if (verdict.outcome === 'passed') return false;
    // A test that never ended may still use its modules.
    if (verdict.abandoned) this.forget(culprit);
    if (verdict.outcome === 'undecided' || (verdict.spun && !culprit.spins)) {
      const tests = this.#undecided.get(culprit.id) ?? new Set();
      this.#undecided.set(culprit.id, tests.add(`${kill.test}: ${String(verdict.error)}`));
      return false;
    }
    // A single input shows only that it violates the property: many laws need all inputs for the rest.
    if (kill.input && !verdict.input && !verdict.spun) return false;
    this.#lastError = verdict.error;
    const { input } = verdict;
    const kills = this.#kills.get(culprit.id) ?? [];
    this.#kills.set(culprit.id, kills);
    kills.push({ ...kill, ...(input && { input }) });
    return true;
  }

  async #collect(culprit: Culprit): Promise<readonly JudgedCase[]> {
    const known = this.#cases.get(culprit.id);
    if (known) return known;
    const cases = await this.#load(culprit);
    this.#cases.set(culprit.id, cases);
    return cases;
  }

  #load({ subject }: Culprit, files?: readonly string[]): Promise<readonly JudgedCase[]> {
    return collectTests(this.#modules, this.#kata, subject, files);
  }
}
