// Derived from the Go types of resource/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as core from '../core/v1.d.ts';
import type * as meta from '../meta/v1.d.ts';
export interface AllocatedDeviceStatus {
  driver: string;
  pool: string;
  device: string;
  shareID?: string;
  conditions?: Array<meta.Condition>;
  data?: unknown;
  networkData?: NetworkDeviceData;
}
export interface AllocationResult {
  devices?: DeviceAllocationResult;
  nodeSelector?: core.NodeSelector;
  allocationTimestamp?: string;
}
export interface CELDeviceSelector {
  expression: string;
}
export interface CapacityRequestPolicy {
  default?: string;
  validValues?: Array<string>;
  validRange?: CapacityRequestPolicyRange;
}
export interface CapacityRequestPolicyRange {
  min: string;
  max?: string;
  step?: string;
}
export interface CapacityRequirements {
  requests?: { [name: string]: string };
}
export interface Counter {
  value: string;
}
export interface CounterSet {
  name: string;
  counters: { [name: string]: Counter };
}
export interface Device {
  name: string;
  attributes?: { [name: string]: DeviceAttribute };
  capacity?: { [name: string]: DeviceCapacity };
  consumesCounters?: Array<DeviceCounterConsumption>;
  nodeName?: string;
  nodeSelector?: core.NodeSelector;
  allNodes?: boolean;
  taints?: Array<DeviceTaint>;
  bindsToNode?: boolean;
  bindingConditions?: Array<string>;
  bindingFailureConditions?: Array<string>;
  allowMultipleAllocations?: boolean;
  nodeAllocatableResourceMappings?: { [name: string]: NodeAllocatableResourceMapping };
}
export interface DeviceAllocationConfiguration {
  source: string;
  requests?: Array<string>;
  opaque?: OpaqueDeviceConfiguration;
}
export interface DeviceAllocationResult {
  results?: Array<DeviceRequestAllocationResult>;
  config?: Array<DeviceAllocationConfiguration>;
}
export interface DeviceAttribute {
  int?: number;
  bool?: boolean;
  string?: string;
  version?: string;
  ints?: Array<number>;
  bools?: Array<boolean>;
  strings?: Array<string>;
  versions?: Array<string>;
}
export interface DeviceCapacity {
  value: string;
  requestPolicy?: CapacityRequestPolicy;
}
export interface DeviceClaim {
  requests?: Array<DeviceRequest>;
  constraints?: Array<DeviceConstraint>;
  config?: Array<DeviceClaimConfiguration>;
}
export interface DeviceClaimConfiguration {
  requests?: Array<string>;
  opaque?: OpaqueDeviceConfiguration;
}
export interface DeviceClass {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: DeviceClassSpec;
}
export interface DeviceClassConfiguration {
  opaque?: OpaqueDeviceConfiguration;
}
export interface DeviceClassList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<DeviceClass>;
}
export interface DeviceClassSpec {
  selectors?: Array<DeviceSelector>;
  config?: Array<DeviceClassConfiguration>;
  extendedResourceName?: string;
}
export interface DeviceConfiguration {
  opaque?: OpaqueDeviceConfiguration;
}
export interface DeviceConstraint {
  requests?: Array<string>;
  matchAttribute?: string;
  distinctAttribute?: string;
}
export interface DeviceCounterConsumption {
  counterSet: string;
  counters: { [name: string]: Counter };
}
export interface DeviceRequest {
  name: string;
  exactly?: ExactDeviceRequest;
  firstAvailable?: Array<DeviceSubRequest>;
}
export interface DeviceRequestAllocationResult {
  request: string;
  driver: string;
  pool: string;
  device: string;
  adminAccess?: boolean;
  tolerations?: Array<DeviceToleration>;
  bindingConditions?: Array<string>;
  bindingFailureConditions?: Array<string>;
  shareID?: string;
  consumedCapacity?: { [name: string]: string };
}
export interface DeviceSelector {
  cel?: CELDeviceSelector;
}
export interface DeviceSubRequest {
  name: string;
  deviceClassName: string;
  selectors?: Array<DeviceSelector>;
  allocationMode?: string;
  count?: number;
  tolerations?: Array<DeviceToleration>;
  capacity?: CapacityRequirements;
}
export interface DeviceTaint {
  key: string;
  value?: string;
  effect: string;
  timeAdded?: string;
}
export interface DeviceToleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}
export interface ExactDeviceRequest {
  deviceClassName: string;
  selectors?: Array<DeviceSelector>;
  allocationMode?: string;
  count?: number;
  adminAccess?: boolean;
  tolerations?: Array<DeviceToleration>;
  capacity?: CapacityRequirements;
}
export interface NetworkDeviceData {
  interfaceName?: string;
  ips?: Array<string>;
  hardwareAddress?: string;
}
export interface NodeAllocatableResourceMapping {
  capacityKey?: string;
  allocationMultiplier?: string;
}
export interface OpaqueDeviceConfiguration {
  driver: string;
  parameters: unknown;
}
export interface ResourceClaim {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: ResourceClaimSpec;
  status?: ResourceClaimStatus;
}
export interface ResourceClaimConsumerReference {
  apiGroup?: string;
  resource: string;
  name: string;
  uid: string;
}
export interface ResourceClaimList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<ResourceClaim>;
}
export interface ResourceClaimSpec {
  devices?: DeviceClaim;
}
export interface ResourceClaimStatus {
  allocation?: AllocationResult;
  reservedFor?: Array<ResourceClaimConsumerReference>;
  devices?: Array<AllocatedDeviceStatus>;
}
export interface ResourceClaimTemplate {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: ResourceClaimTemplateSpec;
}
export interface ResourceClaimTemplateList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<ResourceClaimTemplate>;
}
export interface ResourceClaimTemplateSpec {
  metadata?: meta.ObjectMeta;
  spec: ResourceClaimSpec;
}
export interface ResourcePool {
  name: string;
  generation: number;
  resourceSliceCount: number;
}
export interface ResourceSlice {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: ResourceSliceSpec;
}
export interface ResourceSliceList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<ResourceSlice>;
}
export interface ResourceSliceSpec {
  driver: string;
  pool: ResourcePool;
  nodeName?: string;
  nodeSelector?: core.NodeSelector;
  allNodes?: boolean;
  devices?: Array<Device>;
  perDeviceNodeSelection?: boolean;
  sharedCounters?: Array<CounterSet>;
}
