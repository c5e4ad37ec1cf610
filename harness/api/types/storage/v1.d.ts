// Derived from the Go types of storage/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as core from '../core/v1.d.ts';
import type * as meta from '../meta/v1.d.ts';
export interface CSIDriver {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: CSIDriverSpec;
}
export interface CSIDriverList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<CSIDriver>;
}
export interface CSIDriverSpec {
  attachRequired?: boolean;
  podInfoOnMount?: boolean;
  volumeLifecycleModes?: Array<string>;
  storageCapacity?: boolean;
  fsGroupPolicy?: string;
  tokenRequests?: Array<TokenRequest>;
  requiresRepublish?: boolean;
  seLinuxMount?: boolean;
  nodeAllocatableUpdatePeriodSeconds?: number;
  serviceAccountTokenInSecrets?: boolean;
  preventPodSchedulingIfMissing?: boolean;
}
export interface CSINode {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: CSINodeSpec;
}
export interface CSINodeDriver {
  name: string;
  nodeID: string;
  topologyKeys?: Array<string>;
  allocatable?: VolumeNodeResources;
}
export interface CSINodeList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<CSINode>;
}
export interface CSINodeSpec {
  drivers: Array<CSINodeDriver>;
}
export interface CSIStorageCapacity {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  nodeTopology?: meta.LabelSelector;
  storageClassName: string;
  capacity?: string;
  maximumVolumeSize?: string;
}
export interface CSIStorageCapacityList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<CSIStorageCapacity>;
}
export interface StorageClass {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  provisioner: string;
  parameters?: { [name: string]: string };
  reclaimPolicy?: string;
  mountOptions?: Array<string>;
  allowVolumeExpansion?: boolean;
  volumeBindingMode?: string;
  allowedTopologies?: Array<core.TopologySelectorTerm>;
}
export interface StorageClassList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<StorageClass>;
}
export interface TokenRequest {
  audience: string;
  expirationSeconds?: number;
}
export interface VolumeAttachment {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: VolumeAttachmentSpec;
  status?: VolumeAttachmentStatus;
}
export interface VolumeAttachmentList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<VolumeAttachment>;
}
export interface VolumeAttachmentSource {
  persistentVolumeName?: string;
  inlineVolumeSpec?: core.PersistentVolumeSpec;
}
export interface VolumeAttachmentSpec {
  attacher: string;
  source: VolumeAttachmentSource;
  nodeName: string;
}
export interface VolumeAttachmentStatus {
  attached: boolean;
  attachmentMetadata?: { [name: string]: string };
  attachError?: VolumeError;
  detachError?: VolumeError;
}
export interface VolumeAttributesClass {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  driverName: string;
  parameters?: { [name: string]: string };
}
export interface VolumeAttributesClassList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<VolumeAttributesClass>;
}
export interface VolumeError {
  time?: string | null;
  message?: string;
  errorCode?: number;
}
export interface VolumeNodeResources {
  count?: number;
}
