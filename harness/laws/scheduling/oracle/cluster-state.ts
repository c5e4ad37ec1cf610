import type { Labels } from '../../../api/label-selector.ts';
import type { Node, Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';

/** All that decides where a pod may run. */
export interface ClusterState {
  readonly nodes: readonly Node[];
  /** Each on the node that its `spec.nodeName` names. Those that have none, or have ended, are nowhere. */
  readonly pods: readonly Pod[];
  /** The labels of each namespace. */
  readonly namespaces: Readonly<Record<string, Labels>>;
}

/** The pods that are on a node, or in the whole state; a pod is never its own neighbour. */
export function othersIn(state: ClusterState, pod: Pod, node?: Node): readonly Pod[] {
  return state.pods.filter(
    (other) =>
      other.metadata.uid !== pod.metadata.uid &&
      !hasEnded(other) &&
      (node ? other.spec.nodeName === node.metadata.name : nodeOf(state, other) !== undefined),
  );
}

/** The node that a pod is on. */
export function nodeOf({ nodes }: ClusterState, { spec }: Pod): Node | undefined {
  return nodes.find(({ metadata }) => metadata.name === spec.nodeName);
}
