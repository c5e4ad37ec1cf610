import type { KubeObject, Node, Pod } from '../../api/objects.ts';
import { hasEnded } from '../../api/predicates.ts';
import { nodes, pods } from '../../api/resource.ts';
import type { Storage } from '../../apiserver/storage/storage.ts';
import { type ClusterState, mayRunOn } from '../scheduling/oracle.ts';
import { PROCESS } from './step.ts';

/**
 * Is the pod one that this scheduler is to find a node for, now?
 *
 * What is so: which pods a scheduler is there for, and where they may run.
 */
export function isWaiting(pod: Pod): boolean {
  return whyNot(pod) === undefined;
}

/** Why a scheduler must leave a pod alone, as a half sentence; `undefined` when it is there for it. */
export function whyNot(pod: Pod): string | undefined {
  const { metadata, spec } = pod;
  if (spec.schedulerName !== PROCESS) return `is for ${spec.schedulerName}`;
  if (spec.nodeName) return `is on ${spec.nodeName}`;
  if (metadata.deletionTimestamp) return 'is being deleted';
  if (hasEnded(pod)) return 'has ended';
  if ((spec.schedulingGates ?? []).length > 0) return 'has a gate that is closed';
  return undefined;
}

/** The priority of a pod; 0 if it has none. */
export function priorityOf({ spec }: Pod): number {
  return spec.priority ?? 0;
}

/** The whole cluster as it is, for the oracle. */
export function clusterStateOf(storage: Storage): ClusterState {
  return {
    nodes: storage.list(nodes) as KubeObject[] as Node[],
    pods: storage.list(pods) as KubeObject[] as Pod[],
    namespaces: {},
  };
}

/** The nodes that the pod could be put on, just now. */
export function placesFor(pod: Pod, state: ClusterState): readonly string[] {
  return state.nodes.filter((node) => mayRunOn(pod, node, state)).map(({ metadata }) => metadata.name);
}
