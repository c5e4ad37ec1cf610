import type { Labels } from '../../api/label-selector.ts';
import type { NodeInfo } from './node-info.ts';
import { type Share, Tallies, type TopologyCounts } from './tallies.ts';

/**
 * The state of all nodes at one moment. Each pod is scheduled on one snapshot, regardless of later changes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/cache/snapshot.go Snapshot;
 * kubernetes/kube-scheduler@v0.36.3
 * framework/listers.go SharedLister
 */
export class Snapshot {
  /** In the order of evaluation. */
  readonly nodeInfos: readonly NodeInfo[];
  /** The labels of each namespace, for terms that select namespaces. */
  readonly namespaces: ReadonlyMap<string, Labels>;
  readonly #tallies: Tallies;
  readonly #previous: Pick<Snapshot, 'nodeInfos' | 'imageNodes'> | undefined;
  #byName: Map<string, NodeInfo> | undefined;
  #withAffinity: readonly NodeInfo[] | undefined;
  #withRequiredAntiAffinity: readonly NodeInfo[] | undefined;
  #imageNodes: ReadonlyMap<string, number> | undefined;

  /** @param options.previous the previous snapshot, whose results are reused */
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
    // Only the necessary part, because a reference to the whole snapshot would keep all earlier ones in memory.
    const imageNodes = previous ? previous.#imageNodes : undefined;
    this.#previous = previous && imageNodes ? { nodeInfos: previous.nodeInfos, imageNodes } : undefined;
  }

  get(nodeName: string): NodeInfo | undefined {
    this.#byName ??= new Map(this.nodeInfos.map((info) => [info.name, info]));
    return this.#byName.get(nodeName);
  }

  /** The nodes that have pods with any affinity or anti-affinity to pods. */
  get havePodsWithAffinity(): readonly NodeInfo[] {
    this.#withAffinity ??= this.nodeInfos.filter(({ podsWithAffinity }) => podsWithAffinity.length > 0);
    return this.#withAffinity;
  }

  /** The nodes that have pods with a required anti-affinity. */
  get havePodsWithRequiredAntiAffinity(): readonly NodeInfo[] {
    this.#withRequiredAntiAffinity ??= this.nodeInfos.filter(
      ({ podsWithRequiredAntiAffinity }) => podsWithRequiredAntiAffinity.length > 0,
    );
    return this.#withRequiredAntiAffinity;
  }

  /**
   * Sums the shares of all nodes by topology domain. Nodes with the same value for a label are one domain. Nodes that
   * have not changed since the same question was asked of an earlier snapshot are not evaluated again.
   *
   * @param what identifies the question: for the same text, `sharesOf` must return the same shares for the same node
   * and {@link namespaces}. So the text must contain every part of the pod that `sharesOf` reads: its terms; and its
   * labels and namespace, if terms of other pods may match them
   * @returns the sums by label, then by its value. A sum of 0 has no entry
   *
   * @example
   * const counts = snapshot.countByTopology('pods', ({ pods }) => [['zone', pods.length]]);
   * counts.get('zone')?.get('zone-a'); // the number of pods on the nodes of zone-a
   */
  countByTopology(what: string, sharesOf: (info: NodeInfo) => Iterable<Share>): TopologyCounts {
    return this.#tallies.count(what, this, sharesOf);
  }

  /** The number of nodes that have an image, by each name of the image. */
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
