/**
 * The entry point of the harness for katas and solutions: every name that one of them uses. Tests also use `#harness/testing`.
 *
 * Selectors of labels come by module, as in upstream: `labels.parse('app=web')`.
 */
export type * as core from '#api/core/v1';
export type * as discovery from '#api/discovery/v1';
export { sha256Base32 } from './api/digest.ts';
export { formatDuration } from './api/duration.ts';
export { deepEqual } from './api/freeze.ts';
export * as intstr from './api/intstr.ts';
export * from './api/ip-prefix.ts';
export * as labels from './api/label-selector.ts';
export type {
  ConfigMap,
  Deployment,
  EndpointSlice,
  Endpoints,
  Event,
  KubeObject,
  Lease,
  List,
  New,
  Node,
  ObjectKey,
  OwnerReference,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ReplicaSet,
  Secret,
  Service,
} from './api/objects.ts';
export { keyOf, keyToString } from './api/objects.ts';
export { controllerOf, hasEnded, isReady } from './api/predicates.ts';
export { parseQuantity } from './api/quantity.ts';
export {
  configMaps,
  deployments,
  endpointSlices,
  endpoints,
  events,
  groupResource,
  groupVersion,
  leases,
  namespaces,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  priorityClasses,
  type Resource,
  replicaSets,
  resources,
  secrets,
  serviceAccounts,
  services,
  type Verb,
  verbsOf,
} from './api/resource.ts';
export { shouldRestart } from './api/restart-policy.ts';
export { semanticText } from './api/semantic-equality.ts';
export {
  errors,
  hasReason,
  isAlreadyExists,
  isConflict,
  isExpired,
  isNamespaceTerminating,
  isNotFound,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnsupportedMediaType,
  StatusError,
} from './api/status.ts';
export { type Bookmark, INITIAL_EVENTS_END, isInitialEventsEnd, type WatchEvent } from './api/watch-event.ts';
export { shouldAllContainersRestart } from './apiserver/kinds/pod/restart-policy.ts';
export { runAsProgram } from './cli/cni-program.ts';
export * from './contracts/cache/index.ts';
export * from './contracts/deployment/index.ts';
export * as filters from './contracts/filters/index.ts';
export * as framework from './contracts/framework/index.ts';
export type {
  Client,
  Component,
  ComponentContext,
  Components,
  DelayingWorkQueue,
  DeleteOptions,
  DnsMessage,
  DnsQuestion,
  DnsRecord,
  DnsType,
  EventRecorder,
  IndexFunc,
  IndexReader,
  InformerOptions,
  KubernetesDns,
  KubernetesDnsOptions,
  ListOptions,
  NewInformer,
  NewKubernetesDns,
  NewWorkQueue,
  NodeComponent,
  NodeComponentContext,
  Patch,
  RateLimiter,
  RateLimitingWorkQueue,
  ResourceEventHandler,
  ResourceEventHandlerRegistration,
  RunWorkers,
  SharedInformer,
  SharedInformerFactory,
  Watch,
  WorkersOptions,
  WorkQueue,
  WorkQueueOptions,
} from './contracts/index.ts';
export {
  ConnectionError,
  DeletedFinalStateUnknown,
  ItemFastSlowRateLimiter,
  isConnectionRefused,
  isSameStatus,
  MaxOfRateLimiter,
  NotImplemented,
  newControllerRef,
  RateLimitingDecorator,
  tell,
  todo,
  WorkQueueDecorator,
} from './contracts/index.ts';
export * as cri from './contracts/node/cri/index.ts';
export * from './contracts/node/index.ts';
export * from './contracts/replicaset/index.ts';
export * as scheduling from './contracts/scheduling/index.ts';
export { BackoffTable, backOffError, backOffKey, crashLoopBackOff } from './kubelet/backoff-table.ts';
export {
  closedGate,
  conditionFalse,
  conditionTrue,
  containersWith,
  lackingContainers,
} from './kubelet/conditions.ts';
export { containerReference } from './kubelet/container-reference.ts';
export { findContainerStatus, hashContainer, isSidecar, unknownToKill } from './kubelet/containers.ts';
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
} from './kubelet/decisions.ts';
export { expand } from './kubelet/expand.ts';
export { MINIMUM_GRACE_SECONDS, terminationGracePeriod } from './kubelet/grace-period.ts';
export { assembleImageManager } from './kubelet/images/assemble-image-manager.ts';
export {
  type Credential,
  credentialHash,
  type DockerConfigEntry,
  dockerConfigOf,
  parseDockerConfig,
} from './kubelet/images/docker-config.ts';
export { errorText } from './kubelet/images/error-text.ts';
export { freeDiskSpaceFailed, usagePercent } from './kubelet/images/free-disk-space.ts';
export { imageMessages } from './kubelet/images/image-messages.ts';
export type {
  ImageCollectorOptions,
  ImageEnsurerOptions,
  ImageName,
  ImageRecord,
  KeyringEntry,
  PulledImage,
  PullManagerOptions,
  PullPolicy,
  PullRequest,
  PullWaits,
} from './kubelet/images/image-parts.ts';
export { pullError } from './kubelet/images/pull-error.ts';
export { PullLimiter } from './kubelet/images/pull-limiter.ts';
export {
  type ImagePullCredentials,
  type ImagePulledRecord,
  type ImagePullSecret,
  PullRecordStore,
} from './kubelet/images/pull-record-store.ts';
export { type PullRecords, trusting } from './kubelet/images/pull-records.ts';
export { orAborted, type Puller } from './kubelet/images/puller.ts';
export { interruptible } from './kubelet/interruptible.ts';
export { failureOf, killWhatIsNotToRun, stopSandbox } from './kubelet/kill-steps.ts';
export type { KubeletParts } from './kubelet/kubelet-parts.ts';
export { messageOf } from './kubelet/message-of.ts';
export { deleteMirrorPod, newMirrorPod } from './kubelet/mirror-pod.ts';
export { newKubelet } from './kubelet/new-kubelet.ts';
export {
  type AdmissionInput,
  defaultEvictionHard,
  describeNode,
  type EvictionGrounds,
  type EvictionManagerOptions,
  type EvictionSignal,
  type EvictionThreshold,
  formatAmount,
  isCriticalPod,
  localStorageMessage,
  type NodeConditions,
  type NodeLeaseOptions,
  type NodeObservation,
  type NodeParts,
  type NodePressure,
  type NodeSources,
  type NodeUsage,
  nodeDescription,
  observeNode,
  type PodRejection,
  type PodUsage,
  resourceOf,
  type SignalObservations,
  thresholdQuantity,
} from './kubelet/node/index.ts';
export {
  type ContainerToKill,
  nothingToDo,
  type PodActions,
  type RuntimeContainerState,
  type RuntimeContainerStatus,
  type RuntimePodStatus,
} from './kubelet/pod-status.ts';
export type { PodSync, SyncOutcome, TerminatingPodSync } from './kubelet/pod-syncer.ts';
export {
  type ContainerKill,
  type ContainerStart,
  isRunningPod,
  type KillPodOptions,
  type PodWork,
  type RunningPod,
  runningPod,
  type TerminationTurns,
} from './kubelet/pod-work.ts';
export { getURL, isRedirect, type ProbeRedirect, redirected, sendGet } from './kubelet/prober/get.ts';
export {
  type ProbeAnswer,
  type Probed,
  type ProbeTarget,
  type ProbeTools,
  portOf,
  probeHeaders,
  timeoutMsOf,
} from './kubelet/prober/one-probe.ts';
export { sayHealthError, urlOf } from './kubelet/prober/probe-texts.ts';
export {
  containerStatusOf,
  hasSurvived,
  nothingSeen,
  type ProbeSight,
  type ProbeState,
  type ProbeTick,
  type ProbeWorkerOptions,
} from './kubelet/prober/probe-worker.ts';
export { restartsAfterKill, shouldContainerBeRestarted, whyToKill } from './kubelet/restart.ts';
export { runKubelet } from './kubelet/run-kubelet.ts';
export { fullName, isStaticPod } from './kubelet/static-pod.ts';
export { ContainerBackOff, PodSyncResult } from './kubelet/sync-result.ts';
export {
  type Addressing,
  attachmentInterfaces,
  bridgeConfiguration,
  changeNat,
  checkAddresses,
  checkNamespace,
  masqueradedContainers,
  mtuWords,
  natLines,
  type PairOptions,
  type RuleOwner,
} from './node/cni/bridge-parts.ts';
export {
  ensureMasqueradeChain,
  POD_NETWORK,
  type PodRoutes,
  ROUTE_PROTOCOL,
  writeConflist,
} from './node/cni/flannel.ts';
export {
  formatRangeSet,
  type IpamConfiguration,
  type Range,
  type RangeConfiguration,
  type RangeRules,
  type RangeSet,
  readIpamConfiguration,
  readRangeSets,
} from './node/cni/ipam-configuration.ts';
export { errorOf } from './node/cni/libcni.ts';
export { linkNamed } from './node/cni/links.ts';
export { chainName, namespaceName, ruleComment, sha512 } from './node/cni/names.ts';
export { readResult } from './node/cni/result.ts';
export { type CniRequest, cniCodes, pluginMain } from './node/cni/skel.ts';
export { type Clock, formatMicroTime, formatTime, type Random } from './sim/index.ts';
