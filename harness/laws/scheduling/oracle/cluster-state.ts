import type { Labels } from '../../../api/label-selector.ts';
import type { Node, Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';

/** The state of a cluster that decides where a pod may run. */
export interface ClusterState {
  readonly nodes: readonly Node[];
  /** Pods; `spec.nodeName` names the node of each. Pods without a node, and ended pods, do not count. */
  readonly pods: readonly Pod[];
  /** The labels of each namespace. */
  readonly namespaces: Readonly<Record<string, Labels>>;
}

/** Returns the other pods on a node, or in the whole state. */
export function othersIn(state: ClusterState, pod: Pod, node?: Node): readonly Pod[] {
  return state.pods.filter(
    (other) =>
      other.metadata.uid !== pod.metadata.uid &&
      !hasEnded(other) &&
      (node ? other.spec.nodeName === node.metadata.name : nodeOf(state, other) !== undefined),
  );
}

/** Returns the node of a pod. */
export function nodeOf({ nodes }: ClusterState, { spec }: Pod): Node | undefined {
  return nodes.find(({ metadata }) => metadata.name === spec.nodeName);
}
