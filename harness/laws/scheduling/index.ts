/** `#laws/scheduling`: the entry point for the tests. */

export {
  aSchedulingNode,
  aSchedulingPod,
  aSnapshot,
  type SchedulingNodeParts,
  type SchedulingPodParts,
} from './levels/objects.ts';
export {
  type ClusterState,
  mayRunOn,
  overcommitments,
  type Ruling,
  rulingsOn,
} from './oracle/index.ts';
export { clusters as schedulingClusters } from './scenario/clusters.ts';
export { SchedulingCluster } from './simulation.ts';
