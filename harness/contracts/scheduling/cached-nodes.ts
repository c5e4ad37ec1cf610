import type { Node, Pod } from '../../api/objects.ts';
import { NodeInfo, Snapshot } from '../framework/index.ts';

/** A pod in the cache. */
interface PodState {
  /** Has a node. */
  readonly pod: Pod;
  /** It was decided that the pod goes to that node, and no informer has shown it there yet. */
  readonly assumed: boolean;
}

const noNamespaces: Snapshot['namespaces'] = new Map();

/**
 * The nodes of a scheduler's cache, with the pods that were put on them, and all of that at one moment. Pods of nodes that are not there
 * (not yet, or not any more) are known, and count as soon as their node comes.
 *
 * Which pods are on which node, and why, is the cache's, which extends this.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/cache/cache.go cacheImpl
 */
export abstract class CachedNodes {
  /** All pods that take room, by uid. */
  protected readonly states = new Map<string, PodState>();
  /** The nodes that are there, by name. */
  readonly #nodes = new Map<string, NodeInfo>();
  /** Pods whose nodes are not there: by the name of the node, then by uid. */
  readonly #podsWithoutNode = new Map<string, Map<string, Pod>>();
  #last = new Snapshot([]);
  /** Where in the last snapshot each node is; `undefined` if nodes have come or gone since. */
  #positions: Map<string, number> | undefined;
  /** The nodes that are not as they were in the last snapshot. */
  readonly #changed = new Set<string>();

  /** An informer shows this pod on the node that it names. */
  abstract addPod(pod: Pod): void;

  /** A pod that has a node has changed; as {@link addPod} of the new one. Both are of the same uid. */
  updatePod(_oldPod: Pod, newPod: Pod): void {
    this.addPod(newPod);
  }

  /** @returns whether the pod was assumed, and neither shown by an informer nor forgotten nor removed since */
  isAssumedPod({ metadata: { uid } }: Pod): boolean {
    return this.states.get(uid)?.assumed ?? false;
  }

  /** @returns the pod of this uid as the cache has it, with its node; `undefined` if it does not know it */
  getPod({ metadata: { uid } }: Pod): Pod | undefined {
    return this.states.get(uid)?.pod;
  }

  /** A node has come. One of its name that is there already is replaced; its pods stay. */
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

  /** A node has changed; as {@link addNode}. */
  updateNode(_oldNode: Node, newNode: Node): void {
    this.addNode(newNode);
  }

  /**
   * A node has gone: it is in no snapshot any more. Its pods are remembered, because what becomes of them is told
   * separately, and may be told later. Unknown: nothing.
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
   * Everything at this moment: each node that is there, with the pods on it, assumed ones included. What happens to the
   * cache later does not change it. A node that has not changed since the last snapshot is the same `NodeInfo` object in
   * both: plugins rely on that to be fast. Nodes are in the same order from one snapshot to the next as long as none comes or goes.
   *
   * Differs: upstream goes round the zones.
   *
   * @param namespaces goes into the snapshot as it is
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

  /** The pod takes room on the node that it names. */
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

  /** The pod takes no room any more on the node that it names. */
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
