/**
 * The container runtime interface with its own names: `cri.RuntimeService`, `cri.PodSandboxConfig`.
 *
 * Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/services.go, pkg/apis/runtime/v1/api.proto
 */
export { CriError, isCriNotFound } from './cri-error.ts';
export type { AuthConfig, FilesystemUsage, Image, ImageService } from './image-service.ts';
export type { ImageSpec } from './image-spec.ts';
export type {
  Container,
  ContainerConfig,
  ContainerFilter,
  ContainerResources,
  ContainerState,
  ContainerStats,
  ContainerStatus,
  ExecSyncResponse,
  Mount,
  PodSandbox,
  PodSandboxConfig,
  PodSandboxFilter,
  PodSandboxMetadata,
  PodSandboxState,
  PodSandboxStatus,
  PortMapping,
  RuntimeCondition,
  RuntimeService,
  RuntimeVersion,
} from './runtime-service.ts';
