/**
 * Kata 43 · The images of a node. Read README.md beside this file, then begin at the top: Level 1 is an image's name.
 *
 * The decisions come first, as pure functions; then the parts with state, {@link PullBackOff}, {@link SerialPuller},
 * {@link ImageGarbageCollector}. {@link ImageEnsurer} combines the parts that pull.
 *
 * For your own design, write {@link newImageManager} in any shape: `ImageManager` documents its contract, and the laws
 * require no more.
 */
import {
  assembleImageManager,
  type Credential,
  type DockerConfigEntry,
  type ImageCollectorOptions,
  type ImageEnsurerOptions,
  type ImageName,
  type ImagePullCredentials,
  type ImagePullSecret,
  type ImageRecord,
  type KeyringEntry,
  type PulledImage,
  type Puller,
  type PullManagerOptions,
  type PullPolicy,
  type PullRecords,
  type PullRequest,
  type PullWaits,
  trusting,
} from '#given/43-images';
import {
  type Clock,
  type core,
  type cri,
  type ImageConfiguration,
  type ImageRequest,
  type NewImageManager,
  todo,
} from '#harness';

const KATA = '43-images';

// Level 1 · A reference

/**
 * Splits the name of an image, as Docker does.
 *
 * The part before the first slash is a registry if it is `localhost`, or has a dot, a colon or a capital letter; otherwise the
 * whole name is a path on `docker.io`. `index.docker.io` is `docker.io`, too. A path of one part on `docker.io` is in
 * `library`. A part of a path consists of lowercase letters and digits, separated by one dot, one or two underscores or
 * any number of dashes. A registry is a host and an optional port. A host is an IPv6 address in brackets, or parts joined
 * by dots; a part consists of letters, digits and dashes, without a dash at either end. A tag is up to 128 letters,
 * digits, underscores, dots and dashes, and begins with neither dot nor dash. A digest is `sha256:` and 64 lowercase
 * hexadecimal digits.
 *
 * @example
 * `nginx` → `{ repository: 'docker.io/library/nginx', tag: 'latest' }`
 *
 * @returns the tag `latest` if the name has neither tag nor digest; both if it has both
 * @throws Error `couldn't parse image name "Nginx": invalid reference format: …`; the text after `invalid` is open. A
 * name of 64 hexadecimal digits is also invalid, because it looks like an ID
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/util/parsers/parsers.go ParseImageName; distribution/reference@v0.6.0
 * normalize.go ParseNormalizedNamed
 */
export function parseImageName(image: string): ImageName {
  return todo(KATA, 'parseImageName', 'Level 1');
}

/**
 * Returns the name for the runtime: as written, plus the tag `latest` if it has neither tag nor digest. It adds no
 * registry and no path: the runtime resolves short names.
 *
 * @throws Error like {@link parseImageName}
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_manager.go applyDefaultImageTag
 */
export function applyDefaultTag(image: string): string {
  return todo(KATA, 'applyDefaultTag', 'Level 1');
}

// Level 2 · When to pull

/**
 * Returns the pull policy of a container: its own, or the default of the API.
 *
 * @param container - has a valid image name
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/defaults.go SetDefaults_Container
 */
export function pullPolicyOf(container: ImageRequest['container']): PullPolicy {
  return todo(KATA, 'pullPolicyOf', 'Level 2');
}

/**
 * Decides what to do for a container.
 *
 * @param options - `usable`: the image is present, and the pod may use it
 * @returns `pull`; `use` the present image; or `refuse`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_manager.go imageManager.imagePullPrecheck
 */
export function whatToDo(
  policy: PullPolicy,
  options: { readonly usable: boolean },
): 'pull' | 'use' | 'refuse' {
  return todo(KATA, 'whatToDo', 'Level 2');
}

// Level 3 · Credentials for an image

/**
 * Normalizes the key of a docker config: the host, with its port, and the path, if any. Removes the scheme (`http://`,
 * `https://`), the version of the protocol at the start of the path (`/v1/`, `/v2/`; without the last slash, `/v1` is a
 * normal path), and the slash of an empty path.
 *
 * @example
 * `https://index.docker.io/v1/` → `index.docker.io`
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/credentialprovider/keyring.go BasicDockerKeyring.Add
 */
export function registryKey(registry: string): string {
  return todo(KATA, 'registryKey', 'Level 3');
}

/**
 * Checks whether a key matches a repository. The ports are equal, or both are missing. The hosts have the same number of
 * parts, and each part matches that of the key: `*` matches any characters, `?` one. The path of the repository begins
 * with that of the key, character by character: `quay.io/te` matches `quay.io/team/app`.
 *
 * @param key - from {@link registryKey}
 * @param repository - `registry.example.com/team/app`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/credentialprovider/keyring.go URLsMatch
 */
export function keyMatches(key: string, repository: string): boolean {
  return todo(KATA, 'keyMatches', 'Level 3');
}

/**
 * Returns the credentials of one keyring for a repository, best first: in the reverse of the `sort()` order of their
 * keys, so that `quay.io/team` comes before `quay.io`. Entries of one key keep their order. If no key matches a
 * repository on `docker.io`, returns the entries of the key `index.docker.io`, which `docker login` writes.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/credentialprovider/keyring.go BasicDockerKeyring.Lookup
 */
export function lookup(entries: readonly KeyringEntry[], repository: string): readonly Credential[] {
  return todo(KATA, 'lookup', 'Level 3');
}

/**
 * Returns all credentials for the image of a pod: those of its secrets, which form one keyring, and then those of the node.
 * `dockerConfigOf` reads a secret.
 *
 * @returns each credential with its secret; those of the node without one
 * @throws Error if a secret cannot be read, even if another one is valid
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/credentialprovider/secrets/secrets.go MakeDockerKeyring
 */
export function pullCredentials(
  repository: string,
  options: { readonly pullSecrets: readonly core.Secret[]; readonly node: readonly DockerConfigEntry[] },
): readonly Credential[] {
  return todo(KATA, 'pullCredentials', 'Level 3');
}

// Level 4 · Pull with each of them

/**
 * Pulls an image with one credential after the other, until one succeeds; without credentials, pulls once anonymously.
 *
 * @throws the error of the runtime, if the pull was anonymous; otherwise an Error with the `errorText` of each failure,
 * each text once: alone, or as `[first, second]`. Once the signal is aborted, throws its reason and starts no further pull
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_image.go kubeGenericRuntimeManager.PullImage
 */
export async function pullWithCredentials(
  images: cri.ImageService,
  request: PullRequest,
): Promise<PulledImage> {
  return todo(KATA, 'pullWithCredentials', 'Level 4');
}

// Level 5 · Back-off

/**
 * The wait after a failed pull: 10 s at first, doubled by each further failure, at most 300 s. A failure more than 600 s
 * after the previous one counts as a first one. Success changes nothing. Two failures at the same time count twice; a
 * kubelet requests the images of a pod one after the other, so the second container finds the back-off of the first.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff
 */
export class PullBackOff implements PullWaits {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Checks whether the wait after the last failure still runs. A wait of 10 s is over after exactly 10,000 ms.
   *
   * @param key - the pod and the image
   * @returns the `why` of the last call of {@link failed}; undefined if no wait runs
   */
  blocked(key: string): { readonly why: string } | undefined {
    return todo(KATA, 'PullBackOff.blocked', 'Level 5');
  }

  /** Records a failed pull. @param why - the reason, for the message during the wait */
  failed(key: string, why: string): void {
    todo(KATA, 'PullBackOff.failed', 'Level 5');
  }

  /** Deletes the failures that no longer count, so that the table does not grow without limit. */
  forgetOld(): void {
    todo(KATA, 'PullBackOff.forgetOld', 'Level 5');
  }
}

// Level 6 · The image of a container

/** Ensures that the image of a container is present. `imageMessages` contains the messages. */
export class ImageEnsurer {
  readonly #options: ImageEnsurerOptions;

  constructor(options: ImageEnsurerOptions) {
    this.#options = options;
  }

  /**
   * Uses the present image, pulls it, or refuses, according to the policy of the container.
   *
   * - Invalid name: Warning `InspectFailed`; reason `InvalidImageName`.
   * - With `Always`, do not call `imageStatus`. With the other policies, call it; if it fails: Warning `InspectFailed`,
   *   with its `errorText`; reason `ImageInspectError`.
   * - A present image is usable unless `records.mustAttemptPull` returns true.
   * - `use`: Normal `Pulled`. `refuse`: Warning `ErrImageNeverPull`; reason `ErrImageNeverPull`. `pull`: {@link pullImage}.
   * - Look up the credentials once, and only if they matter. If a secret cannot be read, even if another one can: no
   *   event, and no failure for the back-off; reason `ErrImagePull`, with the message of the error.
   *
   * @returns the ID of the present image, or the result of {@link pullImage}
   * @throws ImageError with the reason, and the message of the event. An aborted request may fail with any error
   * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_manager.go imageManager.EnsureImageExists
   */
  async ensureImageExists(request: ImageRequest): Promise<string> {
    return todo(KATA, 'ImageEnsurer.ensureImageExists', 'Level 6');
  }

  /**
   * Pulls the image of a container.
   *
   * - If the pod is in back-off for this image: Normal `BackOff`; reason `ImagePullBackOff`, with the message of the
   *   event, a colon, and the failure before: `Back-off pulling image "web": ErrImagePull: not found`.
   * - `records.intend`, with the name as the pod wrote it. (If that throws, rethrow it, without an event or a failure for
   *   the back-off.) Then Normal `Pulling`; then wait for the turn.
   * - In its turn: take a token from the limiter (without one, the pull fails with `pull QPS exceeded`); pull; look up
   *   the ID and the size of the pulled image.
   * - On success: Normal `Pulled`, with the duration of the turn, the time since `Pulling`, and the size of the image, or
   *   0 if that is unknown; then `records.pulled`, with the ID from the runtime, or with the result of the pull if the ID
   *   is unknown.
   * - On failure: Warning `Failed`; a failure for the back-off; `records.failed`; and `pullError`. The same holds if the
   *   pod is deleted meanwhile (its UID never returns), except for the `givenUp` of its record.
   *
   * @param spec - the name with its tag
   * @returns the reference that the pull returned
   * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_manager.go imageManager.pullImage
   */
  async pullImage(request: ImageRequest, spec: string, credentials: readonly Credential[]): Promise<string> {
    return todo(KATA, 'ImageEnsurer.pullImage', 'Level 6');
  }
}

// Level 7 · One at a time

/**
 * Runs one pull after the other, in the order of the calls. A failed or aborted pull does not block the next one.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/puller.go serialImagePuller
 */
export class SerialPuller implements Puller {
  /** `Puller` documents the contract. `orAborted` ends a wait. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return todo(KATA, 'SerialPuller.run', 'Level 7');
  }
}

// Level 8 · Garbage collection

/**
 * Returns the IDs of the images that must stay, because a container was made from them.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_gc_manager.go realImageGCManager.detectImages
 */
export function imagesInUse(containers: readonly cri.Container[]): ReadonlySet<string> {
  return todo(KATA, 'imagesInUse', 'Level 8');
}

/**
 * Returns the images that may be removed, in this order: the longest unused first; among equals, the one that was
 * detected first. Pinned images stay.
 *
 * @param options - `inUse`: IDs of images that stay. `olderThanMs`: images that were detected first after this time stay
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_gc_manager.go imagesInEvictionOrder, freeSpace
 */
export function evictionOrder(
  records: readonly ImageRecord[],
  options: { readonly inUse: ReadonlySet<string>; readonly olderThanMs: number },
): readonly ImageRecord[] {
  return todo(KATA, 'evictionOrder', 'Level 8');
}

/**
 * Returns the number of bytes to free if the usage of the disk is at least `imageGCHighThresholdPercent`: then the usage
 * must fall to `imageGCLowThresholdPercent`. Rounds down to whole bytes.
 *
 * @returns 0 if the usage is below the high threshold
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_gc_manager.go realImageGCManager.GarbageCollect
 */
export function bytesToFree(usage: cri.FilesystemUsage, configuration: ImageConfiguration): number {
  return todo(KATA, 'bytesToFree', 'Level 8');
}

/** Removes images when the disk is full. Stores for each image the times of its first detection and of its last use. */
export class ImageGarbageCollector {
  readonly #options: ImageCollectorOptions;

  constructor(options: ImageCollectorOptions) {
    this.#options = options;
  }

  /**
   * Detects the present images and the images in use; then reads the disk usage; then removes images, by ID, until the
   * sum of their sizes is enough. An image that cannot be removed does not count, and the next one is tried. In the end,
   * if it had bytes to free, it passes the IDs of all remaining images, and the time of its start, to `records.prune`. It
   * detects the images in use once, however long the removals take.
   *
   * - Capacity 0: Warning `InvalidDiskCapacity` about the node, and an Error: `invalid capacity 0 on image filesystem`.
   * - Some images could not be removed: an Error, `wanted to free 5 bytes, but freed 3 bytes space with errors in image
   *   deletion: …`, with the text of each error, joined by a comma and a space, and no event. It does not report missing
   *   bytes in addition.
   * - Too few bytes are free: Warning `FreeDiskSpaceFailed` about the node, and an Error, both with the text of
   *   `freeDiskSpaceFailed(…)`.
   *
   * The node is `{ apiVersion: 'v1', kind: 'Node', name, uid: name }`.
   *
   * @throws Error also the error of the runtime, if it cannot list images or containers, or read the disk usage
   * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_gc_manager.go realImageGCManager.GarbageCollect
   */
  async garbageCollect(): Promise<void> {
    todo(KATA, 'ImageGarbageCollector.garbageCollect', 'Level 8');
  }

  /**
   * Removes all images that may be removed, however full the disk is.
   *
   * @throws Error if some images could not be removed, with the same message; its number of wanted bytes is open
   * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_gc_manager.go realImageGCManager.DeleteUnusedImages
   */
  async deleteUnusedImages(): Promise<void> {
    todo(KATA, 'ImageGarbageCollector.deleteUnusedImages', 'Level 8');
  }
}

// Level 9 ★ · Present is not enough

/**
 * ★ Checks whether a pod must prove its access to a present image. (A preloaded image is no longer for all pods once a
 * kubelet has pulled it.)
 *
 * By `imagePullCredentialsVerificationPolicy`: `NeverVerify` no; `AlwaysVerify` yes; `NeverVerifyPreloadedImages` (the
 * default) if a kubelet has pulled it; `NeverVerifyAllowlistedImages` if `preloadedImagesVerificationAllowlist` lacks the
 * image, without tag and digest. An entry of the list is the whole text, or its beginning if the entry ends with `/*`.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/pullmanager/image_pull_policies.go
 */
export function requiresVerification(
  image: string,
  configuration: ImageConfiguration,
  options: { readonly pulledByKubelet: boolean },
): boolean {
  return todo(KATA, 'requiresVerification', 'Level 9');
}

/**
 * ★ Checks whether the secrets of a pod prove its access to an image with these known credentials: one of them has the
 * same credentials, or is the same object: UID, namespace and name. (A secret with a changed password is still the same
 * object.)
 *
 * @returns true if every pod of the node may use the image; the secret that proves the access; or false
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/pullmanager/image_pull_manager.go PullManager.MustAttemptImagePull
 */
export function accepts(
  known: ImagePullCredentials,
  secrets: readonly ImagePullSecret[],
): ImagePullSecret | boolean {
  return todo(KATA, 'accepts', 'Level 9');
}

/**
 * ★ Returns the known credentials after one more pull. Access for all pods of the node is permanent. A secret replaces
 * the same object with other credentials.
 *
 * @param secret - absent if the pull was anonymous, or used the node's credentials
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/pullmanager/image_pull_manager.go pulledRecordMergeNewCreds
 */
export function withCredential(
  known: ImagePullCredentials | undefined,
  secret: ImagePullSecret | undefined,
): ImagePullCredentials {
  return todo(KATA, 'withCredential', 'Level 9');
}

/**
 * ★ Records which images were pulled, and with which credentials, so that other pods cannot use the image that one pod
 * pulled with its secret. An *intent* is written before a pull, and deleted when the pull has failed. A *record* for the
 * image ID contains, by repository, the credentials that have pulled it; it is written after a pull, and then the intent
 * is deleted.
 *
 * After a crash of the kubelet during a pull, the image may be present without a record of its credentials: then pods
 * must prove their access.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/pullmanager/image_pull_manager.go PullManager
 */
export class PullManager implements PullRecords {
  readonly #options: PullManagerOptions;

  constructor(options: PullManagerOptions) {
    this.#options = options;
  }

  /**
   * A kubelet has pulled an image if it has a record, or an intent for one of its names: its tags and digests, compared
   * as full names like `docker.io/library/nginx:latest`. If the pod must prove its access, a record of its repository
   * must accept it ({@link accepts}); then the secret that proves the access is recorded, too. A file that cannot be read
   * proves nothing.
   */
  async mustAttemptPull(
    image: string,
    present: cri.Image,
    credentials: () => readonly Credential[],
  ): Promise<boolean> {
    return todo(KATA, 'PullManager.mustAttemptPull', 'Level 9');
  }

  /** Several pulls of one image may run at once. @throws ImageError `ErrImagePull` with `imageMessages.intentFailed` */
  async intend(image: string): Promise<void> {
    todo(KATA, 'PullManager.intend', 'Level 9');
  }

  /** If the record cannot be written, the intent stays. */
  async pulled(image: string, id: string, credential: Credential | undefined): Promise<void> {
    todo(KATA, 'PullManager.pulled', 'Level 9');
  }

  /**
   * Deletes the intent after the last running pull of this image, unless an earlier kubelet left one, or a pull was given up.
   */
  async failed(image: string, how: { readonly givenUp: boolean }): Promise<void> {
    todo(KATA, 'PullManager.failed', 'Level 9');
  }

  /**
   * Deletes the records of images that are not present and were not pulled since. The time of a record is in whole
   * seconds: records from the second of `sinceMs` stay.
   */
  async prune(present: readonly string[], sinceMs: number): Promise<void> {
    todo(KATA, 'PullManager.prune', 'Level 9');
  }
}

/**
 * ★ The records of an image manager. Until Level 9, every pod may use every present image; then return a {@link PullManager}.
 */
export const newPullRecords = (_options: PullManagerOptions): PullRecords => trusting;

// Level 10 ★ · Several at once

/**
 * ★ Runs several pulls at once, up to a limit, and starts them in the order of the calls.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/puller.go parallelImagePuller
 */
export class ParallelPuller implements Puller {
  readonly #max: number;

  /** @param max - the limit; absent: no limit */
  constructor(max: number = Number.POSITIVE_INFINITY) {
    this.#max = max;
  }

  /** `Puller` documents the contract. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return todo(KATA, 'ParallelPuller.run', 'Level 10');
  }
}

// All of it

/** The image manager of a kubelet, the entry point of this kata. `assembleImageManager` combines your parts. */
export const newImageManager: NewImageManager = (options) =>
  assembleImageManager(options, {
    PullBackOff,
    ImageEnsurer,
    SerialPuller,
    ParallelPuller,
    ImageGarbageCollector,
    newPullRecords,
  });
