import type { Violation } from '../../../testing/holds.ts';
import type { ApplyRecord } from '../history.ts';

/** The laws. */
export type LawName =
  | 'reports'
  | 'independent'
  | 'oneResult'
  | 'namesErrors'
  | 'truth'
  | 'warns'
  | 'inOrder'
  | 'readsFirst'
  | 'createsWhole'
  | 'manifestWins'
  | 'removed'
  | 'foreign'
  | 'quiet'
  | 'remembered'
  | 'fresh'
  | 'bounded'
  | 'dryRun'
  | 'neverLost'
  | 'keepsOrder'
  | 'retained'
  | 'serverSide'
  | 'owners'
  | 'prunes';

/** The findings of a history about each law. */
export interface Reading {
  readonly violations: ReadonlyMap<LawName, readonly Violation[]>;
  /** The laws whose situation the history reached. */
  readonly met: ReadonlySet<LawName>;
}

/** Collects the findings of an oracle. */
export class Findings implements Reading {
  readonly violations = new Map<LawName, Violation[]>();
  readonly met = new Set<LawName>();

  meet(...laws: readonly LawName[]): void {
    for (const law of laws) this.met.add(law);
  }

  report(law: LawName, atMs: number, message: string): void {
    const found = this.violations.get(law) ?? [];
    this.violations.set(law, [...found, { atMs, message }]);
  }
}

/** Everything that an oracle needs to judge one apply. */
export interface Judged {
  readonly apply: ApplyRecord;
  readonly findings: Findings;
  /** The apply for readers: `apply 2`. */
  readonly name: string;
}
