import type { Violation } from '../../../testing/holds.ts';

/** The laws, by the names that laws.ts gives them. */
export type LawName =
  | 'answers'
  | 'oneCounter'
  | 'allOrNothing'
  | 'ranges'
  | 'linearizable'
  | 'snapshot'
  | 'compacted'
  | 'durable'
  | 'noGap'
  | 'progress'
  | 'leases';

/** The violations of one run. */
export interface Reading {
  readonly violations: ReadonlyMap<LawName, readonly Violation[]>;
  /** The laws whose situation occurred. */
  readonly met: ReadonlySet<LawName>;
}

/** Collects the violations of each law. */
export class Verdicts implements Reading {
  readonly violations = new Map<LawName, Violation[]>();
  readonly met = new Set<LawName>();

  break(law: LawName, atMs: number, message: string, object?: string): void {
    const violation = { atMs, message, ...(object !== undefined && { object }) };
    this.violations.set(law, [...(this.violations.get(law) ?? []), violation]);
  }
}
