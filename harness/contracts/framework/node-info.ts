import type { Node, Pod } from '../../api/objects.ts';
import { type HostPort, type PodInfo, podInfoOf } from './pod-info.ts';
import {
  addResources,
  noResources,
  parseResources,
  type ResourceList,
  type Resources,
  subtractResources,
} from './resources.ts';

/**
 * A node in the scheduler's view: the node, the pods that are bound to it or assumed on it, and their sums. It is an
 * immutable value: adding a pod returns a new NodeInfo.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go NodeInfo
 *
 * Differs: upstream changes a NodeInfo in place and copies it for each snapshot; its generation shows which ones to
 * copy. Here two NodeInfos are equal if they are the same object.
 */
export class NodeInfo {
  /** The name of the node. It is a separate field, because it is read very often. */
  readonly name: string;
  readonly node: Node;
  readonly pods: readonly PodInfo[];
  /** The pods with any affinity or anti-affinity to pods, required or preferred. */
  readonly podsWithAffinity: readonly PodInfo[];
  /** The pods with a required anti-affinity. */
  readonly podsWithRequiredAntiAffinity: readonly PodInfo[];
  /** The sum of the pods' requests. */
  readonly requested: Resources;
  /** The same, with 100m and 200Mi for each container without a request. */
  readonly nonZeroRequested: Resources;
  /** The resources of the node that are available to pods. */
  readonly allocatable: Resources;
  readonly usedPorts: readonly HostPort[];
  /** Sizes in bytes of the images on the node, by each of their names. */
  readonly images: ReadonlyMap<string, number>;

  private constructor(parts: Parts) {
    this.name = parts.node.metadata.name;
    this.node = parts.node;
    this.pods = parts.pods;
    this.podsWithAffinity = parts.podsWithAffinity;
    this.podsWithRequiredAntiAffinity = parts.podsWithRequiredAntiAffinity;
    this.requested = parts.requested;
    this.nonZeroRequested = parts.nonZeroRequested;
    this.allocatable = parts.allocatable;
    this.usedPorts = parts.usedPorts;
    this.images = parts.images;
  }

  /** @param pods all pods that are bound to the node or assumed on it, and have not ended */
  static of(node: Node, pods: Iterable<Pod> = []): NodeInfo {
    let info = new NodeInfo({ ...empty, ...nodeParts(node) });
    for (const pod of pods) info = info.withPod(pod);
    return info;
  }

  /** Returns a NodeInfo with the same pods and the changed node. */
  withNode(node: Node): NodeInfo {
    return new NodeInfo({ ...this.#parts(), ...nodeParts(node) });
  }

  withPod(pod: Pod): NodeInfo {
    const info = podInfoOf(pod);
    return new NodeInfo({
      ...this.#parts(),
      pods: [...this.pods, info],
      podsWithAffinity: hasAffinity(info) ? [...this.podsWithAffinity, info] : this.podsWithAffinity,
      podsWithRequiredAntiAffinity:
        info.requiredAntiAffinityTerms.length > 0
          ? [...this.podsWithRequiredAntiAffinity, info]
          : this.podsWithRequiredAntiAffinity,
      requested: addResources(this.requested, info.requests),
      nonZeroRequested: addResources(this.nonZeroRequested, info.nonZeroRequests),
      usedPorts: info.hostPorts.length > 0 ? [...this.usedPorts, ...info.hostPorts] : this.usedPorts,
    });
  }

  /** Returns a NodeInfo without the pod of this uid; the same NodeInfo if it does not have the pod. */
  withoutPod({ metadata: { uid } }: Pod): NodeInfo {
    const at = this.pods.findIndex(({ pod }) => pod.metadata.uid === uid);
    const gone = this.pods[at];
    if (!gone) return this;
    const others = (all: readonly PodInfo[]): readonly PodInfo[] =>
      all.includes(gone) ? all.filter((info) => info !== gone) : all;
    const pods = this.pods.toSpliced(at, 1);
    return new NodeInfo({
      ...this.#parts(),
      pods,
      podsWithAffinity: others(this.podsWithAffinity),
      podsWithRequiredAntiAffinity: others(this.podsWithRequiredAntiAffinity),
      requested: subtractResources(this.requested, gone.requests),
      nonZeroRequested: subtractResources(this.nonZeroRequested, gone.nonZeroRequests),
      usedPorts: gone.hostPorts.length > 0 ? pods.flatMap(({ hostPorts }) => hostPorts) : this.usedPorts,
    });
  }

  #parts(): Parts {
    return {
      node: this.node,
      pods: this.pods,
      podsWithAffinity: this.podsWithAffinity,
      podsWithRequiredAntiAffinity: this.podsWithRequiredAntiAffinity,
      requested: this.requested,
      nonZeroRequested: this.nonZeroRequested,
      allocatable: this.allocatable,
      usedPorts: this.usedPorts,
      images: this.images,
    };
  }
}

type Parts = Pick<
  NodeInfo,
  | 'node'
  | 'pods'
  | 'podsWithAffinity'
  | 'podsWithRequiredAntiAffinity'
  | 'requested'
  | 'nonZeroRequested'
  | 'allocatable'
  | 'usedPorts'
  | 'images'
>;

const empty = {
  pods: [],
  podsWithAffinity: [],
  podsWithRequiredAntiAffinity: [],
  requested: noResources,
  nonZeroRequested: noResources,
  usedPorts: [],
};

function nodeParts(node: Node): Pick<Parts, 'node' | 'allocatable' | 'images'> {
  return {
    node,
    allocatable: parseResources(node.status.allocatable as ResourceList | undefined),
    images: new Map(
      (node.status.images ?? []).flatMap(({ names = [], sizeBytes = 0 }) =>
        names.map((name) => [name, sizeBytes] as const),
      ),
    ),
  };
}

function hasAffinity(info: PodInfo): boolean {
  return (
    info.requiredAffinityTerms.length > 0 ||
    info.requiredAntiAffinityTerms.length > 0 ||
    info.preferredAffinityTerms.length > 0 ||
    info.preferredAntiAffinityTerms.length > 0
  );
}
