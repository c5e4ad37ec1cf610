import type { Breach } from '../../testing/holds.ts';

/** The laws of a network of pods, by the names that their tests have. */
export type LawName =
  | 'connects'
  | 'reachesItself'
  | 'nodes'
  | 'outside'
  | 'hostPort'
  | 'truthful'
  | 'succeeds'
  | 'leavesNothing'
  | 'undisturbed'
  | 'collects'
  | 'checks'
  | 'constant'
  | 'routed'
  | 'heals'
  | 'modest'
  | 'calm'
  | 'configures'
  | 'quiet';

/** What is found out about one life: where laws are broken, and which of them had something to look at. */
export class Findings {
  readonly #breaches = new Map<LawName, Breach[]>();
  readonly #met = new Set<LawName>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The situation of a law has come. */
  meet(law: LawName): void {
    this.#met.add(law);
  }

  break(law: LawName, message: string): void {
    const breach: Breach = { atMs: this.#nowMs(), message };
    this.#breaches.set(law, [...this.breachesOf(law), breach]);
  }

  breachesOf(law: LawName): readonly Breach[] {
    return this.#breaches.get(law) ?? [];
  }

  hasMet(law: LawName): boolean {
    return this.#met.has(law);
  }
}
