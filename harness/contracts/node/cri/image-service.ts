import type { ImageSpec } from './image-spec.ts';
import type { PodSandboxConfig } from './runtime-service.ts';

/**
 * The images of a node: the other half of the container runtime interface.
 *
 * Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/services.go ImageManagerService
 */
export interface ImageService {
  /** Returns the images in no particular order. */
  listImages(filter?: { readonly image?: ImageSpec }): Promise<readonly Image[]>;

  /** @returns undefined when the image is not present; this is not an error */
  imageStatus(image: ImageSpec): Promise<Image | undefined>;

  /**
   * Pulls an image from its registry. Parts that are already present are not pulled again. If the pull fails, or the
   * runtime crashes during it, the image is not present.
   *
   * @param auth absent: the pull is anonymous
   * @param signal an abort cancels the pull, which rejects with the signal's reason
   * @returns the runtime's reference to the image, an id or a digest. An {@link ImageSpec} with this reference finds
   * the image
   * @throws CriError with the registry's refusal in its message. The message starts with `RegistryUnavailable` or
   * `SignatureValidationFailed` in these two cases
   */
  pullImage(
    image: ImageSpec,
    auth?: AuthConfig,
    sandboxConfig?: PodSandboxConfig,
    signal?: AbortSignal,
  ): Promise<string>;

  /** Removes the image with all its tags. Succeeds when it is not present. */
  removeImage(image: ImageSpec): Promise<void>;

  /** Returns the usage of the disk with the images. */
  imageFsInfo(): Promise<FilesystemUsage>;
}

/** Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto Image */
export interface Image {
  /** The digest of its configuration: `sha256:…`. */
  readonly id: string;
  /** `docker.io/library/nginx:1.27`. */
  readonly repoTags: readonly string[];
  /** `docker.io/library/nginx@sha256:…`. */
  readonly repoDigests: readonly string[];
  readonly sizeBytes: number;
  /** Whether garbage collection must keep it: the image of sandboxes. */
  readonly pinned: boolean;
}

/**
 * Credentials for a registry: `username` with `password`; `auth`, which is the two joined by a colon, in base64; or an
 * `identityToken`.
 *
 * Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto AuthConfig
 */
export interface AuthConfig {
  readonly username?: string;
  readonly password?: string;
  readonly auth?: string;
  /** The registry of the credentials. If the image is from another registry, the runtime ignores them. */
  readonly serverAddress?: string;
  readonly identityToken?: string;
}

/** The usage of a disk. */
export interface FilesystemUsage {
  readonly mountpoint: string;
  readonly capacityBytes: number;
  readonly availableBytes: number;
  /** Bytes that images use. */
  readonly usedBytes: number;
}
