import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import type { Clock } from '../../sim/index.ts';
import type { EventRecorder } from '../event-recorder.ts';
import type { ImageService } from './cri/image-service.ts';
import type { PodSandboxConfig, RuntimeService } from './cri/runtime-service.ts';
import type { FileSystem } from './host.ts';

/**
 * Manages the images of a node for its kubelet. It provides the image of each container, and deletes unused images when
 * the disk is full. Kata 43 implements this port.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/types.go ImageManager, image_gc_manager.go ImageGCManager
 */
export interface ImageManager {
  /**
   * Ensures that the image of a container is present, according to the container's pull policy. It emits Events about
   * the container: `Pulling`, `Pulled`, `Failed`, `BackOff`, `ErrImageNeverPull`, `InspectFailed`. (The kubelet emits
   * the event `Error: ErrImagePull` after a failure.) Several calls may run at once.
   *
   * @returns the runtime's reference to the image, which the container is created from
   * @throws ImageError with the reason why the container waits
   */
  ensureImageExists(request: ImageRequest): Promise<string>;

  /**
   * Deletes unused images when disk usage is at or above `imageGCHighThresholdPercent`, until it is at or below
   * `imageGCLowThresholdPercent`. It keeps pinned images, and images younger than `imageMinimumGCAgeMs`. The kubelet
   * calls it at its start and every five minutes, one call at a time.
   *
   * @throws Error when it could not free enough space, with the message of the node's event `FreeDiskSpaceFailed`
   */
  garbageCollect(): Promise<void>;

  /** Deletes all unused images that are old enough. A node does this before it evicts a pod. */
  deleteUnusedImages(): Promise<void>;
}

/** A request for the image of a container. */
export interface ImageRequest {
  readonly pod: Pod;
  /** Without `imagePullPolicy`, the API's default applies. */
  readonly container: Pick<core.Container, 'name' | 'image' | 'imagePullPolicy'>;
  /** The reference to the container for Events. */
  readonly reference: core.ObjectReference;
  readonly sandboxConfig: PodSandboxConfig;
  /** The existing secrets of the pod's `imagePullSecrets`. */
  readonly pullSecrets: readonly core.Secret[];
  /**
   * Aborted when the pod is being deleted. Then the request stops waiting and fails. Its error, and whether it emits an
   * Event, are unspecified.
   */
  readonly signal?: AbortSignal;
}

/**
 * The reason why a container's image is missing, shown in `waiting.reason`. Upstream: kubernetes/kubernetes@v1.36.3
 * pkg/kubelet/images/types.go
 */
export type ImageErrorReason =
  | 'ErrImageNeverPull'
  | 'ErrImagePull'
  | 'ImageInspectError'
  | 'ImagePullBackOff'
  | 'InvalidImageName'
  | 'RegistryUnavailable'
  | 'SignatureValidationFailed';

/** The image of a container could not be provided. The kubelet will retry. */
export class ImageError extends Error {
  override readonly name = 'ImageError';
  readonly reason: ImageErrorReason;

  /** @param message the text of `waiting.message` */
  constructor(reason: ImageErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The node's image settings. Upstream: kubernetes/kubelet@v0.36.3 config/v1beta1/types.go KubeletConfiguration */
export interface ImageConfiguration {
  /** Whether pulls run one at a time. @defaultValue true */
  readonly serializeImagePulls?: boolean;
  /** The maximum number of parallel pulls, if pulls are not serialized. @defaultValue no limit */
  readonly maxParallelImagePulls?: number;
  /** The limit of pulls per second. Pulls above it fail. 0: no limit. @defaultValue 5 */
  readonly registryPullQPS?: number;
  /** The number of pulls that may exceed that rate in a burst. @defaultValue 10 */
  readonly registryBurst?: number;
  /** @defaultValue 85 */
  readonly imageGCHighThresholdPercent?: number;
  /** @defaultValue 80 */
  readonly imageGCLowThresholdPercent?: number;
  /** The minimum age of an image, in ms since it was first seen, before it may be deleted. @defaultValue 120,000 */
  readonly imageMinimumGCAgeMs?: number;
  /** The images that a pod may use without credentials. @defaultValue NeverVerifyPreloadedImages */
  readonly imagePullCredentialsVerificationPolicy?:
    | 'NeverVerify'
    | 'NeverVerifyPreloadedImages'
    | 'NeverVerifyAllowlistedImages'
    | 'AlwaysVerify';
  /** @defaultValue none */
  readonly preloadedImagesVerificationAllowlist?: readonly string[];
}

/** Options of an image manager. */
export interface ImageManagerOptions {
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  /** The name of the node, for Events about garbage collection. */
  readonly node: string;
  readonly signal: AbortSignal;
  readonly images: ImageService;
  readonly runtime: Pick<RuntimeService, 'listContainers'>;
  /** The directory of its records, which persist across restarts: `/var/lib/kubelet/image_manager`. */
  readonly files: FileSystem;
  /** The node's own credentials, in the format of a docker `config.json`. @defaultValue none */
  readonly dockerConfig?: string;
  readonly configuration?: ImageConfiguration;
}

/** Creates the image manager of a starting kubelet. */
export type NewImageManager = (options: ImageManagerOptions) => ImageManager;
