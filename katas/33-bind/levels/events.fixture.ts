import type { framework } from '#harness';

/** A node was added. */
export const ADD_NODE: framework.ClusterEvent = { resource: 'Node', actionType: 'Add' };
/** The labels of a node have changed. */
export const NODE_LABEL: framework.ClusterEvent = { resource: 'Node', actionType: 'UpdateNodeLabel' };
/** A pod that had a node was deleted. */
export const POD_GONE: framework.ClusterEvent = { resource: 'AssignedPod', actionType: 'Delete' };
/** The wildcard event, which wakes every pod. */
export const FORCED: framework.ClusterEvent = { resource: '*', actionType: 'All' };
