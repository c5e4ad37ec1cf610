import type { framework } from '#harness';

/** A node was added. */
export const ADD_NODE: framework.ClusterEvent = { resource: 'Node', actionType: 'Add' };
/** A node's labels have changed. */
export const NODE_LABEL: framework.ClusterEvent = { resource: 'Node', actionType: 'UpdateNodeLabel' };
/** A pod that had a node is gone. */
export const POD_GONE: framework.ClusterEvent = { resource: 'AssignedPod', actionType: 'Delete' };
/** Wakes every pod, whatever turned it away. */
export const FORCED: framework.ClusterEvent = { resource: '*', actionType: 'All' };
