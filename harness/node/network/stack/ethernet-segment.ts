import type { Link, Segment } from './link.ts';
import { BROADCAST, type Frame } from './packet.ts';

/** A wire, or a switch: what one card sends, the others get. */
export class EthernetSegment implements Segment {
  readonly #cards = new Set<Link>();
  /** How often each card is cut off. */
  readonly #cuts = new Map<Link, number>();

  attach(card: Link): void {
    this.#cards.add(card);
  }

  detach(card: Link): void {
    this.#cards.delete(card);
    this.#cuts.delete(card);
  }

  carry(from: Link, { to }: Pick<Frame, 'to'>): readonly Link[] {
    if (!this.#reaches(from)) return [];
    const found: Link[] = [];
    for (const card of this.#cards) {
      const isMeant = to === BROADCAST || card.mac === to;
      if (isMeant && card !== from && card.up && this.#reaches(card)) found.push(card);
    }
    return found;
  }

  /**
   * Pulls the plug of a card: nothing gets in or out, and no one is told.
   *
   * @returns what puts it back; the card is on the wire again when all that cut it have done so
   */
  cut(card: Link): () => void {
    this.#cuts.set(card, (this.#cuts.get(card) ?? 0) + 1);
    let isCut = true;
    return () => {
      if (isCut && this.#cuts.has(card)) this.#cuts.set(card, (this.#cuts.get(card) as number) - 1);
      isCut = false;
    };
  }

  #reaches(card: Link): boolean {
    return this.#cards.has(card) && !this.#cuts.get(card);
  }
}
