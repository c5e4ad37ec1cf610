// Derived from the Go types of core/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as meta from '../meta/v1.d.ts';
export interface AWSElasticBlockStoreVolumeSource {
  volumeID: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
}
export interface Affinity {
  nodeAffinity?: NodeAffinity;
  podAffinity?: PodAffinity;
  podAntiAffinity?: PodAntiAffinity;
}
export interface AppArmorProfile {
  type: string;
  localhostProfile?: string;
}
export interface AttachedVolume {
  name: string;
  devicePath: string;
}
export interface AzureDiskVolumeSource {
  diskName: string;
  diskURI: string;
  cachingMode?: string;
  fsType?: string;
  readOnly?: boolean;
  kind?: string;
}
export interface AzureFilePersistentVolumeSource {
  secretName: string;
  shareName: string;
  readOnly?: boolean;
  secretNamespace?: string;
}
export interface AzureFileVolumeSource {
  secretName: string;
  shareName: string;
  readOnly?: boolean;
}
export interface Binding {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  target: ObjectReference;
}
export interface CSIPersistentVolumeSource {
  driver: string;
  volumeHandle: string;
  readOnly?: boolean;
  fsType?: string;
  volumeAttributes?: { [name: string]: string };
  controllerPublishSecretRef?: SecretReference;
  nodeStageSecretRef?: SecretReference;
  nodePublishSecretRef?: SecretReference;
  controllerExpandSecretRef?: SecretReference;
  nodeExpandSecretRef?: SecretReference;
}
export interface CSIVolumeSource {
  driver: string;
  readOnly?: boolean;
  fsType?: string;
  volumeAttributes?: { [name: string]: string };
  nodePublishSecretRef?: LocalObjectReference;
}
export interface Capabilities {
  add?: Array<string>;
  drop?: Array<string>;
}
export interface CephFSPersistentVolumeSource {
  monitors: Array<string>;
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
}
export interface CephFSVolumeSource {
  monitors: Array<string>;
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
}
export interface CinderPersistentVolumeSource {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: SecretReference;
}
export interface CinderVolumeSource {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: LocalObjectReference;
}
export interface ClientIPConfig {
  timeoutSeconds?: number;
}
export interface ClusterTrustBundleProjection {
  name?: string;
  signerName?: string;
  labelSelector?: meta.LabelSelector;
  optional?: boolean;
  path: string;
}
export interface ComponentCondition {
  type: string;
  status: string;
  message?: string;
  error?: string;
}
export interface ComponentStatus {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  conditions?: Array<ComponentCondition>;
}
export interface ComponentStatusList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<ComponentStatus>;
}
export interface ConfigMap {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  immutable?: boolean;
  data?: { [name: string]: string };
  binaryData?: { [name: string]: string };
}
export interface ConfigMapEnvSource {
  name?: string;
  optional?: boolean;
}
export interface ConfigMapKeySelector {
  name?: string;
  key: string;
  optional?: boolean;
}
export interface ConfigMapList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<ConfigMap>;
}
export interface ConfigMapNodeConfigSource {
  namespace: string;
  name: string;
  uid?: string;
  resourceVersion?: string;
  kubeletConfigKey: string;
}
export interface ConfigMapProjection {
  name?: string;
  items?: Array<KeyToPath>;
  optional?: boolean;
}
export interface ConfigMapVolumeSource {
  name?: string;
  items?: Array<KeyToPath>;
  defaultMode?: number;
  optional?: boolean;
}
export interface Container {
  name: string;
  image?: string;
  command?: Array<string>;
  args?: Array<string>;
  workingDir?: string;
  ports?: Array<ContainerPort>;
  envFrom?: Array<EnvFromSource>;
  env?: Array<EnvVar>;
  resources?: ResourceRequirements;
  resizePolicy?: Array<ContainerResizePolicy>;
  restartPolicy?: string;
  restartPolicyRules?: Array<ContainerRestartRule>;
  volumeMounts?: Array<VolumeMount>;
  volumeDevices?: Array<VolumeDevice>;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: string;
  imagePullPolicy?: string;
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
}
export interface ContainerExtendedResourceRequest {
  containerName: string;
  resourceName: string;
  requestName: string;
}
export interface ContainerImage {
  names?: Array<string>;
  sizeBytes?: number;
}
export interface ContainerPort {
  name?: string;
  hostPort?: number;
  containerPort: number;
  protocol?: string;
  hostIP?: string;
}
export interface ContainerResizePolicy {
  resourceName: string;
  restartPolicy: string;
}
export interface ContainerRestartRule {
  action: string;
  exitCodes?: ContainerRestartRuleOnExitCodes;
}
export interface ContainerRestartRuleOnExitCodes {
  operator: string;
  values?: Array<number>;
}
export interface ContainerState {
  waiting?: ContainerStateWaiting;
  running?: ContainerStateRunning;
  terminated?: ContainerStateTerminated;
}
export interface ContainerStateRunning {
  startedAt?: string | null;
}
export interface ContainerStateTerminated {
  exitCode: number;
  signal?: number;
  reason?: string;
  message?: string;
  startedAt?: string | null;
  finishedAt?: string | null;
  containerID?: string;
}
export interface ContainerStateWaiting {
  reason?: string;
  message?: string;
}
export interface ContainerStatus {
  name: string;
  state?: ContainerState;
  lastState?: ContainerState;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  containerID?: string;
  started?: boolean;
  allocatedResources?: { [name: string]: string };
  resources?: ResourceRequirements;
  volumeMounts?: Array<VolumeMountStatus>;
  user?: ContainerUser;
  allocatedResourcesStatus?: Array<ResourceStatus>;
  stopSignal?: string;
}
export interface ContainerUser {
  linux?: LinuxContainerUser;
}
export interface DaemonEndpoint {
  Port: number;
}
export interface DownwardAPIProjection {
  items?: Array<DownwardAPIVolumeFile>;
}
export interface DownwardAPIVolumeFile {
  path: string;
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  mode?: number;
}
export interface DownwardAPIVolumeSource {
  items?: Array<DownwardAPIVolumeFile>;
  defaultMode?: number;
}
export interface EmptyDirVolumeSource {
  medium?: string;
  sizeLimit?: string;
}
export interface EndpointAddress {
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: ObjectReference;
}
export interface EndpointPort {
  name?: string;
  port: number;
  protocol?: string;
  appProtocol?: string;
}
export interface EndpointSubset {
  addresses?: Array<EndpointAddress>;
  notReadyAddresses?: Array<EndpointAddress>;
  ports?: Array<EndpointPort>;
}
export interface Endpoints {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  subsets?: Array<EndpointSubset>;
}
export interface EndpointsList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<Endpoints>;
}
export interface EnvFromSource {
  prefix?: string;
  configMapRef?: ConfigMapEnvSource;
  secretRef?: SecretEnvSource;
}
export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: EnvVarSource;
}
export interface EnvVarSource {
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  configMapKeyRef?: ConfigMapKeySelector;
  secretKeyRef?: SecretKeySelector;
  fileKeyRef?: FileKeySelector;
}
export interface EphemeralContainer {
  name: string;
  image?: string;
  command?: Array<string>;
  args?: Array<string>;
  workingDir?: string;
  ports?: Array<ContainerPort>;
  envFrom?: Array<EnvFromSource>;
  env?: Array<EnvVar>;
  resources?: ResourceRequirements;
  resizePolicy?: Array<ContainerResizePolicy>;
  restartPolicy?: string;
  restartPolicyRules?: Array<ContainerRestartRule>;
  volumeMounts?: Array<VolumeMount>;
  volumeDevices?: Array<VolumeDevice>;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: string;
  imagePullPolicy?: string;
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
  targetContainerName?: string;
}
export interface EphemeralContainerCommon {
  name: string;
  image?: string;
  command?: Array<string>;
  args?: Array<string>;
  workingDir?: string;
  ports?: Array<ContainerPort>;
  envFrom?: Array<EnvFromSource>;
  env?: Array<EnvVar>;
  resources?: ResourceRequirements;
  resizePolicy?: Array<ContainerResizePolicy>;
  restartPolicy?: string;
  restartPolicyRules?: Array<ContainerRestartRule>;
  volumeMounts?: Array<VolumeMount>;
  volumeDevices?: Array<VolumeDevice>;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: string;
  imagePullPolicy?: string;
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
}
export interface EphemeralVolumeSource {
  volumeClaimTemplate?: PersistentVolumeClaimTemplate;
}
export interface Event {
  kind?: string;
  apiVersion?: string;
  metadata: meta.ObjectMeta;
  involvedObject: ObjectReference;
  reason?: string;
  message?: string;
  source?: EventSource;
  firstTimestamp?: string | null;
  lastTimestamp?: string | null;
  count?: number;
  type?: string;
  eventTime?: string | null;
  series?: EventSeries;
  action?: string;
  related?: ObjectReference;
  reportingComponent?: string;
  reportingInstance?: string;
}
export interface EventList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<Event>;
}
export interface EventSeries {
  count?: number;
  lastObservedTime?: string | null;
}
export interface EventSource {
  component?: string;
  host?: string;
}
export interface ExecAction {
  command?: Array<string>;
}
export interface FCVolumeSource {
  targetWWNs?: Array<string>;
  lun?: number;
  fsType?: string;
  readOnly?: boolean;
  wwids?: Array<string>;
}
export interface FileKeySelector {
  volumeName: string;
  path: string;
  key: string;
  optional?: boolean;
}
export interface FlexPersistentVolumeSource {
  driver: string;
  fsType?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
  options?: { [name: string]: string };
}
export interface FlexVolumeSource {
  driver: string;
  fsType?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
  options?: { [name: string]: string };
}
export interface FlockerVolumeSource {
  datasetName?: string;
  datasetUUID?: string;
}
export interface GCEPersistentDiskVolumeSource {
  pdName: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
}
export interface GRPCAction {
  port: number;
  service?: string;
}
export interface GitRepoVolumeSource {
  repository: string;
  revision?: string;
  directory?: string;
}
export interface GlusterfsPersistentVolumeSource {
  endpoints: string;
  path: string;
  readOnly?: boolean;
  endpointsNamespace?: string;
}
export interface GlusterfsVolumeSource {
  endpoints: string;
  path: string;
  readOnly?: boolean;
}
export interface HTTPGetAction {
  path?: string;
  port: number | string;
  host?: string;
  scheme?: string;
  httpHeaders?: Array<HTTPHeader>;
}
export interface HTTPHeader {
  name: string;
  value: string;
}
export interface HostAlias {
  ip: string;
  hostnames?: Array<string>;
}
export interface HostIP {
  ip: string;
}
export interface HostPathVolumeSource {
  path: string;
  type?: string;
}
export interface ISCSIPersistentVolumeSource {
  targetPortal: string;
  iqn: string;
  lun: number;
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  portals?: Array<string>;
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: SecretReference;
  initiatorName?: string;
}
export interface ISCSIVolumeSource {
  targetPortal: string;
  iqn: string;
  lun: number;
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  portals?: Array<string>;
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: LocalObjectReference;
  initiatorName?: string;
}
export interface ImageVolumeSource {
  reference?: string;
  pullPolicy?: string;
}
export interface ImageVolumeStatus {
  imageRef: string;
}
export interface KeyToPath {
  key: string;
  path: string;
  mode?: number;
}
export interface Lifecycle {
  postStart?: LifecycleHandler;
  preStop?: LifecycleHandler;
  stopSignal?: string;
}
export interface LifecycleHandler {
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  sleep?: SleepAction;
}
export interface LimitRange {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: LimitRangeSpec;
}
export interface LimitRangeItem {
  type: string;
  max?: { [name: string]: string };
  min?: { [name: string]: string };
  default?: { [name: string]: string };
  defaultRequest?: { [name: string]: string };
  maxLimitRequestRatio?: { [name: string]: string };
}
export interface LimitRangeList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<LimitRange>;
}
export interface LimitRangeSpec {
  limits: Array<LimitRangeItem>;
}
export interface LinuxContainerUser {
  uid: number;
  gid: number;
  supplementalGroups?: Array<number>;
}
export interface LoadBalancerIngress {
  ip?: string;
  hostname?: string;
  ipMode?: string;
  ports?: Array<PortStatus>;
}
export interface LoadBalancerStatus {
  ingress?: Array<LoadBalancerIngress>;
}
export interface LocalObjectReference {
  name?: string;
}
export interface LocalVolumeSource {
  path: string;
  fsType?: string;
}
export interface ModifyVolumeStatus {
  targetVolumeAttributesClassName?: string;
  status: string;
}
export interface NFSVolumeSource {
  server: string;
  path: string;
  readOnly?: boolean;
}
export interface Namespace {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: NamespaceSpec;
  status?: NamespaceStatus;
}
export interface NamespaceCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}
export interface NamespaceList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<Namespace>;
}
export interface NamespaceSpec {
  finalizers?: Array<string>;
}
export interface NamespaceStatus {
  phase?: string;
  conditions?: Array<NamespaceCondition>;
}
export interface Node {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: NodeSpec;
  status?: NodeStatus;
}
export interface NodeAddress {
  type: string;
  address: string;
}
export interface NodeAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  preferredDuringSchedulingIgnoredDuringExecution?: Array<PreferredSchedulingTerm>;
}
export interface NodeAllocatableResourceClaimStatus {
  resourceClaimName: string;
  containers?: Array<string>;
  resources: { [name: string]: string };
}
export interface NodeCondition {
  type: string;
  status: string;
  lastHeartbeatTime?: string | null;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}
export interface NodeConfigSource {
  configMap?: ConfigMapNodeConfigSource;
}
export interface NodeConfigStatus {
  assigned?: NodeConfigSource;
  active?: NodeConfigSource;
  lastKnownGood?: NodeConfigSource;
  error?: string;
}
export interface NodeDaemonEndpoints {
  kubeletEndpoint?: DaemonEndpoint;
}
export interface NodeFeatures {
  supplementalGroupsPolicy?: boolean;
}
export interface NodeList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<Node>;
}
export interface NodeProxyOptions {
  kind?: string;
  apiVersion?: string;
  path?: string;
}
export interface NodeRuntimeHandler {
  name?: string;
  features?: NodeRuntimeHandlerFeatures;
}
export interface NodeRuntimeHandlerFeatures {
  recursiveReadOnlyMounts?: boolean;
  userNamespaces?: boolean;
}
export interface NodeSelector {
  nodeSelectorTerms: Array<NodeSelectorTerm>;
}
export interface NodeSelectorRequirement {
  key: string;
  operator: string;
  values?: Array<string>;
}
export interface NodeSelectorTerm {
  matchExpressions?: Array<NodeSelectorRequirement>;
  matchFields?: Array<NodeSelectorRequirement>;
}
export interface NodeSpec {
  podCIDR?: string;
  podCIDRs?: Array<string>;
  providerID?: string;
  unschedulable?: boolean;
  taints?: Array<Taint>;
  configSource?: NodeConfigSource;
  externalID?: string;
}
export interface NodeStatus {
  capacity?: { [name: string]: string };
  allocatable?: { [name: string]: string };
  phase?: string;
  conditions?: Array<NodeCondition>;
  addresses?: Array<NodeAddress>;
  daemonEndpoints?: NodeDaemonEndpoints;
  nodeInfo?: NodeSystemInfo;
  images?: Array<ContainerImage>;
  volumesInUse?: Array<string>;
  volumesAttached?: Array<AttachedVolume>;
  config?: NodeConfigStatus;
  runtimeHandlers?: Array<NodeRuntimeHandler>;
  features?: NodeFeatures;
  declaredFeatures?: Array<string>;
}
export interface NodeSwapStatus {
  capacity?: number;
}
export interface NodeSystemInfo {
  machineID: string;
  systemUUID: string;
  bootID: string;
  kernelVersion: string;
  osImage: string;
  containerRuntimeVersion: string;
  kubeletVersion: string;
  kubeProxyVersion: string;
  operatingSystem: string;
  architecture: string;
  swap?: NodeSwapStatus;
}
export interface ObjectFieldSelector {
  apiVersion?: string;
  fieldPath: string;
}
export interface ObjectReference {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
  fieldPath?: string;
}
export interface PersistentVolume {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: PersistentVolumeSpec;
  status?: PersistentVolumeStatus;
}
export interface PersistentVolumeClaim {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: PersistentVolumeClaimSpec;
  status?: PersistentVolumeClaimStatus;
}
export interface PersistentVolumeClaimCondition {
  type: string;
  status: string;
  lastProbeTime?: string | null;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}
export interface PersistentVolumeClaimList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<PersistentVolumeClaim>;
}
export interface PersistentVolumeClaimSpec {
  accessModes?: Array<string>;
  selector?: meta.LabelSelector;
  resources?: VolumeResourceRequirements;
  volumeName?: string;
  storageClassName?: string;
  volumeMode?: string;
  dataSource?: TypedLocalObjectReference;
  dataSourceRef?: TypedObjectReference;
  volumeAttributesClassName?: string;
}
export interface PersistentVolumeClaimStatus {
  phase?: string;
  accessModes?: Array<string>;
  capacity?: { [name: string]: string };
  conditions?: Array<PersistentVolumeClaimCondition>;
  allocatedResources?: { [name: string]: string };
  allocatedResourceStatuses?: { [name: string]: string };
  currentVolumeAttributesClassName?: string;
  modifyVolumeStatus?: ModifyVolumeStatus;
}
export interface PersistentVolumeClaimTemplate {
  metadata?: meta.ObjectMeta;
  spec: PersistentVolumeClaimSpec;
}
export interface PersistentVolumeClaimVolumeSource {
  claimName: string;
  readOnly?: boolean;
}
export interface PersistentVolumeList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<PersistentVolume>;
}
export interface PersistentVolumeSource {
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  hostPath?: HostPathVolumeSource;
  glusterfs?: GlusterfsPersistentVolumeSource;
  nfs?: NFSVolumeSource;
  rbd?: RBDPersistentVolumeSource;
  iscsi?: ISCSIPersistentVolumeSource;
  cinder?: CinderPersistentVolumeSource;
  cephfs?: CephFSPersistentVolumeSource;
  fc?: FCVolumeSource;
  flocker?: FlockerVolumeSource;
  flexVolume?: FlexPersistentVolumeSource;
  azureFile?: AzureFilePersistentVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOPersistentVolumeSource;
  local?: LocalVolumeSource;
  storageos?: StorageOSPersistentVolumeSource;
  csi?: CSIPersistentVolumeSource;
}
export interface PersistentVolumeSpec {
  capacity?: { [name: string]: string };
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  hostPath?: HostPathVolumeSource;
  glusterfs?: GlusterfsPersistentVolumeSource;
  nfs?: NFSVolumeSource;
  rbd?: RBDPersistentVolumeSource;
  iscsi?: ISCSIPersistentVolumeSource;
  cinder?: CinderPersistentVolumeSource;
  cephfs?: CephFSPersistentVolumeSource;
  fc?: FCVolumeSource;
  flocker?: FlockerVolumeSource;
  flexVolume?: FlexPersistentVolumeSource;
  azureFile?: AzureFilePersistentVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOPersistentVolumeSource;
  local?: LocalVolumeSource;
  storageos?: StorageOSPersistentVolumeSource;
  csi?: CSIPersistentVolumeSource;
  accessModes?: Array<string>;
  claimRef?: ObjectReference;
  persistentVolumeReclaimPolicy?: string;
  storageClassName?: string;
  mountOptions?: Array<string>;
  volumeMode?: string;
  nodeAffinity?: VolumeNodeAffinity;
  volumeAttributesClassName?: string;
}
export interface PersistentVolumeStatus {
  phase?: string;
  message?: string;
  reason?: string;
  lastPhaseTransitionTime?: string;
}
export interface PhotonPersistentDiskVolumeSource {
  pdID: string;
  fsType?: string;
}
export interface Pod {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: PodSpec;
  status?: PodStatus;
}
export interface PodAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: Array<PodAffinityTerm>;
  preferredDuringSchedulingIgnoredDuringExecution?: Array<WeightedPodAffinityTerm>;
}
export interface PodAffinityTerm {
  labelSelector?: meta.LabelSelector;
  namespaces?: Array<string>;
  topologyKey: string;
  namespaceSelector?: meta.LabelSelector;
  matchLabelKeys?: Array<string>;
  mismatchLabelKeys?: Array<string>;
}
export interface PodAntiAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: Array<PodAffinityTerm>;
  preferredDuringSchedulingIgnoredDuringExecution?: Array<WeightedPodAffinityTerm>;
}
export interface PodAttachOptions {
  kind?: string;
  apiVersion?: string;
  stdin?: boolean;
  stdout?: boolean;
  stderr?: boolean;
  tty?: boolean;
  container?: string;
}
export interface PodCertificateProjection {
  signerName: string;
  keyType: string;
  maxExpirationSeconds?: number;
  credentialBundlePath?: string;
  keyPath?: string;
  certificateChainPath?: string;
  userAnnotations?: { [name: string]: string };
}
export interface PodCondition {
  type: string;
  observedGeneration?: number;
  status: string;
  lastProbeTime?: string | null;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}
export interface PodDNSConfig {
  nameservers?: Array<string>;
  searches?: Array<string>;
  options?: Array<PodDNSConfigOption>;
}
export interface PodDNSConfigOption {
  name?: string;
  value?: string;
}
export interface PodExecOptions {
  kind?: string;
  apiVersion?: string;
  stdin?: boolean;
  stdout?: boolean;
  stderr?: boolean;
  tty?: boolean;
  container?: string;
  command: Array<string>;
}
export interface PodExtendedResourceClaimStatus {
  requestMappings: Array<ContainerExtendedResourceRequest>;
  resourceClaimName: string;
}
export interface PodIP {
  ip: string;
}
export interface PodList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<Pod>;
}
export interface PodLogOptions {
  kind?: string;
  apiVersion?: string;
  container?: string;
  follow?: boolean;
  previous?: boolean;
  sinceSeconds?: number;
  sinceTime?: string;
  timestamps?: boolean;
  tailLines?: number;
  limitBytes?: number;
  insecureSkipTLSVerifyBackend?: boolean;
  stream?: string;
}
export interface PodOS {
  name: string;
}
export interface PodPortForwardOptions {
  kind?: string;
  apiVersion?: string;
  ports?: Array<number>;
}
export interface PodProxyOptions {
  kind?: string;
  apiVersion?: string;
  path?: string;
}
export interface PodReadinessGate {
  conditionType: string;
}
export interface PodResourceClaim {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
}
export interface PodResourceClaimStatus {
  name: string;
  resourceClaimName?: string;
}
export interface PodSchedulingGate {
  name: string;
}
export interface PodSchedulingGroup {
  podGroupName?: string;
}
export interface PodSecurityContext {
  seLinuxOptions?: SELinuxOptions;
  windowsOptions?: WindowsSecurityContextOptions;
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  supplementalGroups?: Array<number>;
  supplementalGroupsPolicy?: string;
  fsGroup?: number;
  sysctls?: Array<Sysctl>;
  fsGroupChangePolicy?: string;
  seccompProfile?: SeccompProfile;
  appArmorProfile?: AppArmorProfile;
  seLinuxChangePolicy?: string;
}
export interface PodSpec {
  volumes?: Array<Volume>;
  initContainers?: Array<Container>;
  containers: Array<Container>;
  ephemeralContainers?: Array<EphemeralContainer>;
  restartPolicy?: string;
  terminationGracePeriodSeconds?: number;
  activeDeadlineSeconds?: number;
  dnsPolicy?: string;
  nodeSelector?: { [name: string]: string };
  serviceAccountName?: string;
  serviceAccount?: string;
  automountServiceAccountToken?: boolean;
  nodeName?: string;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  shareProcessNamespace?: boolean;
  securityContext?: PodSecurityContext;
  imagePullSecrets?: Array<LocalObjectReference>;
  hostname?: string;
  subdomain?: string;
  affinity?: Affinity;
  schedulerName?: string;
  tolerations?: Array<Toleration>;
  hostAliases?: Array<HostAlias>;
  priorityClassName?: string;
  priority?: number;
  dnsConfig?: PodDNSConfig;
  readinessGates?: Array<PodReadinessGate>;
  runtimeClassName?: string;
  enableServiceLinks?: boolean;
  preemptionPolicy?: string;
  overhead?: { [name: string]: string };
  topologySpreadConstraints?: Array<TopologySpreadConstraint>;
  setHostnameAsFQDN?: boolean;
  os?: PodOS;
  hostUsers?: boolean;
  schedulingGates?: Array<PodSchedulingGate>;
  resourceClaims?: Array<PodResourceClaim>;
  resources?: ResourceRequirements;
  hostnameOverride?: string;
  schedulingGroup?: PodSchedulingGroup;
}
export interface PodStatus {
  observedGeneration?: number;
  phase?: string;
  conditions?: Array<PodCondition>;
  message?: string;
  reason?: string;
  nominatedNodeName?: string;
  hostIP?: string;
  hostIPs?: Array<HostIP>;
  podIP?: string;
  podIPs?: Array<PodIP>;
  startTime?: string;
  initContainerStatuses?: Array<ContainerStatus>;
  containerStatuses?: Array<ContainerStatus>;
  qosClass?: string;
  ephemeralContainerStatuses?: Array<ContainerStatus>;
  resize?: string;
  resourceClaimStatuses?: Array<PodResourceClaimStatus>;
  extendedResourceClaimStatus?: PodExtendedResourceClaimStatus;
  allocatedResources?: { [name: string]: string };
  resources?: ResourceRequirements;
  nodeAllocatableResourceClaimStatuses?: Array<NodeAllocatableResourceClaimStatus>;
}
export interface PodStatusResult {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  status?: PodStatus;
}
export interface PodTemplate {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  template?: PodTemplateSpec;
}
export interface PodTemplateList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<PodTemplate>;
}
export interface PodTemplateSpec {
  metadata?: meta.ObjectMeta;
  spec?: PodSpec;
}
export interface PortStatus {
  port: number;
  protocol: string;
  error?: string;
}
export interface PortworxVolumeSource {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
}
export interface PreferredSchedulingTerm {
  weight: number;
  preference: NodeSelectorTerm;
}
export interface Probe {
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  grpc?: GRPCAction;
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: number;
}
export interface ProbeHandler {
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  grpc?: GRPCAction;
}
export interface ProjectedVolumeSource {
  sources?: Array<VolumeProjection>;
  defaultMode?: number;
}
export interface QuobyteVolumeSource {
  registry: string;
  volume: string;
  readOnly?: boolean;
  user?: string;
  group?: string;
  tenant?: string;
}
export interface RBDPersistentVolumeSource {
  monitors: Array<string>;
  image: string;
  fsType?: string;
  pool?: string;
  user?: string;
  keyring?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
}
export interface RBDVolumeSource {
  monitors: Array<string>;
  image: string;
  fsType?: string;
  pool?: string;
  user?: string;
  keyring?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
}
export interface RangeAllocation {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  range: string;
  data: string;
}
export interface ReplicationController {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: ReplicationControllerSpec;
  status?: ReplicationControllerStatus;
}
export interface ReplicationControllerCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}
export interface ReplicationControllerList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<ReplicationController>;
}
export interface ReplicationControllerSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector?: { [name: string]: string };
  template?: PodTemplateSpec;
}
export interface ReplicationControllerStatus {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  observedGeneration?: number;
  conditions?: Array<ReplicationControllerCondition>;
}
export interface ResourceClaim {
  name: string;
  request?: string;
}
export interface ResourceFieldSelector {
  containerName?: string;
  resource: string;
  divisor?: string;
}
export interface ResourceHealth {
  resourceID: string;
  health?: string;
  message?: string;
}
export interface ResourceQuota {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: ResourceQuotaSpec;
  status?: ResourceQuotaStatus;
}
export interface ResourceQuotaList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<ResourceQuota>;
}
export interface ResourceQuotaSpec {
  hard?: { [name: string]: string };
  scopes?: Array<string>;
  scopeSelector?: ScopeSelector;
}
export interface ResourceQuotaStatus {
  hard?: { [name: string]: string };
  used?: { [name: string]: string };
}
export interface ResourceRequirements {
  limits?: { [name: string]: string };
  requests?: { [name: string]: string };
  claims?: Array<ResourceClaim>;
}
export interface ResourceStatus {
  name: string;
  resources?: Array<ResourceHealth>;
}
export interface SELinuxOptions {
  user?: string;
  role?: string;
  type?: string;
  level?: string;
}
export interface ScaleIOPersistentVolumeSource {
  gateway: string;
  system: string;
  secretRef: SecretReference;
  sslEnabled?: boolean;
  protectionDomain?: string;
  storagePool?: string;
  storageMode?: string;
  volumeName?: string;
  fsType?: string;
  readOnly?: boolean;
}
export interface ScaleIOVolumeSource {
  gateway: string;
  system: string;
  secretRef: LocalObjectReference;
  sslEnabled?: boolean;
  protectionDomain?: string;
  storagePool?: string;
  storageMode?: string;
  volumeName?: string;
  fsType?: string;
  readOnly?: boolean;
}
export interface ScopeSelector {
  matchExpressions?: Array<ScopedResourceSelectorRequirement>;
}
export interface ScopedResourceSelectorRequirement {
  scopeName: string;
  operator: string;
  values?: Array<string>;
}
export interface SeccompProfile {
  type: string;
  localhostProfile?: string;
}
export interface Secret {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  immutable?: boolean;
  data?: { [name: string]: string };
  stringData?: { [name: string]: string };
  type?: string;
}
export interface SecretEnvSource {
  name?: string;
  optional?: boolean;
}
export interface SecretKeySelector {
  name?: string;
  key: string;
  optional?: boolean;
}
export interface SecretList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<Secret>;
}
export interface SecretProjection {
  name?: string;
  items?: Array<KeyToPath>;
  optional?: boolean;
}
export interface SecretReference {
  name?: string;
  namespace?: string;
}
export interface SecretVolumeSource {
  secretName?: string;
  items?: Array<KeyToPath>;
  defaultMode?: number;
  optional?: boolean;
}
export interface SecurityContext {
  capabilities?: Capabilities;
  privileged?: boolean;
  seLinuxOptions?: SELinuxOptions;
  windowsOptions?: WindowsSecurityContextOptions;
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  readOnlyRootFilesystem?: boolean;
  allowPrivilegeEscalation?: boolean;
  procMount?: string;
  seccompProfile?: SeccompProfile;
  appArmorProfile?: AppArmorProfile;
}
export interface SerializedReference {
  kind?: string;
  apiVersion?: string;
  reference?: ObjectReference;
}
export interface Service {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: ServiceSpec;
  status?: ServiceStatus;
}
export interface ServiceAccount {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  secrets?: Array<ObjectReference>;
  imagePullSecrets?: Array<LocalObjectReference>;
  automountServiceAccountToken?: boolean;
}
export interface ServiceAccountList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<ServiceAccount>;
}
export interface ServiceAccountTokenProjection {
  audience?: string;
  expirationSeconds?: number;
  path: string;
}
export interface ServiceList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<Service>;
}
export interface ServicePort {
  name?: string;
  protocol?: string;
  appProtocol?: string;
  port: number;
  targetPort?: number | string;
  nodePort?: number;
}
export interface ServiceProxyOptions {
  kind?: string;
  apiVersion?: string;
  path?: string;
}
export interface ServiceSpec {
  ports?: Array<ServicePort>;
  selector?: { [name: string]: string };
  clusterIP?: string;
  clusterIPs?: Array<string>;
  type?: string;
  externalIPs?: Array<string>;
  sessionAffinity?: string;
  loadBalancerIP?: string;
  loadBalancerSourceRanges?: Array<string>;
  externalName?: string;
  externalTrafficPolicy?: string;
  healthCheckNodePort?: number;
  publishNotReadyAddresses?: boolean;
  sessionAffinityConfig?: SessionAffinityConfig;
  ipFamilies?: Array<string>;
  ipFamilyPolicy?: string;
  allocateLoadBalancerNodePorts?: boolean;
  loadBalancerClass?: string;
  internalTrafficPolicy?: string;
  trafficDistribution?: string;
}
export interface ServiceStatus {
  loadBalancer?: LoadBalancerStatus;
  conditions?: Array<meta.Condition>;
}
export interface SessionAffinityConfig {
  clientIP?: ClientIPConfig;
}
export interface SleepAction {
  seconds: number;
}
export interface StorageOSPersistentVolumeSource {
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: ObjectReference;
}
export interface StorageOSVolumeSource {
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: LocalObjectReference;
}
export interface Sysctl {
  name: string;
  value: string;
}
export interface TCPSocketAction {
  port: number | string;
  host?: string;
}
export interface Taint {
  key: string;
  value?: string;
  effect: string;
  timeAdded?: string;
}
export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}
export interface TopologySelectorLabelRequirement {
  key: string;
  values: Array<string>;
}
export interface TopologySelectorTerm {
  matchLabelExpressions?: Array<TopologySelectorLabelRequirement>;
}
export interface TopologySpreadConstraint {
  maxSkew: number;
  topologyKey: string;
  whenUnsatisfiable: string;
  labelSelector?: meta.LabelSelector;
  minDomains?: number;
  nodeAffinityPolicy?: string;
  nodeTaintsPolicy?: string;
  matchLabelKeys?: Array<string>;
}
export interface TypedLocalObjectReference {
  apiGroup?: string;
  kind: string;
  name: string;
}
export interface TypedObjectReference {
  apiGroup?: string;
  kind: string;
  name: string;
  namespace?: string;
}
export interface Volume {
  name: string;
  hostPath?: HostPathVolumeSource;
  emptyDir?: EmptyDirVolumeSource;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  gitRepo?: GitRepoVolumeSource;
  secret?: SecretVolumeSource;
  nfs?: NFSVolumeSource;
  iscsi?: ISCSIVolumeSource;
  glusterfs?: GlusterfsVolumeSource;
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  rbd?: RBDVolumeSource;
  flexVolume?: FlexVolumeSource;
  cinder?: CinderVolumeSource;
  cephfs?: CephFSVolumeSource;
  flocker?: FlockerVolumeSource;
  downwardAPI?: DownwardAPIVolumeSource;
  fc?: FCVolumeSource;
  azureFile?: AzureFileVolumeSource;
  configMap?: ConfigMapVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  projected?: ProjectedVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOVolumeSource;
  storageos?: StorageOSVolumeSource;
  csi?: CSIVolumeSource;
  ephemeral?: EphemeralVolumeSource;
  image?: ImageVolumeSource;
}
export interface VolumeDevice {
  name: string;
  devicePath: string;
}
export interface VolumeMount {
  name: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  mountPath: string;
  subPath?: string;
  mountPropagation?: string;
  subPathExpr?: string;
}
export interface VolumeMountStatus {
  name: string;
  mountPath: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  volumeStatus?: VolumeStatus;
}
export interface VolumeNodeAffinity {
  required?: NodeSelector;
}
export interface VolumeProjection {
  secret?: SecretProjection;
  downwardAPI?: DownwardAPIProjection;
  configMap?: ConfigMapProjection;
  serviceAccountToken?: ServiceAccountTokenProjection;
  clusterTrustBundle?: ClusterTrustBundleProjection;
  podCertificate?: PodCertificateProjection;
}
export interface VolumeResourceRequirements {
  limits?: { [name: string]: string };
  requests?: { [name: string]: string };
}
export interface VolumeSource {
  hostPath?: HostPathVolumeSource;
  emptyDir?: EmptyDirVolumeSource;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  gitRepo?: GitRepoVolumeSource;
  secret?: SecretVolumeSource;
  nfs?: NFSVolumeSource;
  iscsi?: ISCSIVolumeSource;
  glusterfs?: GlusterfsVolumeSource;
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  rbd?: RBDVolumeSource;
  flexVolume?: FlexVolumeSource;
  cinder?: CinderVolumeSource;
  cephfs?: CephFSVolumeSource;
  flocker?: FlockerVolumeSource;
  downwardAPI?: DownwardAPIVolumeSource;
  fc?: FCVolumeSource;
  azureFile?: AzureFileVolumeSource;
  configMap?: ConfigMapVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  projected?: ProjectedVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOVolumeSource;
  storageos?: StorageOSVolumeSource;
  csi?: CSIVolumeSource;
  ephemeral?: EphemeralVolumeSource;
  image?: ImageVolumeSource;
}
export interface VolumeStatus {
  image?: ImageVolumeStatus;
}
export interface VsphereVirtualDiskVolumeSource {
  volumePath: string;
  fsType?: string;
  storagePolicyName?: string;
  storagePolicyID?: string;
}
export interface WeightedPodAffinityTerm {
  weight: number;
  podAffinityTerm: PodAffinityTerm;
}
export interface WindowsSecurityContextOptions {
  gmsaCredentialSpecName?: string;
  gmsaCredentialSpec?: string;
  runAsUserName?: string;
  hostProcess?: boolean;
}
