/** The reference kubelet: each question has a file. */
import { type NodeParts, newKubelet } from '#given/41-kubelet';
import type { NodeComponent } from '#harness';
import { admitPod } from './admission.ts';
import { Backoff } from './backoff.ts';
import { generateContainersReadyCondition, generatePodReadyCondition } from './conditions.ts';
import { EvictionManager } from './eviction-manager.ts';
import { handlePodCleanups } from './housekeeping.ts';
import { killContainer } from './kill-container.ts';
import { killPod } from './kill-pod.ts';
import { runNode } from './node.ts';
import { getPhase } from './phase.ts';
import { podSandboxChanged } from './sandbox.ts';
import { syncPod } from './sync-pod.ts';
import { syncTerminatedPod, syncTerminatingPod } from './terminate-pod.ts';

export { computePodActions } from './actions.ts';
export { admitPod } from './admission.ts';
export { Backoff, doBackOff } from './backoff.ts';
export { carryOut } from './carry-out.ts';
export { generateContainersReadyCondition, generatePodReadyCondition } from './conditions.ts';
export { ephemeralContainersToStart } from './ephemeral.ts';
export { evictionMessage, rankForEviction, thresholdsMet } from './eviction.ts';
export { EvictionManager } from './eviction-manager.ts';
export { handlePodCleanups } from './housekeeping.ts';
export { computeInitContainerActions } from './init-containers.ts';
export { killContainer } from './kill-container.ts';
export { killPod } from './kill-pod.ts';
export { deleteOrphanedMirrorPods, reconcileMirrorPod } from './mirror-pod.ts';
export { runNode } from './node.ts';
export { computeNodeConditions, nodeStatusHasChanged } from './node-conditions.ts';
export { NodeLease } from './node-lease.ts';
export { getPhase } from './phase.ts';
export { podSandboxChanged } from './sandbox.ts';
export { computeSidecarActions } from './sidecars.ts';
export { startContainer } from './start-container.ts';
export { syncPod } from './sync-pod.ts';
export { syncTerminatedPod, syncTerminatingPod } from './terminate-pod.ts';
export { TerminationOrder } from './termination-order.ts';

export const kubelet: NodeComponent = newKubelet({
  getPhase,
  generatePodReadyCondition,
  generateContainersReadyCondition,
  podSandboxChanged,
  newBackOff: (options) => new Backoff(options),
  syncPod,
  killContainer,
  killPod,
  syncTerminatingPod,
  syncTerminatedPod,
  handlePodCleanups,
  nodeParts,
});

export function nodeParts(): NodeParts {
  return { runNode, admitPod, newEvictionManager: (options) => new EvictionManager(options) };
}
