/** `#given/61-node-lifecycle`: the parts of the harness that only this kata uses. */

// From Level 1: the caches, the memory and the requests of the controller of nodes; at Level 4 the whole controller.
export {
  assembleNodeLifecycle,
  type NodeLifecycle,
  newNodeLifecycle,
} from '../../contracts/node-lifecycle/controller.ts';
// From Level 5: the whole controller of evictions.
export { assembleTaintEviction, TaintEviction } from '../../contracts/node-lifecycle/eviction.ts';
// From Level 1: facts about a node, its taints and its zone.
export {
  byZone,
  CONDITION_TAINTS,
  conditionOf,
  EXECUTE_TAINTS,
  firstToleration,
  GRACES,
  type Graces,
  type Health,
  matchTaint,
  OUT_OF_SERVICE,
  type SeenTaint,
  TAINTS,
  type TaintChanges,
  type ZoneState,
  zoneOf,
} from '../../contracts/node-lifecycle/facts.ts';
// From Level 6 ★: the whole garbage collector of pods.
export { assemblePodGc, PodGc } from '../../contracts/node-lifecycle/pod-gc.ts';
