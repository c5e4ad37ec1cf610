/** The kubelet, solved. What each part is for stands in the README beside this file. */
export { computePodActions } from './actions.ts';
export {
  Backoff,
  type BackoffError,
  type BackoffOptions,
  doBackOff,
  newCrashLoopBackOff,
} from './backoff.ts';
export {
  type ConditionInput,
  generateContainersReadyCondition,
  generatePodInitializedCondition,
  generatePodReadyCondition,
} from './conditions.ts';
export { ephemeralContainersToStart } from './ephemeral.ts';
export { computeInitContainerActions, type InitContainerActions } from './init-containers.ts';
export { getPhase, type PhaseOptions } from './phase.ts';
export {
  containerShouldRestart,
  type InitContainerStep,
  type ProbeResults,
  shouldContainerBeRestarted,
} from './restart.ts';
export { podSandboxChanged, type SandboxChange } from './sandbox.ts';
export { computeSidecarActions } from './sidecars.ts';
