import type { Violation } from '../../../testing/holds.ts';
import type { Item } from '../history.ts';
import type { LawName } from './verdicts.ts';

/** An item that the queue seems to have passed over, and the law that this violates. */
export interface Hypothesis {
  readonly index: number;
  readonly law: LawName;
  readonly violation: Violation;
}

/**
 * Items that the queue seems to have passed over. An earlier get may already have taken such an item, although it has
 * not returned yet. The violation is certain only when a later get returns the item, or no get ever does.
 */
export class Hypotheses {
  readonly #open = new Map<Item, Hypothesis>();

  raise(item: Item, hypothesis: Hypothesis): void {
    if (!this.#open.has(item)) this.#open.set(item, hypothesis);
  }

  /**
   * Notes that the item was handed out to a get that was called at entry `asked`. @returns the violations that are now
   * certain
   */
  settle(item: Item, asked: number): readonly Hypothesis[] {
    const hypothesis = this.#open.get(item);
    this.#open.delete(item);
    return hypothesis && asked >= hypothesis.index ? [hypothesis] : [];
  }

  /** The hypotheses that are certain in the end. */
  get left(): readonly Hypothesis[] {
    return [...this.#open.values()];
  }
}
