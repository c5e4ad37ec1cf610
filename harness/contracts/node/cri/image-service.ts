import type { ImageSpec } from './image-spec.ts';
import type { PodSandboxConfig } from './runtime-service.ts';

/**
 * The images of a node: the other half of the container runtime interface.
 *
 * Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/services.go ImageManagerService
 */
export interface ImageService {
  /** In no order that one may count on. */
  listImages(filter?: { readonly image?: ImageSpec }): Promise<readonly Image[]>;

  /** @returns undefined when the image is not there; that is no error */
  imageStatus(image: ImageSpec): Promise<Image | undefined>;

  /**
   * Fetches an image from its registry. If some of it was there before, only the rest is fetched. If it fails, or the runtime
   * dies meanwhile, the image is not there.
   *
   * @param auth absent: the pull is anonymous
   * @param signal aborted: the pull is given up, and rejects with the signal's reason
   * @returns the image as the runtime knows it, by id or by digest: an {@link ImageSpec} of it finds the image
   * @throws CriError with the registry's refusal in its text. A text that begins with `RegistryUnavailable` or
   * `SignatureValidationFailed` says so
   */
  pullImage(
    image: ImageSpec,
    auth?: AuthConfig,
    sandboxConfig?: PodSandboxConfig,
    signal?: AbortSignal,
  ): Promise<string>;

  /** Removes the image, with all its tags. Succeeds when it is not there. */
  removeImage(image: ImageSpec): Promise<void>;

  /** How full the disk is on which the images are. */
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
  /** It is never to be removed by garbage collection: the sandbox's. */
  readonly pinned: boolean;
}

/**
 * The account that asks a registry. One of `username` with `password`, `auth` (the two, joined by a colon, in base64), or an
 * `identityToken`.
 *
 * Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto AuthConfig
 */
export interface AuthConfig {
  readonly username?: string;
  readonly password?: string;
  readonly auth?: string;
  /** Of which registry it is; if it is not the image's, the runtime ignores all of it. */
  readonly serverAddress?: string;
  readonly identityToken?: string;
}

/** How full a disk is. */
export interface FilesystemUsage {
  readonly mountpoint: string;
  readonly capacityBytes: number;
  readonly availableBytes: number;
  /** By images, here. */
  readonly usedBytes: number;
}
