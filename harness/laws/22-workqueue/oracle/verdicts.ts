import type { Violation } from '../../../testing/holds.ts';
import { type Item, sayItem } from '../history.ts';
import type { Due } from './obligations.ts';

/** The laws, by the names that laws.ts gives them. */
export type LawName = Due['law'] | 'stingy' | 'fair' | 'deduplicating' | 'counts' | 'bounded' | 'endsClean';

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
  /** Whether a drain began. A drain is a shutdown, and must keep its laws. */
  drains = false;

  meet(...laws: readonly LawName[]): void {
    for (const law of laws) this.met.add(law);
  }

  /** @param item the item at fault: the timeline shows every row about it */
  break(about: LawName, atMs: number, message: string, item?: Item): void {
    const law = this.drains ? 'drains' : about;
    const violation = { atMs, message, ...(item !== undefined && { object: sayItem(item) }) };
    this.violations.set(law, [...(this.violations.get(law) ?? []), violation]);
  }
}
