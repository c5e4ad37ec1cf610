import type { KubeObject, Node, Pod } from '../../../api/objects.ts';
import { hasEnded } from '../../../api/predicates.ts';
import { nodes, pods } from '../../../api/resource.ts';
import type { Storage } from '../../../apiserver/storage/storage.ts';
import { type ClusterState, mayRunOn } from '../../scheduling/oracle/index.ts';
import { PROCESS } from '../operations.ts';

/**
 * Reports whether this scheduler has to find a node for the pod now.
 */
export function isWaiting(pod: Pod): boolean {
  return whyNot(pod) === undefined;
}

/** Explains in a predicate (`is on node-1`) why the scheduler must ignore a pod; `undefined` if it must schedule it. */
export function whyNot(pod: Pod): string | undefined {
  const { metadata, spec } = pod;
  if (spec.schedulerName !== PROCESS) return `is for ${spec.schedulerName}`;
  if (spec.nodeName) return `is on ${spec.nodeName}`;
  if (metadata.deletionTimestamp) return 'is being deleted';
  if (hasEnded(pod)) return 'has ended';
  if ((spec.schedulingGates ?? []).length > 0) return 'has a scheduling gate';
  return undefined;
}

/** Returns the priority of a pod; 0 by default. */
export function priorityOf({ spec }: Pod): number {
  return spec.priority ?? 0;
}

/** Returns the state of the cluster for the oracle. */
export function clusterStateOf(storage: Storage): ClusterState {
  return {
    nodes: storage.list(nodes) as KubeObject[] as Node[],
    pods: storage.list(pods) as KubeObject[] as Pod[],
    namespaces: {},
  };
}

/** Returns the names of the nodes on which the pod fits. */
export function placesFor(pod: Pod, state: ClusterState): readonly string[] {
  return state.nodes.filter((node) => mayRunOn(pod, node, state)).map(({ metadata }) => metadata.name);
}
