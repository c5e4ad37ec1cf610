import type { Labels } from '../../api/label-selector.ts';
import type { NodeInfo } from './node-info.ts';

/** Numbers by a label of nodes, and by its value. A label, or a value, with the number 0 is not there. */
export type TopologyCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** What one node adds to one of its places: the label whose value is the place, and how much. */
export type Share = readonly [topologyKey: string, amount: number];

/** Of which snapshot a tally is. */
interface Tallied {
  readonly nodeInfos: readonly NodeInfo[];
  readonly namespaces: ReadonlyMap<string, Labels>;
}

interface Tally extends Tallied {
  readonly counts: TopologyCounts;
}

/** How many are kept: pods that are made alike ask the same, and few kinds of pods come at a time. */
const TALLIES_MAX = 16;

/**
 * What was counted for one snapshot is brought up to date for the next: of thousands of nodes few have changed. Snapshots that follow
 * each other share one of these. What it has handed out never changes.
 */
export class Tallies {
  /** By what was counted; the one that was asked for last comes last. */
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

/** Counts that grow out of others, which stay as they are. */
class Sum {
  readonly #counts: Map<string, ReadonlyMap<string, number>>;
  /** Those of {@link #counts} that are our own, and may be changed. */
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
