/** The interfaces of a node, apart from its container runtime (`cri/`): its host, and the managers of a kubelet. */
export type { BridgeConfiguration } from './bridge-configuration.ts';
export { bytesOfText, TextDecoding, textOfBytes, texts } from './byte-text.ts';
export type {
  CniConfiguration,
  CniConfigurationList,
  CniExit,
  CniPlugin,
  CniProcess,
} from './cni-plugin.ts';
export type { CsiNode, NodePublishRequest } from './csi-node.ts';
export {
  FileError,
  type FileErrorCode,
  type FileInfo,
  type FileSystem,
  type HttpAnswer,
  type HttpRequest,
  type MachineInfo,
  type MachineStats,
  type MountOptions,
  type MountPoint,
  NetworkError,
  type NodeHost,
  type NodeNetwork,
  type OomKill,
  type SocketAddress,
  type WriteOptions,
} from './host.ts';
export {
  type ImageConfiguration,
  ImageError,
  type ImageErrorReason,
  type ImageManager,
  type ImageManagerOptions,
  type ImageRequest,
  type NewImageManager,
} from './image-manager.ts';
export type { IpAddresses, IpLink, IpRoute } from './ip-json.ts';
export type { KubeletConfiguration } from './kubelet-configuration.ts';
export {
  type CniAddress,
  type CniAttachment,
  CniError,
  type CniResult,
  type NetworkPlugin,
} from './network-plugin.ts';
export { type NetworkTools, type Shell, shell, ToolError } from './network-tools.ts';
export type {
  NewProbeManager,
  ProbeManager,
  ProbeManagerOptions,
  ProbeResult,
  ProbeType,
  ProbeUpdate,
} from './probe-manager.ts';
export type {
  NewVolumeManager,
  VolumeManager,
  VolumeManagerOptions,
} from './volume-manager.ts';
