/** `#given/61-node-lifecycle`: the parts of the harness that only this kata uses. */

// From Level 3: compares a toleration with a taint.
export { toleratesTaint } from '../../contracts/filters/matching.ts';
// From Level 4: the whole controller of nodes, its caches and its memory.
export { assembleNodeLifecycle, NodeLifecycle } from '../../contracts/node-lifecycle/controller.ts';
// From Level 5: the whole controller of evictions.
export { assembleTaintEviction, TaintEviction } from '../../contracts/node-lifecycle/eviction.ts';
// From Level 1: facts about a node, its taints and its zone.
export {
  byZone,
  CONDITION_TAINTS,
  conditionOf,
  EXECUTE_TAINTS,
  GRACES,
  type Graces,
  type Health,
  matchTaint,
  OUT_OF_SERVICE,
  type SeenTaint,
  type TaintChanges,
  TAINTS,
  type ZoneState,
  zoneOf,
} from '../../contracts/node-lifecycle/facts.ts';
// From Level 6 ★: the whole garbage collector of pods.
export { assemblePodGc, PodGc, type PodGcOptions } from '../../contracts/node-lifecycle/pod-gc.ts';
