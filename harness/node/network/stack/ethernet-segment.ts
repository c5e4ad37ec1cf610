import type { Link, Segment } from './link.ts';
import { BROADCAST, type Frame } from './packet.ts';

/** A wire or a switch: delivers the frames of one card to the others. */
export class EthernetSegment implements Segment {
  readonly #cards = new Set<Link>();
  /** The number of cuts that are in effect for each card. */
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
   * Cuts a card off silently: frames to and from it are lost, and its interface stays up.
   *
   * @returns a function that undoes this cut; the card is connected again once all its cuts are undone
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
