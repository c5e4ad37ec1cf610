/** The kubelet, solved: a file for each of its questions. */
export { computePodActions } from './actions.ts';
export { Backoff, doBackOff, newCrashLoopBackOff } from './backoff.ts';
export {
  generateContainersReadyCondition,
  generatePodInitializedCondition,
  generatePodReadyCondition,
} from './conditions.ts';
export { ephemeralContainersToStart } from './ephemeral.ts';
export { computeInitContainerActions } from './init-containers.ts';
export { getPhase } from './phase.ts';
export { containerShouldRestart, shouldContainerBeRestarted } from './restart.ts';
export { podSandboxChanged } from './sandbox.ts';
export { computeSidecarActions } from './sidecars.ts';
