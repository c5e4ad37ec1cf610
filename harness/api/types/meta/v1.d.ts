// Derived from the Go types of meta/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
export interface APIGroup {
  kind?: string;
  apiVersion?: string;
  name: string;
  versions: Array<GroupVersionForDiscovery>;
  preferredVersion?: GroupVersionForDiscovery;
  serverAddressByClientCIDRs?: Array<ServerAddressByClientCIDR>;
}
export interface APIGroupList {
  kind?: string;
  apiVersion?: string;
  groups: Array<APIGroup>;
}
export interface APIResource {
  name: string;
  singularName: string;
  namespaced: boolean;
  group?: string;
  version?: string;
  kind: string;
  verbs: Array<string>;
  shortNames?: Array<string>;
  categories?: Array<string>;
  storageVersionHash?: string;
}
export interface APIResourceList {
  kind?: string;
  apiVersion?: string;
  groupVersion: string;
  resources: Array<APIResource>;
}
export interface APIVersions {
  kind?: string;
  apiVersion?: string;
  versions: Array<string>;
  serverAddressByClientCIDRs: Array<ServerAddressByClientCIDR>;
}
export interface Condition {
  type: string;
  status: string;
  observedGeneration?: number;
  lastTransitionTime: string;
  reason: string;
  message: string;
}
export interface CreateOptions {
  kind?: string;
  apiVersion?: string;
  dryRun?: Array<string>;
  fieldManager?: string;
  fieldValidation?: string;
}
export interface DeleteOptions {
  kind?: string;
  apiVersion?: string;
  gracePeriodSeconds?: number;
  preconditions?: Preconditions;
  orphanDependents?: boolean;
  propagationPolicy?: string;
  dryRun?: Array<string>;
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}
export interface FieldSelectorRequirement {
  key: string;
  operator: string;
  values?: Array<string>;
}
export interface GetOptions {
  kind?: string;
  apiVersion?: string;
  resourceVersion?: string;
}
export interface GroupVersionForDiscovery {
  groupVersion: string;
  version: string;
}
export interface LabelSelector {
  matchLabels?: { [name: string]: string };
  matchExpressions?: Array<LabelSelectorRequirement>;
}
export interface LabelSelectorRequirement {
  key: string;
  operator: string;
  values?: Array<string>;
}
export interface List {
  kind?: string;
  apiVersion?: string;
  metadata?: ListMeta;
  items: Array<unknown>;
}
export interface ListMeta {
  selfLink?: string;
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
  shardInfo?: ShardInfo;
}
export interface ListOptions {
  kind?: string;
  apiVersion?: string;
  labelSelector?: string;
  fieldSelector?: string;
  watch?: boolean;
  allowWatchBookmarks?: boolean;
  resourceVersion?: string;
  resourceVersionMatch?: string;
  timeoutSeconds?: number;
  limit?: number;
  continue?: string;
  sendInitialEvents?: boolean;
  shardSelector?: string;
}
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: object;
  subresource?: string;
}
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: { [name: string]: string };
  annotations?: { [name: string]: string };
  ownerReferences?: Array<OwnerReference>;
  finalizers?: Array<string>;
  managedFields?: Array<ManagedFieldsEntry>;
}
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}
export interface PartialObjectMetadata {
  kind?: string;
  apiVersion?: string;
  metadata?: ObjectMeta;
}
export interface PartialObjectMetadataList {
  kind?: string;
  apiVersion?: string;
  metadata?: ListMeta;
  items: Array<PartialObjectMetadata>;
}
export interface Patch {
}
export interface PatchOptions {
  kind?: string;
  apiVersion?: string;
  dryRun?: Array<string>;
  force?: boolean;
  fieldManager?: string;
  fieldValidation?: string;
}
export interface Preconditions {
  uid?: string;
  resourceVersion?: string;
}
export interface ServerAddressByClientCIDR {
  clientCIDR: string;
  serverAddress: string;
}
export interface ShardInfo {
  selector: string;
}
export interface Status {
  kind?: string;
  apiVersion?: string;
  metadata?: ListMeta;
  status?: string;
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}
export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: Array<StatusCause>;
  retryAfterSeconds?: number;
}
export interface Table {
  kind?: string;
  apiVersion?: string;
  metadata?: ListMeta;
  columnDefinitions: Array<TableColumnDefinition>;
  rows: Array<TableRow>;
}
export interface TableColumnDefinition {
  name: string;
  type: string;
  format: string;
  description: string;
  priority: number;
}
export interface TableOptions {
  kind?: string;
  apiVersion?: string;
  includeObject?: string;
}
export interface TableRow {
  cells: Array<unknown>;
  conditions?: Array<TableRowCondition>;
  object?: unknown;
}
export interface TableRowCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
}
export interface TypeMeta {
  kind?: string;
  apiVersion?: string;
}
export interface UpdateOptions {
  kind?: string;
  apiVersion?: string;
  dryRun?: Array<string>;
  fieldManager?: string;
  fieldValidation?: string;
}
export interface WatchEvent {
  type: string;
  object: unknown;
}
