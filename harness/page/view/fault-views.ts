import type { Cluster } from '../../cluster/cluster.ts';
import type { Fault, StruckFault } from '../../faults/index.ts';
import type { FaultView } from '../protocol/view.ts';
import { faultWords } from '../share/fault-words.ts';
import type { Places } from './places.ts';

/** The faults of one cluster that have not ended. */
export class FaultViews {
  readonly #cluster: Cluster;
  readonly #places: Places;
  readonly #zeroMs: number;
  readonly #views = new Map<StruckFault, FaultView>();

  constructor(options: { readonly cluster: Cluster; readonly places: Places; readonly zeroMs: number }) {
    this.#cluster = options.cluster;
    this.#places = options.places;
    this.#zeroMs = options.zeroMs;
  }

  /** Returns the faults that have not ended, oldest first. */
  now(): readonly FaultView[] {
    return this.#lasting().map((struck) => {
      const known = this.#views.get(struck) ?? this.#viewOf(struck);
      this.#views.set(struck, known);
      return known;
    });
  }

  /** Returns whether a fault disconnects this node. */
  isPartitioned(node: string): boolean {
    return this.#lasting().some(({ fault }) => fault.fault === 'partition' && fault.node === node);
  }

  #lasting(): readonly StruckFault[] {
    const { struck } = this.#cluster.nemesis;
    return struck.filter(
      (each, i) => each.endedMs === undefined && this.#hasEffect(each.fault, struck.slice(i + 1)),
    );
  }

  /** A dead node lives again once somebody turns it on; a wrong clock is right, or wrong by something else, after another jump. */
  #hasEffect(fault: Fault, later: readonly StruckFault[]): boolean {
    if (fault.fault === 'node-death') return this.#cluster.machine(fault.node)?.powered === false;
    if (fault.fault !== 'clock-jump') return true;
    const isReplaced = later.some(
      (each) => each.fault.fault === 'clock-jump' && each.fault.node === fault.node,
    );
    return fault.byMs !== 0 && !isReplaced;
  }

  #viewOf({ fault, atMs, untilMs }: StruckFault): FaultView {
    return {
      text: faultWords(fault),
      sinceMs: atMs - this.#zeroMs,
      ...(untilMs !== undefined && { untilMs: untilMs - this.#zeroMs }),
      target: this.#places.ofFault(fault),
    };
  }
}
