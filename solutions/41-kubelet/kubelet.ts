/** The kubelet, solved: a file for each of its questions. */
import { type NodeComponent, runKubelet } from '#harness';
import { newCrashLoopBackOff } from './backoff.ts';
import {
  generateContainersReadyCondition,
  generatePodInitializedCondition,
  generatePodReadyCondition,
} from './conditions.ts';
import { garbageCollect } from './garbage-collect.ts';
import { handlePodCleanups } from './housekeeping.ts';
import { nodeAgent } from './node-agent.ts';
import { getPhase } from './phase.ts';
import { shouldContainerBeRestarted } from './restart.ts';
import { podSandboxChanged } from './sandbox.ts';
import { syncPod } from './sync-pod.ts';
import { syncTerminatedPod, syncTerminatingPod, syncTerminatingRuntimePod } from './terminate-pod.ts';

export { computePodActions } from './actions.ts';
export { admitPod } from './admission.ts';
export { Backoff, doBackOff, newCrashLoopBackOff } from './backoff.ts';
export { carryOut } from './carry-out.ts';
export {
  generateContainersReadyCondition,
  generatePodInitializedCondition,
  generatePodReadyCondition,
} from './conditions.ts';
export { ephemeralContainersToStart } from './ephemeral.ts';
export { evictionMessage, rankForEviction, thresholdsMet } from './eviction.ts';
export { EvictionManager } from './eviction-manager.ts';
export { garbageCollect } from './garbage-collect.ts';
export { handlePodCleanups } from './housekeeping.ts';
export { computeInitContainerActions } from './init-containers.ts';
export { killContainer, terminationGracePeriod } from './kill-container.ts';
export { killPod } from './kill-pod.ts';
export { deleteOrphanedMirrorPods, reconcileMirrorPod } from './mirror-pod.ts';
export { runNode } from './node.ts';
export { nodeAgent } from './node-agent.ts';
export { computeNodeConditions, nodeStatusHasChanged } from './node-conditions.ts';
export { NodeLease } from './node-lease.ts';
export { getPhase } from './phase.ts';
export { containerShouldRestart, shouldContainerBeRestarted } from './restart.ts';
export { podSandboxChanged } from './sandbox.ts';
export { computeSidecarActions } from './sidecars.ts';
export { startContainer } from './start-container.ts';
export { syncPod } from './sync-pod.ts';
export { syncTerminatedPod, syncTerminatingPod, syncTerminatingRuntimePod } from './terminate-pod.ts';
export { TerminationOrder } from './termination-order.ts';

export const kubelet: NodeComponent = (context) =>
  runKubelet(context, {
    node: nodeAgent,
    decisions: {
      getPhase,
      generatePodInitializedCondition,
      generatePodReadyCondition,
      generateContainersReadyCondition,
      podSandboxChanged,
      shouldContainerBeRestarted,
    },
    syncer: (parts) => {
      // It is lost when the kubelet ends: a container that crashes is then started at once.
      const backOff = newCrashLoopBackOff(parts.context.clock);
      return {
        syncPod: (sync) => syncPod(parts, backOff, sync),
        syncTerminatingPod: (sync) => syncTerminatingPod(parts, sync),
        syncTerminatingRuntimePod: (pod) => syncTerminatingRuntimePod(parts, pod),
        syncTerminatedPod: (sync) => syncTerminatedPod(parts, sync),
        handlePodCleanups: () => handlePodCleanups(parts, backOff),
        garbageCollect: () => garbageCollect(parts),
      };
    },
  });
