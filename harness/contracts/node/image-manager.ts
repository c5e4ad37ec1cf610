import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import type { Clock } from '../../sim/index.ts';
import type { EventRecorder } from '../event-recorder.ts';
import type { ImageService } from './cri/image-service.ts';
import type { PodSandboxConfig, RuntimeService } from './cri/runtime-service.ts';
import type { FileSystem } from './host.ts';

/**
 * The images of a node, for its kubelet: it sees to it that a container's image is there, and removes what no container needs
 * when the disk is full. The port that kata 43 implements.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/types.go ImageManager, image_gc_manager.go ImageGCManager
 */
export interface ImageManager {
  /**
   * Sees to it that the image of a container is there, by the container's pull policy. Events about the container tell of it:
   * `Pulling`, `Pulled`, `Failed`, `BackOff`, `ErrImageNeverPull`, `InspectFailed`. (The event `Error: ErrImagePull` that follows
   * a failure is the kubelet's.) It may be called for many containers at once.
   *
   * @returns the image as the runtime knows it: what a container is made from
   * @throws ImageError with the reason for which the container waits
   */
  ensureImageExists(request: ImageRequest): Promise<string>;

  /**
   * Removes images that no container uses, if the disk is as full as `imageGCHighThresholdPercent` or fuller, until it is no
   * fuller than `imageGCLowThresholdPercent`. What is younger than `imageMinimumGCAgeMs` stays, and so does what is pinned. The kubelet calls
   * it when it starts and every five minutes; one call at a time.
   *
   * @throws Error when not enough could be removed, in the words of the node's event `FreeDiskSpaceFailed`
   */
  garbageCollect(): Promise<void>;

  /** Removes all images that no container uses and that are old enough: what a node does before it evicts a pod. */
  deleteUnusedImages(): Promise<void>;
}

/** The image that a container needs. */
export interface ImageRequest {
  readonly pod: Pod;
  /** Without `imagePullPolicy` it has the one that the API would fill in. */
  readonly container: Pick<core.Container, 'name' | 'image' | 'imagePullPolicy'>;
  /** The object of the events: the container. */
  readonly reference: core.ObjectReference;
  readonly sandboxConfig: PodSandboxConfig;
  /** Those that the pod names and that exist. */
  readonly pullSecrets: readonly core.Secret[];
  /**
   * Aborted when the pod is to go: then nothing is waited for any more, and the request fails. With which error, and whether an
   * event tells of it, is open.
   */
  readonly signal?: AbortSignal;
}

/** Why a container's image is not there, as `waiting.reason` says it. Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/types.go */
export type ImageErrorReason =
  | 'ErrImageNeverPull'
  | 'ErrImagePull'
  | 'ImageInspectError'
  | 'ImagePullBackOff'
  | 'InvalidImageName'
  | 'RegistryUnavailable'
  | 'SignatureValidationFailed';

/** The image of a container is not there. The kubelet will ask again. */
export class ImageError extends Error {
  override readonly name = 'ImageError';
  readonly reason: ImageErrorReason;

  /** @param message for `waiting.message` */
  constructor(reason: ImageErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** How a node treats images. Upstream: kubernetes/kubelet@v0.36.3 config/v1beta1/types.go KubeletConfiguration */
export interface ImageConfiguration {
  /** One pull at a time. @defaultValue true */
  readonly serializeImagePulls?: boolean;
  /** How many pulls run at once, if pulls are not serialized. @defaultValue no limit */
  readonly maxParallelImagePulls?: number;
  /** Pulls per second. Further pulls fail. 0: no limit. @defaultValue 5 */
  readonly registryPullQPS?: number;
  /** How many pulls may come at once, above that rate. @defaultValue 10 */
  readonly registryBurst?: number;
  /** @defaultValue 85 */
  readonly imageGCHighThresholdPercent?: number;
  /** @defaultValue 80 */
  readonly imageGCLowThresholdPercent?: number;
  /** An image that was first seen more recently, in ms, is not removed. @defaultValue 120,000 */
  readonly imageMinimumGCAgeMs?: number;
  /** Which images a pod may use without credentials of its own. @defaultValue NeverVerifyPreloadedImages */
  readonly imagePullCredentialsVerificationPolicy?:
    | 'NeverVerify'
    | 'NeverVerifyPreloadedImages'
    | 'NeverVerifyAllowlistedImages'
    | 'AlwaysVerify';
  /** @defaultValue none */
  readonly preloadedImagesVerificationAllowlist?: readonly string[];
}

/** What an image manager needs. */
export interface ImageManagerOptions {
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  /** The node's own name: what its events of garbage collection are about. */
  readonly node: string;
  readonly signal: AbortSignal;
  readonly images: ImageService;
  readonly runtime: Pick<RuntimeService, 'listContainers'>;
  /** The directory of its records, which outlive it: `/var/lib/kubelet/image_manager`. */
  readonly files: FileSystem;
  /** The node's own credentials, as a docker `config.json` has them. @defaultValue none */
  readonly dockerConfig?: string;
  readonly configuration?: ImageConfiguration;
}

/** Makes the image manager of a kubelet that starts now. */
export type NewImageManager = (options: ImageManagerOptions) => ImageManager;
