import type { Violation } from '../../../../testing/holds.ts';

/** The laws, by the names that laws.ts gives them. */
export type ObjectLawName =
  | 'served'
  | 'noLostUpdate'
  | 'noEmptyWrite'
  | 'ownVersion'
  | 'guarded'
  | 'neighbours'
  | 'askedState'
  | 'freshInTime'
  | 'pages'
  | 'nothingMissing'
  | 'selection'
  | 'caughtUp';

/** The violations of one run. */
export interface ObjectReading {
  readonly violations: ReadonlyMap<ObjectLawName, readonly Violation[]>;
  /** The laws whose situation occurred. */
  readonly met: ReadonlySet<ObjectLawName>;
}

/** Collects the violations of each law. */
export class ObjectVerdicts implements ObjectReading {
  readonly violations = new Map<ObjectLawName, Violation[]>();
  readonly met = new Set<ObjectLawName>();

  break(law: ObjectLawName, atMs: number, message: string, object?: string): void {
    const violation = { atMs, message, ...(object !== undefined && { object }) };
    this.violations.set(law, [...(this.violations.get(law) ?? []), violation]);
  }
}
