/**
 * The controllers of failing nodes. From the inside out: signs of life, taints and zones are pure functions; then the
 * pass, the eviction and the garbage collector, which observe, decide and write. Each level has a file.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle, pkg/controller/tainteviction,
 * pkg/controller/podgc
 */

export { evictionAt, evictPod, syncPod, taintEvictionController } from './eviction.ts';
export { checkNode, isSilent, observeHealth, unknownConditions } from './health.ts';
export {
  executeTaints,
  limitTaints,
  markPodsNotReady,
  monitorPass,
  nodeLifecycleController,
} from './monitor.ts';
export {
  forceDelete,
  gcPass,
  isStuck,
  podGarbageCollector,
  terminatedPods,
} from './pod-gc.ts';
export { taintChanges, taintsByCondition } from './taints.ts';
export { evictionRate, setBrakes, zoneState } from './zones.ts';
