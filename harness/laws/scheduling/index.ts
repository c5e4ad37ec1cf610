/** The door of this folder, for the tests: `#laws/scheduling`. */
export { SchedulingCluster } from './cluster.ts';
export { clusters as schedulingClusters } from './clusters.ts';
export {
  aSchedulingNode,
  aSchedulingPod,
  aSnapshot,
  type SchedulingNodeParts,
  type SchedulingPodParts,
} from './objects.ts';
export {
  type ClusterState,
  mayRunOn,
  overcommitments,
  type Ruling,
  rulingsOn,
} from './oracle.ts';
