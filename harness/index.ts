/**
 * The entry point of the harness for katas and solutions: the names that several of them use. The names that only one kata uses come
 * from its own entry point, `#given/NN-name`. Tests also use `#harness/testing`.
 *
 * Selectors of labels come by module, as in upstream: `labels.parse('app=web')`.
 */
export type * as core from '#api/core/v1';
export type * as discovery from '#api/discovery/v1';
export { sha256Base32 } from './api/digest.ts';
export { formatDuration } from './api/duration.ts';
export { deepEqual } from './api/freeze.ts';
export * as intstr from './api/intstr.ts';
export {
  bitsOf,
  contains,
  firstOf,
  formatPrefix,
  type IP,
  type IPPrefix,
  lastOf,
  parseIP,
  parsePrefix,
  plus,
} from './api/ip-prefix.ts';
export * as labels from './api/label-selector.ts';
export {
  type ConfigMap,
  type ControllerRevision,
  type DaemonSet,
  type Deployment,
  type EndpointSlice,
  type Endpoints,
  type Event,
  type Job,
  type KubeObject,
  keyOf,
  keyToString,
  type Lease,
  type List,
  type Namespace,
  type New,
  type Node,
  type ObjectKey,
  type OwnerReference,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type ReplicaSet,
  type Secret,
  type Service,
  type ServiceAccount,
  type StatefulSet,
} from './api/objects.ts';
export { controllerRevisions, daemonSets, jobs, statefulSets } from './api/plain-resources.ts';
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
export { compareResourceVersion } from './api/resource-version.ts';
export { shouldRestart } from './api/restart-policy.ts';
export { semanticEqual, semanticText } from './api/semantic-equality.ts';
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
export * as storage from './api/storage-class.ts';
export { type Bookmark, INITIAL_EVENTS_END, isInitialEventsEnd, type WatchEvent } from './api/watch-event.ts';
export { shouldAllContainersRestart } from './apiserver/kinds/pod/restart-policy.ts';
export * as framework from './contracts/framework/index.ts';
export * as sets from './contracts/history/index.ts';
export {
  type Client,
  type Component,
  type ComponentContext,
  type Components,
  ConnectionError,
  type DelayingWorkQueue,
  DeletedFinalStateUnknown,
  type DeleteOptions,
  type DnsMessage,
  type DnsQuestion,
  type DnsRecord,
  type DnsType,
  type EventRecorder,
  type IndexFunc,
  type IndexReader,
  type InformerOptions,
  ItemBackoff,
  ItemFastSlowRateLimiter,
  isConnectionRefused,
  isSameStatus,
  type KubernetesDns,
  type KubernetesDnsOptions,
  type ListOptions,
  lastKnown,
  MaxOfRateLimiter,
  type NewInformer,
  type NewKubernetesDns,
  type NewWorkQueue,
  type NodeComponent,
  type NodeComponentContext,
  NotImplemented,
  newControllerRef,
  type Patch,
  type RateLimiter,
  RateLimitingDecorator,
  type RateLimitingWorkQueue,
  type ResourceEventHandler,
  type ResourceEventHandlerRegistration,
  type RunWorkers,
  type SharedInformer,
  type SharedInformerFactory,
  tell,
  todo,
  type Watch,
  type WorkersOptions,
  type WorkQueue,
  WorkQueueDecorator,
  type WorkQueueOptions,
} from './contracts/index.ts';
export type { BridgeConfiguration } from './contracts/node/bridge-configuration.ts';
export type { CniConfiguration, CniExit, CniPlugin, CniProcess } from './contracts/node/cni-plugin.ts';
export * as cri from './contracts/node/cri/index.ts';
export type { CsiNode } from './contracts/node/csi-node.ts';
export {
  FileError,
  type FileInfo,
  type FileSystem,
  type HttpAnswer,
  type HttpRequest,
  type MachineInfo,
  type MountOptions,
  type MountPoint,
  NetworkError,
  type NodeHost,
  type NodeNetwork,
  type SocketAddress,
  type WriteOptions,
} from './contracts/node/host.ts';
export {
  type ImageConfiguration,
  ImageError,
  type ImageErrorReason,
  type ImageManager,
  type ImageManagerOptions,
  type ImageRequest,
  type NewImageManager,
} from './contracts/node/image-manager.ts';
export type { IpAddresses, IpLink, IpRoute } from './contracts/node/ip-json.ts';
export type { KubeletConfiguration } from './contracts/node/kubelet-configuration.ts';
export {
  type CniAddress,
  type CniAttachment,
  CniError,
  type CniResult,
  type NetworkPlugin,
} from './contracts/node/network-plugin.ts';
export { type NetworkTools, type Shell, shell, ToolError } from './contracts/node/network-tools.ts';
export type {
  NewProbeManager,
  ProbeManager,
  ProbeManagerOptions,
  ProbeResult,
  ProbeType,
  ProbeUpdate,
} from './contracts/node/probe-manager.ts';
export type {
  NewVolumeManager,
  VolumeManager,
  VolumeManagerOptions,
} from './contracts/node/volume-manager.ts';
export type { ObjectCache } from './contracts/object-cache.ts';
export type {
  NewVolumePlugin,
  VolumePlugin,
  VolumePluginOptions,
} from './contracts/scheduling/volume-plugin.ts';
export { containerReference } from './kubelet/container-reference.ts';
export { isSidecar } from './kubelet/containers.ts';
export { expand } from './kubelet/expand.ts';
export { messageOf } from './kubelet/message-of.ts';
export { type CniRequest, pluginMain } from './node/cni/skel.ts';
export { type Clock, formatMicroTime, formatTime, type Random } from './sim/index.ts';
