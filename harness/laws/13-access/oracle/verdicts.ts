import type { Violation } from '../../../testing/holds.ts';

/** The names of the laws' functions. */
export type LawName =
  | 'rightUser'
  | 'neverAnonymous'
  | 'outlivesNothing'
  | 'worksUntilThen'
  | 'rightAudience'
  | 'sound'
  | 'complete'
  | 'prompt'
  | 'missingRoles'
  | 'anyOrder'
  | 'silent'
  | 'masters'
  | 'listsRules'
  | 'noEscalation'
  | 'mayShare'
  | 'escalateAndBind'
  | 'noImpersonation'
  | 'actsAs'
  | 'nodesRead'
  | 'nodesOnly';

/** Collects the violations of one run, and the situations that it reached. */
export class Verdicts {
  readonly violations = new Map<LawName, Violation[]>();
  readonly met = new Set<LawName>();
  #atMs = 0;

  /** Sets the time of the violations that follow. */
  at(atMs: number): void {
    this.#atMs = atMs;
  }

  meet(...laws: readonly LawName[]): void {
    for (const law of laws) this.met.add(law);
  }

  break(law: LawName, message: string): void {
    const known = this.violations.get(law) ?? [];
    this.violations.set(law, known);
    known.push({ atMs: this.#atMs, message });
  }
}
