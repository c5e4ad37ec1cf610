/** `#given/41-kubelet`: the parts of the harness that only this kata uses. */
export { BackoffTable, backOffError, backOffKey, crashLoopBackOff } from '../../kubelet/backoff-table.ts';
export {
  closedGate,
  conditionFalse,
  conditionTrue,
  containersWith,
  lackingContainers,
} from '../../kubelet/conditions.ts';
export { findContainerStatus, hashContainer, unknownToKill } from '../../kubelet/containers.ts';
export type {
  BackoffError,
  ConditionInput,
  InitContainerActions,
  InitContainerNeeds,
  PhaseOptions,
  PodPhase,
  ProbeResults,
  SandboxChange,
  SidecarActions,
} from '../../kubelet/decisions.ts';
export { MINIMUM_GRACE_SECONDS, terminationGracePeriod } from '../../kubelet/grace-period.ts';
export { interruptible } from '../../kubelet/interruptible.ts';
export { failureOf, killWhatIsNotToRun, stopSandbox } from '../../kubelet/kill-steps.ts';
export type { KubeletParts } from '../../kubelet/kubelet-parts.ts';
export { deleteMirrorPod, newMirrorPod } from '../../kubelet/mirror-pod.ts';
export { newKubelet } from '../../kubelet/new-kubelet.ts';
export type { PodRejection } from '../../kubelet/node/node-agent.ts';
export { describeNode, nodeDescription } from '../../kubelet/node/node-description.ts';
export {
  type NodeObservation,
  type NodePressure,
  type NodeSources,
  observeNode,
} from '../../kubelet/node/node-observation.ts';
export type {
  AdmissionInput,
  EvictionGrounds,
  EvictionManagerOptions,
  NodeConditions,
  NodeLeaseOptions,
  NodeParts,
} from '../../kubelet/node/node-parts.ts';
export { formatAmount, isCriticalPod, localStorageMessage } from '../../kubelet/node/pod-limits.ts';
export type { NodeUsage, PodUsage } from '../../kubelet/node/pod-usage.ts';
export {
  defaultEvictionHard,
  type EvictionSignal,
  type EvictionThreshold,
  resourceOf,
  type SignalObservations,
  thresholdQuantity,
} from '../../kubelet/node/thresholds.ts';
export {
  type ContainerToKill,
  nothingToDo,
  type PodActions,
  type RuntimeContainerState,
  type RuntimeContainerStatus,
  type RuntimePodStatus,
} from '../../kubelet/pod-status.ts';
export type { PodSync, SyncOutcome, TerminatingPodSync } from '../../kubelet/pod-syncer.ts';
export {
  type ContainerKill,
  type ContainerStart,
  isRunningPod,
  type KillPodOptions,
  type PodWork,
  type RunningPod,
  runningPod,
  type TerminationTurns,
} from '../../kubelet/pod-work.ts';
export { restartsAfterKill, shouldContainerBeRestarted, whyToKill } from '../../kubelet/restart.ts';
export { fullName, isStaticPod } from '../../kubelet/static-pod.ts';
export { ContainerBackOff, PodSyncResult } from '../../kubelet/sync-result.ts';
