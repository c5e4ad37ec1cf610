import type { Violation } from '../../../testing/holds.ts';

/** The laws of a pod network. */
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

/** The violations of one run, and the laws whose situation was reached. */
export class Findings {
  readonly #violations = new Map<LawName, Violation[]>();
  readonly #met = new Set<LawName>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Records that the situation of a law was reached. */
  meet(law: LawName): void {
    this.#met.add(law);
  }

  break(law: LawName, message: string): void {
    const violation: Violation = { atMs: this.#nowMs(), message };
    this.#violations.set(law, [...this.violationsOf(law), violation]);
  }

  violationsOf(law: LawName): readonly Violation[] {
    return this.#violations.get(law) ?? [];
  }

  hasMet(law: LawName): boolean {
    return this.#met.has(law);
  }
}
