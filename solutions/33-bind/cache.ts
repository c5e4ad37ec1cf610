/** Level 3 · The cache. */
import { framework, keyOf, keyToString, type Node, type Pod } from '#harness';

const noNamespaces: framework.Snapshot['namespaces'] = new Map();

/** A pod in the cache. */
interface PodState {
  /** Has a node. */
  readonly pod: Pod;
  readonly assumed: boolean;
}

export class SchedulerCache {
  /** By uid. */
  readonly #pods = new Map<string, PodState>();
  /** The nodes that are there, by name, with all of their {@link #pods}. */
  readonly #nodes = new Map<string, framework.NodeInfo>();
  /** Those of {@link #pods} whose nodes are not there: by the name of the node, then by uid. */
  readonly #podsWithoutNode = new Map<string, Map<string, Pod>>();
  #last = new framework.Snapshot([]);
  /** Where in the last snapshot each node is; `undefined` when nodes have come or gone since. */
  #positions: Map<string, number> | undefined;
  /** The nodes that are not as they were in the last snapshot. */
  readonly #changed = new Set<string>();

  addNode(node: Node): void {
    const { name } = node.metadata;
    const known = this.#nodes.get(name);
    if (known) {
      this.#put(known.withNode(node));
      return;
    }
    this.#nodes.set(name, framework.NodeInfo.of(node, this.#podsWithoutNode.get(name)?.values()));
    this.#podsWithoutNode.delete(name);
    this.#positions = undefined;
  }

  updateNode(_oldNode: Node, newNode: Node): void {
    this.addNode(newNode);
  }

  removeNode({ metadata: { name } }: Node): void {
    const known = this.#nodes.get(name);
    if (!known) return;
    this.#nodes.delete(name);
    this.#positions = undefined;
    if (known.pods.length === 0) return;
    this.#podsWithoutNode.set(name, new Map(known.pods.map(({ pod }) => [pod.metadata.uid, pod])));
  }

  addPod(pod: Pod): void {
    this.removePod(pod);
    this.#addPod({ pod, assumed: false });
  }

  updatePod(_oldPod: Pod, newPod: Pod): void {
    this.addPod(newPod);
  }

  removePod({ metadata: { uid } }: Pod): void {
    const known = this.#pods.get(uid);
    if (!known) return;
    this.#pods.delete(uid);
    const { nodeName = '' } = known.pod.spec;
    const info = this.#nodes.get(nodeName);
    const withoutNode = this.#podsWithoutNode.get(nodeName);
    if (info) this.#put(info.withoutPod(known.pod));
    withoutNode?.delete(uid);
    if (withoutNode?.size === 0) this.#podsWithoutNode.delete(nodeName);
  }

  assumePod(pod: Pod, nodeName: string): Pod {
    const known = this.#pods.get(pod.metadata.uid);
    if (known) {
      throw new Error(
        `Failed to assume pod ${keyToString(keyOf(pod))}: it is in the cache already, on ${known.pod.spec.nodeName}.`,
      );
    }
    const assumed = { ...pod, spec: { ...pod.spec, nodeName } };
    this.#addPod({ pod: assumed, assumed: true });
    return assumed;
  }

  forgetPod(pod: Pod): boolean {
    if (!this.isAssumedPod(pod)) return false;
    this.removePod(pod);
    return true;
  }

  isAssumedPod({ metadata: { uid } }: Pod): boolean {
    return this.#pods.get(uid)?.assumed ?? false;
  }

  getPod({ metadata: { uid } }: Pod): Pod | undefined {
    return this.#pods.get(uid)?.pod;
  }

  snapshot(among: framework.Snapshot['namespaces'] = noNamespaces): framework.Snapshot {
    const nothingNew = this.#positions !== undefined && this.#changed.size === 0;
    if (nothingNew && among === this.#last.namespaces) return this.#last;
    this.#last = new framework.Snapshot(this.#nodeInfos(), { namespaces: among, previous: this.#last });
    this.#changed.clear();
    return this.#last;
  }

  #nodeInfos(): readonly framework.NodeInfo[] {
    if (!this.#positions) {
      this.#positions = new Map([...this.#nodes.keys()].map((name, index) => [name, index]));
      return [...this.#nodes.values()];
    }
    const nodeInfos = this.#last.nodeInfos.slice();
    for (const name of this.#changed) {
      nodeInfos[this.#positions.get(name) as number] = this.#nodes.get(name) as framework.NodeInfo;
    }
    return nodeInfos;
  }

  #addPod(state: PodState): void {
    const { pod } = state;
    const { nodeName = '' } = pod.spec;
    this.#pods.set(pod.metadata.uid, state);
    const info = this.#nodes.get(nodeName);
    if (info) {
      this.#put(info.withPod(pod));
      return;
    }
    const withoutNode = this.#podsWithoutNode.get(nodeName) ?? new Map<string, Pod>();
    this.#podsWithoutNode.set(nodeName, withoutNode.set(pod.metadata.uid, pod));
  }

  #put(info: framework.NodeInfo): void {
    this.#nodes.set(info.name, info);
    this.#changed.add(info.name);
  }
}
