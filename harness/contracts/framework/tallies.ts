import type { Labels } from '../../api/label-selector.ts';
import type { NodeInfo } from './node-info.ts';

/** Counts by label name and label value of nodes. A label or a value with a count of 0 has no entry. */
export type TopologyCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** A node's contribution to one of its topology domains: the label of the domain, and the amount. */
export type Share = readonly [topologyKey: string, amount: number];

/** The inputs of a tally. */
interface Tallied {
  readonly nodeInfos: readonly NodeInfo[];
  readonly namespaces: ReadonlyMap<string, Labels>;
}

interface Tally extends Tallied {
  readonly counts: TopologyCounts;
}

/**
 * The maximum number of tallies that are kept. Pods from one template ask the same questions, and only a few templates
 * are scheduled at a time.
 */
const TALLIES_MAX = 16;

/**
 * Counts that are updated from one snapshot to the next, because only a few of thousands of nodes change in between.
 * Successive snapshots share one instance. Returned counts never change.
 */
export class Tallies {
  /** Tallies by question, ordered by last use. */
  readonly #known = new Map<string, Tally>();

  /** @see Snapshot.countByTopology */
  count(
    what: string,
    { nodeInfos, namespaces }: Tallied,
    sharesOf: (info: NodeInfo) => Iterable<Share>,
  ): TopologyCounts {
    const known = this.#known.get(what);
    const before =
      known?.namespaces === namespaces && known.nodeInfos.length === nodeInfos.length ? known : undefined;
    const sum = new Sum(before?.counts);
    for (let i = 0; i < nodeInfos.length; i++) {
      const [earlier, info] = [before?.nodeInfos[i], nodeInfos[i] as NodeInfo];
      if (earlier === info) continue;
      if (earlier) sum.add(earlier, sharesOf(earlier), -1);
      sum.add(info, sharesOf(info), 1);
    }
    this.#known.delete(what);
    this.#known.set(what, { nodeInfos, namespaces, counts: sum.counts });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= TALLIES_MAX) break;
      this.#known.delete(oldest);
    }
    return sum.counts;
  }
}

/** Counts that are derived from earlier counts without changing them. */
class Sum {
  readonly #counts: Map<string, ReadonlyMap<string, number>>;
  /** The maps in {@link #counts} that were created here, and may be changed. */
  readonly #own = new Map<string, Map<string, number>>();

  constructor(counts: TopologyCounts = new Map()) {
    this.#counts = new Map(counts);
  }

  get counts(): TopologyCounts {
    return this.#counts;
  }

  add({ node: { metadata } }: NodeInfo, shares: Iterable<Share>, sign: 1 | -1): void {
    const { labels = {} } = metadata;
    for (const [topologyKey, amount] of shares) {
      // "constructor" is a valid name of a label, so only own properties are labels.
      if (amount === 0 || !Object.hasOwn(labels, topologyKey)) continue;
      const place = labels[topologyKey] as string;
      const places = this.#own.get(topologyKey) ?? new Map(this.#counts.get(topologyKey));
      const sum = (places.get(place) ?? 0) + sign * amount;
      if (sum === 0) places.delete(place);
      else places.set(place, sum);
      this.#own.set(topologyKey, places);
      if (places.size > 0) this.#counts.set(topologyKey, places);
      else this.#counts.delete(topologyKey);
    }
  }
}
