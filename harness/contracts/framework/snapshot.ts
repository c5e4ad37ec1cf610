import type { Labels } from '../../api/label-selector.ts';
import type { NodeInfo } from './node-info.ts';
import { type Share, Tallies, type TopologyCounts } from './tallies.ts';

/**
 * All nodes at one moment. One pod is scheduled on one snapshot, whatever happens meanwhile.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/cache/snapshot.go Snapshot; kubernetes/kube-scheduler@v0.36.3
 * framework/listers.go SharedLister
 */
export class Snapshot {
  /** In the order in which they are looked at. */
  readonly nodeInfos: readonly NodeInfo[];
  /** The labels of each namespace, for terms that select namespaces. */
  readonly namespaces: ReadonlyMap<string, Labels>;
  readonly #tallies: Tallies;
  readonly #previous: Pick<Snapshot, 'nodeInfos' | 'imageNodes'> | undefined;
  #byName: Map<string, NodeInfo> | undefined;
  #withAffinity: readonly NodeInfo[] | undefined;
  #withRequiredAntiAffinity: readonly NodeInfo[] | undefined;
  #imageNodes: ReadonlyMap<string, number> | undefined;

  /** @param options.previous the snapshot before: what was worked out for it need not be worked out again */
  constructor(
    nodeInfos: readonly NodeInfo[],
    {
      namespaces = new Map(),
      previous,
    }: { readonly namespaces?: ReadonlyMap<string, Labels>; readonly previous?: Snapshot } = {},
  ) {
    this.nodeInfos = nodeInfos;
    this.namespaces = namespaces;
    this.#tallies = previous ? previous.#tallies : new Tallies();
    // No more of it than is needed: else each would hold on to all that were before it.
    const imageNodes = previous ? previous.#imageNodes : undefined;
    this.#previous = previous && imageNodes ? { nodeInfos: previous.nodeInfos, imageNodes } : undefined;
  }

  get(nodeName: string): NodeInfo | undefined {
    this.#byName ??= new Map(this.nodeInfos.map((info) => [info.name, info]));
    return this.#byName.get(nodeName);
  }

  /** Nodes that have pods with any affinity or anti-affinity to pods. */
  get havePodsWithAffinity(): readonly NodeInfo[] {
    this.#withAffinity ??= this.nodeInfos.filter(({ podsWithAffinity }) => podsWithAffinity.length > 0);
    return this.#withAffinity;
  }

  /** Nodes that have pods with a required anti-affinity. */
  get havePodsWithRequiredAntiAffinity(): readonly NodeInfo[] {
    this.#withRequiredAntiAffinity ??= this.nodeInfos.filter(
      ({ podsWithRequiredAntiAffinity }) => podsWithRequiredAntiAffinity.length > 0,
    );
    return this.#withRequiredAntiAffinity;
  }

  /**
   * Adds up what all nodes add to their places. A place is what nodes have in common that have the same value for a label. Nodes that
   * have not changed since the same was asked of an earlier snapshot are not asked again.
   *
   * @param what says in a text what is counted: for the same text, `sharesOf` gives the same for the same node and
   * {@link namespaces}. So all of the pod that `sharesOf` looks at stands in it: its terms, and its labels and namespace where
   * the terms of others may speak of them
   * @returns by label, then by its value. Where the sum is 0 there is nothing
   */
  countByTopology(what: string, sharesOf: (info: NodeInfo) => Iterable<Share>): TopologyCounts {
    return this.#tallies.count(what, this, sharesOf);
  }

  /** On how many nodes an image is, by each of its names. */
  get imageNodes(): ReadonlyMap<string, number> {
    this.#imageNodes ??= this.#sameImages() ?? countImages(this.nodeInfos);
    return this.#imageNodes;
  }

  #sameImages(): ReadonlyMap<string, number> | undefined {
    const before = this.#previous;
    const same =
      before?.nodeInfos.length === this.nodeInfos.length &&
      before.nodeInfos.every(({ images }, i) => images === this.nodeInfos[i]?.images);
    return same ? before.imageNodes : undefined;
  }
}

function countImages(nodeInfos: readonly NodeInfo[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { images } of nodeInfos)
    for (const name of images.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
