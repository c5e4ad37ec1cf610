/** `#given/41-kubelet`: the parts of the harness that only this kata uses. */

// Level 5: the table of a back-off, and the error while a container waits.
export { BackoffTable, backOffError, backOffKey, crashLoopBackOff } from '../../kubelet/backoff-table.ts';

// Level 2: the parts of a condition, and their texts.
export {
  closedGate,
  conditionFalse,
  conditionTrue,
  containersWith,
  lackingContainers,
} from '../../kubelet/conditions.ts';

// Level 3: the state of a pod in the runtime, and the policies that decide on a restart.
export { findContainerStatus, hashContainer, unknownToKill } from '../../kubelet/containers.ts';
// Level 1: the types of the decisions about a pod.
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
// Level 7: grace periods, and waits that a shorter one ends.
export { MINIMUM_GRACE_SECONDS, terminationGracePeriod } from '../../kubelet/grace-period.ts';
export { interruptible } from '../../kubelet/interruptible.ts';

// Level 6: the parts of a kubelet, and the inputs and results of a sync.
export { failureOf, killWhatIsNotToRun, stopSandbox } from '../../kubelet/kill-steps.ts';
export type { KubeletParts } from '../../kubelet/kubelet-parts.ts';
// Level 13: static pods, and their mirror pods.
export { deleteMirrorPod, newMirrorPod } from '../../kubelet/mirror-pod.ts';
export { newKubelet } from '../../kubelet/new-kubelet.ts';
// Level 12: thresholds, the usage of pods, and the reason for a rejection.
export type { PodRejection } from '../../kubelet/node/node-agent.ts';
// Level 11: the observation and the description of a node.
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
