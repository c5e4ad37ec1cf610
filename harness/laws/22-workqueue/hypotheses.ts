import type { Violation } from '../../testing/holds.ts';
import type { Item } from './history.ts';
import type { LawName } from './verdicts.ts';

/** An item that was passed over, it seems, and the law that this breaks. */
export interface Hypothesis {
  readonly index: number;
  readonly law: LawName;
  readonly violation: Violation;
}

/**
 * Items that seem to have been passed over. A worker that asked before may have taken such an item off the line already, and
 * was not told yet: only when a worker gets it that asked later, or none ever does, is it certain.
 */
export class Hypotheses {
  readonly #open = new Map<Item, Hypothesis>();

  raise(item: Item, hypothesis: Hypothesis): void {
    if (!this.#open.has(item)) this.#open.set(item, hypothesis);
  }

  /** The item was handed out to a worker that asked at entry `asked`. @returns what is certain now */
  settle(item: Item, asked: number): readonly Hypothesis[] {
    const hypothesis = this.#open.get(item);
    this.#open.delete(item);
    return hypothesis && asked >= hypothesis.index ? [hypothesis] : [];
  }

  /** What is certain in the end. */
  get left(): readonly Hypothesis[] {
    return [...this.#open.values()];
  }
}
