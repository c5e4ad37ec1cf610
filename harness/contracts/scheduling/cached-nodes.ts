import type { Node, Pod } from '../../api/objects.ts';
import { NodeInfo, Snapshot } from '../framework/index.ts';

/** A pod in the cache. */
interface PodState {
  /** The pod, with a node. */
  readonly pod: Pod;
  /** Whether the scheduler has decided on that node, and no informer has shown the pod there yet. */
  readonly assumed: boolean;
}

const noNamespaces: Snapshot['namespaces'] = new Map();

/**
 * The nodes of a scheduler's cache with their pods, and snapshots of them. It also keeps pods of missing nodes (not
 * added yet, or removed); they count once their node is added.
 *
 * The cache, which extends this class, decides which pods are on which node.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/cache/cache.go cacheImpl
 */
export abstract class CachedNodes {
  /** All pods that occupy room, by uid. */
  protected readonly states = new Map<string, PodState>();
  /** The existing nodes, by name. */
  readonly #nodes = new Map<string, NodeInfo>();
  /** Pods of missing nodes: by the name of the node, then by uid. */
  readonly #podsWithoutNode = new Map<string, Map<string, Pod>>();
  #last = new Snapshot([]);
  /** The index of each node in the last snapshot; `undefined` if nodes were added or removed since. */
  #positions: Map<string, number> | undefined;
  /** The nodes that have changed since the last snapshot. */
  readonly #changed = new Set<string>();

  /** Handles a pod that an informer shows on its node. */
  abstract addPod(pod: Pod): void;

  /** Handles a changed pod with a node, like {@link addPod} of the new pod. Both pods have the same uid. */
  updatePod(_oldPod: Pod, newPod: Pod): void {
    this.addPod(newPod);
  }

  /** @returns whether the pod is assumed: no informer has shown it, and it was neither forgotten nor removed */
  isAssumedPod({ metadata: { uid } }: Pod): boolean {
    return this.states.get(uid)?.assumed ?? false;
  }

  /** @returns the cached pod of this uid, with its node; `undefined` for an unknown pod */
  getPod({ metadata: { uid } }: Pod): Pod | undefined {
    return this.states.get(uid)?.pod;
  }

  /** Adds a node. It replaces an existing node of the same name, whose pods stay. */
  addNode(node: Node): void {
    const { name } = node.metadata;
    const known = this.#nodes.get(name);
    if (known) {
      this.#put(known.withNode(node));
      return;
    }
    this.#nodes.set(name, NodeInfo.of(node, this.#podsWithoutNode.get(name)?.values()));
    this.#podsWithoutNode.delete(name);
    this.#positions = undefined;
  }

  /** Handles a changed node, like {@link addNode}. */
  updateNode(_oldNode: Node, newNode: Node): void {
    this.addNode(newNode);
  }

  /**
   * Removes a node from later snapshots. Its pods are kept, because their deletions are reported separately, perhaps
   * later. For an unknown node it does nothing.
   */
  removeNode({ metadata: { name } }: Node): void {
    const known = this.#nodes.get(name);
    if (!known) return;
    this.#nodes.delete(name);
    this.#positions = undefined;
    if (known.pods.length === 0) return;
    this.#podsWithoutNode.set(name, new Map(known.pods.map(({ pod }) => [pod.metadata.uid, pod])));
  }

  /**
   * Returns a snapshot of the current state: each existing node with its pods, including assumed ones. Later changes of
   * the cache do not change it. A node that is unchanged since the last snapshot is the same `NodeInfo` object in both;
   * plugins rely on that for speed. The order of the nodes stays the same until a node is added or removed.
   *
   * Differs: upstream alternates between the zones.
   *
   * @param namespaces the namespaces of the snapshot, stored unchanged
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/cache/cache.go cacheImpl.UpdateSnapshot
   */
  snapshot(namespaces: Snapshot['namespaces'] = noNamespaces): Snapshot {
    const nothingNew = this.#positions !== undefined && this.#changed.size === 0;
    if (nothingNew && namespaces === this.#last.namespaces) return this.#last;
    this.#last = new Snapshot(this.#nodeInfos(), { namespaces, previous: this.#last });
    this.#changed.clear();
    return this.#last;
  }

  #nodeInfos(): readonly NodeInfo[] {
    if (!this.#positions) {
      this.#positions = new Map([...this.#nodes.keys()].map((name, index) => [name, index]));
      return [...this.#nodes.values()];
    }
    const nodeInfos = this.#last.nodeInfos.slice();
    for (const name of this.#changed) {
      nodeInfos[this.#positions.get(name) as number] = this.#nodes.get(name) as NodeInfo;
    }
    return nodeInfos;
  }

  /** Adds the pod to its node. */
  protected occupy(pod: Pod): void {
    const { nodeName = '' } = pod.spec;
    const info = this.#nodes.get(nodeName);
    if (info) {
      this.#put(info.withPod(pod));
      return;
    }
    const withoutNode = this.#podsWithoutNode.get(nodeName) ?? new Map<string, Pod>();
    this.#podsWithoutNode.set(nodeName, withoutNode.set(pod.metadata.uid, pod));
  }

  /** Removes the pod from its node. */
  protected vacate(pod: Pod): void {
    const { nodeName = '' } = pod.spec;
    const info = this.#nodes.get(nodeName);
    const withoutNode = this.#podsWithoutNode.get(nodeName);
    if (info) this.#put(info.withoutPod(pod));
    withoutNode?.delete(pod.metadata.uid);
    if (withoutNode?.size === 0) this.#podsWithoutNode.delete(nodeName);
  }

  #put(info: NodeInfo): void {
    this.#nodes.set(info.name, info);
    this.#changed.add(info.name);
  }
}
