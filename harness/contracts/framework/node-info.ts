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
 * A node as a scheduler sees it: the node, the pods on it and on their way to it, and the sums over them. A value: what
 * adds a pod gives another NodeInfo, so that a holder of one keeps what it saw.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go NodeInfo
 *
 * Differs: upstream's is changed in place and copied for each snapshot; a generation tells which to copy. Here two are
 * the same when they are the same object.
 */
export class NodeInfo {
  /** That of the node: kept here, because it is asked for all the time. */
  readonly name: string;
  readonly node: Node;
  readonly pods: readonly PodInfo[];
  /** Those that have any affinity or anti-affinity to pods, required or preferred. */
  readonly podsWithAffinity: readonly PodInfo[];
  /** Those that have a required anti-affinity. */
  readonly podsWithRequiredAntiAffinity: readonly PodInfo[];
  /** What the pods ask for, together. */
  readonly requested: Resources;
  /** The same, with 100m and 200Mi for each container that does not say what it wants. */
  readonly nonZeroRequested: Resources;
  /** What there is for pods. */
  readonly allocatable: Resources;
  readonly usedPorts: readonly HostPort[];
  /** Images that are on the node already: bytes by each of their names. */
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

  /** @param pods all that are bound to the node or assumed to be, and have not ended */
  static of(node: Node, pods: Iterable<Pod> = []): NodeInfo {
    let info = new NodeInfo({ ...empty, ...nodeParts(node) });
    for (const pod of pods) info = info.withPod(pod);
    return info;
  }

  /** The same pods on the node as it is now. */
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

  /** Without the pod of this uid; itself, if there is none. */
  withoutPod({ metadata: { uid } }: Pod): NodeInfo {
    const gone = this.pods.find(({ pod }) => pod.metadata.uid === uid);
    if (!gone) return this;
    const others = (all: readonly PodInfo[]): readonly PodInfo[] =>
      all.includes(gone) ? all.filter((info) => info !== gone) : all;
    const pods = others(this.pods);
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
