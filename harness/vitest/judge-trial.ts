import type { Mistake } from '../testing/mistakes.ts';
import { configureProperties, defaultRuns, defaultSeed } from '../testing/property.ts';
import type { Kata } from '../workbook/katas.ts';
import type { KataModules } from './judge-modules.ts';
import type { Death, Deaths } from './judge-record.ts';
import { collectTests, type JudgedCase, runCase } from './judge-run.ts';

/** Lets the mistakes of one kata die, and remembers of what they did. */
export class Trial {
  readonly #kata: Kata;
  readonly #modules: KataModules;
  readonly #record: Deaths;
  readonly #anySeed: boolean;
  readonly #cases = new Map<string, readonly JudgedCase[]>();
  readonly #deaths = new Map<string, Death[]>();
  #lastWords: unknown;

  /**
   * @param record where to look first: deaths of an earlier trial
   * @param options.anySeed whether a recorded death of another seed than the one that is asked for counts, too
   */
  constructor(kata: Kata, modules: KataModules, record: Deaths, { anySeed }: { readonly anySeed: boolean }) {
    this.#kata = kata;
    this.#modules = modules;
    this.#record = record;
    this.#anySeed = anySeed;
  }

  /** What each mistake has died of, by its id; the seed it was first tried on first. */
  get deaths(): ReadonlyMap<string, readonly Death[]> {
    return this.#deaths;
  }

  /** What the test said of which a mistake died last. */
  get lastWords(): unknown {
    return this.#lastWords;
  }

  /** Whether the record says that the mistake dies of one of the tests. */
  isRecorded({ id }: Mistake, includes: (one: JudgedCase) => boolean, among: readonly JudgedCase[]): boolean {
    const recorded = this.#record[id] ?? [];
    return among.some((one) => includes(one) && recorded.some(({ test }) => test === one.fullName));
  }

  /**
   * Whether one of the tests asked for fails on the mistake.
   *
   * @param options.seed tried unless the record leads to a death
   * @param options.runs of each property
   * @throws Error when no test is asked for, or the mistake cannot be loaded
   */
  async kills(
    mistake: Mistake,
    includes: (one: JudgedCase) => boolean,
    { seed, runs = defaultRuns }: { readonly seed: number; readonly runs?: number },
  ): Promise<boolean> {
    const asked = (await this.#collect(mistake)).filter(includes);
    if (asked.length === 0) {
      throw new Error(`Failed to judge "${mistake.id}": no test has the name it asks for.`);
    }
    const isOf = (death: Death) => asked.some(({ fullName }) => fullName === death.test);
    const recorded = (this.#record[mistake.id] ?? []).filter(isOf);
    const counting = recorded.filter((death) => this.#anySeed || death.seed === seed);
    const died = (this.#deaths.get(mistake.id) ?? []).filter(isOf);
    if (died.some((death) => death.seed === seed || counting.includes(death))) return true;
    for (const death of counting) if (await this.diesAgain(mistake, death)) return true;
    // What killed it once most likely does again.
    const suspects = new Set([...died, ...recorded].map(({ test }) => test));
    const isSuspect = ({ fullName }: JudgedCase): boolean => suspects.has(fullName);
    const ordered = [...asked.filter(isSuspect), ...asked.filter((one) => !isSuspect(one))];
    configureProperties({ seed, runs });
    for (const { fullName } of ordered) {
      if (await this.#run(mistake, { test: fullName, seed })) return true;
    }
    return false;
  }

  /** Whether the mistake dies as it did before, on that input alone where the death says which. */
  async diesAgain(mistake: Mistake, death: Death): Promise<boolean> {
    const { seed, path } = death;
    configureProperties({ seed, runs: defaultRuns, ...(path !== undefined && { runs: 1, path }) });
    try {
      return await this.#run(mistake, death);
    } finally {
      configureProperties({ seed: defaultSeed, runs: defaultRuns });
    }
  }

  /** Forgets the mistake's modules: what is asked of it next is asked of new ones. */
  forget({ id }: Mistake): void {
    this.#cases.delete(id);
  }

  async #run(mistake: Mistake, death: Death): Promise<boolean> {
    const one = (await this.#collect(mistake)).find(({ fullName }) => fullName === death.test);
    const verdict = one && (await runCase(one));
    if (verdict?.outcome !== 'failed') return false;
    // Of one input alone nothing follows but that it breaks the property: many a law asks what came of all of them.
    if (death.path !== undefined && verdict.path === undefined) return false;
    this.#lastWords = verdict.error;
    const died = this.#deaths.get(mistake.id) ?? [];
    this.#deaths.set(mistake.id, died);
    const { path } = verdict;
    died.push(this.#record[mistake.id]?.includes(death) ? death : { ...death, ...(path && { path }) });
    // What never ended may still hold its modules: the next test finds new ones.
    if (verdict.abandoned) this.forget(mistake);
    return true;
  }

  async #collect(change: Mistake): Promise<readonly JudgedCase[]> {
    const known = this.#cases.get(change.id);
    if (known) return known;
    const cases = await collectTests(this.#modules, this.#kata, { kind: 'mistake', change });
    this.#cases.set(change.id, cases);
    return cases;
  }
}
