/**
 * Kata 43 · The images of a node. Read README.md beside this file, then begin at the top: Level 1 is an image's name.
 *
 * Decisions first, each a pure function; then the pieces that remember something, {@link PullBackOff}, {@link SerialPuller},
 * {@link ImageGarbageCollector}; {@link ImageEnsurer} puts the pulling together.
 *
 * To go your own way, write {@link newImageManager} in any shape: its contract stands at `ImageManager`, and the laws ask for no
 * more.
 */
import {
  assembleImageManager,
  type Clock,
  type Credential,
  type core,
  type cri,
  type DockerConfigEntry,
  type ImageCollectorOptions,
  type ImageConfiguration,
  type ImageEnsurerOptions,
  type ImageName,
  type ImagePullCredentials,
  type ImagePullSecret,
  type ImageRecord,
  type ImageRequest,
  type KeyringEntry,
  type NewImageManager,
  type PulledImage,
  type Puller,
  type PullManagerOptions,
  type PullPolicy,
  type PullRecords,
  type PullRequest,
  type PullWaits,
  todo,
  trusting,
} from '#harness';

const KATA = '43-images';

// Level 1 · A reference

/**
 * Takes the name of an image apart, as Docker reads it.
 *
 * The part before the first slash is a registry if it is `localhost`, or has a dot, a colon or a capital letter; otherwise the
 * whole name is a path on `docker.io`. `index.docker.io` is `docker.io`, too. A path of one part on `docker.io` is in `library`.
 * A part of a path is letters and digits in lower case, with one dot, one or two underscores or any number of dashes between
 * them. A registry is a host, whose parts are letters, digits and dashes (these not at an end), joined by dots, or an IPv6 address
 * in brackets; and a port, if there is one. A tag is up to 128 letters, digits, underscores, dots and dashes, and begins with
 * neither dot nor dash. A digest is `sha256:` and 64 hexadecimal digits in lower case.
 *
 * @example
 * `nginx` → `{ repository: 'docker.io/library/nginx', tag: 'latest' }`
 *
 * @returns the tag `latest` where there is neither tag nor digest; both where there are both
 * @throws Error `couldn't parse image name "Nginx": invalid reference format: …`; what follows `invalid` is open. A name of 64
 * hexadecimal digits is none either: it would be taken for an id
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/util/parsers/parsers.go ParseImageName; distribution/reference@v0.6.0
 * normalize.go ParseNormalizedNamed
 */
export function parseImageName(image: string): ImageName {
  return todo(KATA, 'parseImageName', 'Level 1');
}

/**
 * The name as a runtime is asked for it: as it was written, with the tag `latest` behind it if it has neither tag nor digest.
 * It is not made longer otherwise: what a short name means is for the runtime to say.
 *
 * @throws Error as {@link parseImageName}
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_manager.go applyDefaultImageTag
 */
export function applyDefaultTag(image: string): string {
  return todo(KATA, 'applyDefaultTag', 'Level 1');
}

// Level 2 · When to pull

/**
 * The pull policy of a container: its own, or the one that the API fills in.
 *
 * @param container with an image's name that is valid
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/defaults.go SetDefaults_Container
 */
export function pullPolicyOf(container: ImageRequest['container']): PullPolicy {
  return todo(KATA, 'pullPolicyOf', 'Level 2');
}

/**
 * What is to be done for a container.
 *
 * @param options `usable`: the image is there, and the pod may use it
 * @returns `pull`; `use` what is there; or `refuse`
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
 * What of a docker config's key says for which images it is good: the host, with its port, and a path if there is one. Not the
 * scheme (`http://`, `https://`), not the version of the protocol that begins the path (`/v1/`, `/v2/`; without the slash behind
 * it, `/v1` is a path like any other), not a slash that stands for no path.
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
 * Is a key good for the images of a repository? The ports are the same, or neither has one; the hosts have as many parts, and
 * each part of the key's is the same or fits: `*` stands for any letters, `?` for one. The repository's path begins with the
 * key's: letter by letter, so that `quay.io/te` is good for `quay.io/team/app`.
 *
 * @param key as {@link registryKey} gives it
 * @param repository `registry.example.com/team/app`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/credentialprovider/keyring.go URLsMatch
 */
export function keyMatches(key: string, repository: string): boolean {
  return todo(KATA, 'keyMatches', 'Level 3');
}

/**
 * The credentials of one keyring for a repository, best first: in the reverse order of the texts of their keys, so that
 * `quay.io/team` comes before `quay.io`. Of one key, in the order in which they are given. If no key matches, and the repository is
 * on `docker.io`, those of the key `index.docker.io`: `docker login` writes that.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/credentialprovider/keyring.go BasicDockerKeyring.Lookup
 */
export function lookup(entries: readonly KeyringEntry[], repository: string): readonly Credential[] {
  return todo(KATA, 'lookup', 'Level 3');
}

/**
 * All credentials with which a pod's image may be pulled: those of its secrets, which are one keyring together, and then those
 * of the node. `dockerConfigOf` reads a secret.
 *
 * @returns each with the secret that it is from; the node's without
 * @throws Error when a secret is not what its type says, though another one may be good
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
 * Pulls an image with each credential in turn until one can; once without any if there are none.
 *
 * @throws what the runtime threw, if there was one pull without credentials; otherwise an Error whose message is what
 * `errorText` makes of each failure, each text once: alone, or as `[first, second]`. The signal's reason as soon as that is aborted
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
 * How long each pod waits after a pull that failed: 10 s at first, after each further failure twice as long, and never more than
 * 300 s. A failure more than 600 s after the one before is a first one again. Success changes nothing. Two failures at the same
 * time are two; a kubelet asks for a pod's containers one after the other, so that the second one finds the back-off of the first.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff
 */
export class PullBackOff implements PullWaits {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Is the wait after the last failure not over yet? It is over at its last millisecond.
   *
   * @param key who waits for what
   * @returns what {@link failed} was told last; undefined when nothing is waited for
   */
  blocked(key: string): { readonly why: string } | undefined {
    return todo(KATA, 'PullBackOff.blocked', 'Level 5');
  }

  /** A pull has failed now. @param why for the message of those that wait */
  failed(key: string, why: string): void {
    todo(KATA, 'PullBackOff.failed', 'Level 5');
  }

  /** Forgets the failures that no longer count, so that the table does not grow for ever. */
  forgetOld(): void {
    todo(KATA, 'PullBackOff.forgetOld', 'Level 5');
  }
}

// Level 6 · The image of a container

/** Sees to it that the image of a container is there. The words are in `imageMessages`. */
export class ImageEnsurer {
  readonly #options: ImageEnsurerOptions;

  constructor(options: ImageEnsurerOptions) {
    this.#options = options;
  }

  /**
   * Uses what is there, pulls, or refuses, by the container's policy.
   *
   * - The name is none: Warning `InspectFailed`; `InvalidImageName`.
   * - `Always` does not ask whether the image is there. The others ask the runtime; if that fails: Warning `InspectFailed`, with its
   *   `errorText`; `ImageInspectError`.
   * - An image that is there is usable unless `records.mustAttemptPull` says otherwise.
   * - `use`: Normal `Pulled`. `refuse`: Warning `ErrImageNeverPull`; `ErrImageNeverPull`. `pull`: {@link pullImage}.
   * - Credentials are looked up once, and only where they matter. A secret that cannot be read, even if another one can: no event,
   *   and no failure for the back-off; `ErrImagePull`, with the words of the error.
   *
   * @returns the image's id, or what the pull returned
   * @throws ImageError with the reason, and the message of the event. A request that is given up may fail with any error
   * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_manager.go imageManager.EnsureImageExists
   */
  async ensureImageExists(request: ImageRequest): Promise<string> {
    return todo(KATA, 'ImageEnsurer.ensureImageExists', 'Level 6');
  }

  /**
   * Pulls the image of a container.
   *
   * - This pod is in back-off for this image: Normal `BackOff`; `ImagePullBackOff`, with the event's message, a colon, and what
   *   went wrong before: `Back-off pulling image "web": ErrImagePull: not found`.
   * - `records.intend`, with the name as the pod has it. (If that throws, it is all: no event, no failure for the back-off.) Then
   *   Normal `Pulling`; then it waits for its turn.
   * - In its turn: it asks the limiter (no token: the pull has failed with `pull QPS exceeded`); it pulls; it looks up the id and the
   *   size of what was pulled.
   * - It succeeds: Normal `Pulled`, with the time that its turn took, with the time since `Pulling`, and with the image's size, or 0
   *   if that cannot be known; then `records.pulled`, with the id that the runtime gives the image, or with what the pull returned
   *   if that cannot be known.
   * - It fails: Warning `Failed`; a failure for the back-off; `records.failed`; and `pullError`. A pod that goes meanwhile is
   *   no exception (its uid does not come again), except for the `givenUp` of its record.
   *
   * @param spec the name with its tag
   * @returns what the runtime calls it
   * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_manager.go imageManager.pullImage
   */
  async pullImage(request: ImageRequest, spec: string, credentials: readonly Credential[]): Promise<string> {
    return todo(KATA, 'ImageEnsurer.pullImage', 'Level 6');
  }
}

// Level 7 · One at a time

/**
 * Pulls one after the other, in the order in which they were asked for. A pull that fails or is given up keeps no other one from
 * its turn.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/puller.go serialImagePuller
 */
export class SerialPuller implements Puller {
  /** As `Puller` says. `orAborted` ends a wait. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return todo(KATA, 'SerialPuller.run', 'Level 7');
  }
}

// Level 8 · Garbage collection

/**
 * The ids of the images that must stay, because a container was made from them.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_gc_manager.go realImageGCManager.detectImages
 */
export function imagesInUse(containers: readonly cri.Container[]): ReadonlySet<string> {
  return todo(KATA, 'imagesInUse', 'Level 8');
}

/**
 * The images that may go, the first to go first: that has not been used for longest, and of equals, that was seen first.
 *
 * @param options `inUse`: ids. `olderThanMs`: what was seen for the first time after it stays
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_gc_manager.go imagesInEvictionOrder, freeSpace
 */
export function evictionOrder(
  records: readonly ImageRecord[],
  options: { readonly inUse: ReadonlySet<string>; readonly olderThanMs: number },
): readonly ImageRecord[] {
  return todo(KATA, 'evictionOrder', 'Level 8');
}

/**
 * How many bytes images have to give back, if the disk is as full as `imageGCHighThresholdPercent` or fuller: as many as leave it
 * `imageGCLowThresholdPercent` full, a fraction of a byte cut off.
 *
 * @returns 0 when it is less full than the high threshold
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_gc_manager.go realImageGCManager.GarbageCollect
 */
export function bytesToFree(usage: cri.FilesystemUsage, configuration: ImageConfiguration): number {
  return todo(KATA, 'bytesToFree', 'Level 8');
}

/** Removes images when the disk is full. It remembers when it has seen which image, and which in use. */
export class ImageGarbageCollector {
  readonly #options: ImageCollectorOptions;

  constructor(options: ImageCollectorOptions) {
    this.#options = options;
  }

  /**
   * Looks at what is there and what is in use; then at the disk; then removes images, by id, until enough bytes are free, counting
   * each image's size. An image that cannot be removed does not count, and the next one is tried. In the end, if it was to free
   * anything, `records.prune` is told the ids of all images that are left, and when it began. What is in use is looked at once,
   * however long the removals take.
   *
   * - A capacity of 0: Warning `InvalidDiskCapacity` about the node, and an Error: `invalid capacity 0 on image filesystem`.
   * - Some images could not be removed: an Error, `wanted to free 5 bytes, but freed 3 bytes space with errors in image deletion: …`,
   *   with each error's text, joined by a comma and a blank. That is all then: of bytes that are missing as well nothing is said.
   * - Too few bytes are free: Warning `FreeDiskSpaceFailed` about the node, and an Error: both say `freeDiskSpaceFailed(…)`.
   *
   * The node is `{ apiVersion: 'v1', kind: 'Node', name, uid: name }`.
   *
   * @throws Error also as the runtime, when a look fails
   * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_gc_manager.go realImageGCManager.GarbageCollect
   */
  async garbageCollect(): Promise<void> {
    todo(KATA, 'ImageGarbageCollector.garbageCollect', 'Level 8');
  }

  /**
   * The same, for all images that may go, however full the disk is.
   *
   * @throws Error when some could not be removed, in the same words; what they say of the bytes that it wanted is open
   * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/image_gc_manager.go realImageGCManager.DeleteUnusedImages
   */
  async deleteUnusedImages(): Promise<void> {
    todo(KATA, 'ImageGarbageCollector.deleteUnusedImages', 'Level 8');
  }
}

// Level 9 ★ · Present is not enough

/**
 * ★ Has a pod to show that it may have an image that is there, before it gets it? (Also one that was there before: once a kubelet
 * has pulled it, too, it is no longer for all.)
 *
 * By `imagePullCredentialsVerificationPolicy`: `NeverVerify` no; `AlwaysVerify` yes; `NeverVerifyPreloadedImages` (the default) if
 * a kubelet has pulled it; `NeverVerifyAllowlistedImages` if the image, without tag and digest, is none of those of
 * `preloadedImagesVerificationAllowlist`: the same text, or with `/*` at its end the beginning of it.
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
 * ★ Do these secrets show that a pod may have what was pulled with those? One of them has the same credentials, or is the same
 * object: uid, namespace and name. (A secret whose password was changed is still the same one.)
 *
 * @returns true when every pod of the node may have it; the secret that shows it; or false
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/pullmanager/image_pull_manager.go PullManager.MustAttemptImagePull
 */
export function accepts(
  known: ImagePullCredentials,
  secrets: readonly ImagePullSecret[],
): ImagePullSecret | boolean {
  return todo(KATA, 'accepts', 'Level 9');
}

/**
 * ★ What is known after one more pull. What every pod of the node may have, it may have for good. A secret takes the place of the
 * same object with other credentials.
 *
 * @param secret absent: it was pulled anonymously, or with the node's credentials
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/pullmanager/image_pull_manager.go pulledRecordMergeNewCreds
 */
export function withCredential(
  known: ImagePullCredentials | undefined,
  secret: ImagePullSecret | undefined,
): ImagePullCredentials {
  return todo(KATA, 'withCredential', 'Level 9');
}

/**
 * ★ Writes down which images were pulled, and with which credentials, so that what one pod pulled with its secret is not there
 * for each. An *intent* is written before a pull, and taken back when it has failed. A *record* of the image's id says, by
 * repository, which credentials have pulled it; it is written after a pull, and then the intent goes.
 *
 * What a kubelet that dies leaves in doubt is verified: it may be that the image is there and it is not known what pulled it.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/pullmanager/image_pull_manager.go PullManager
 */
export class PullManager implements PullRecords {
  readonly #options: PullManagerOptions;

  constructor(options: PullManagerOptions) {
    this.#options = options;
  }

  /**
   * A kubelet has pulled an image if there is a record of it, or an intent for one of its names: its tags and digests, compared in
   * full, as `docker.io/library/nginx:latest`. If the pod has to show that it
   * may have it: it may by a record of its repository that {@link accepts} it, and the secret that shows it is remembered, too.
   * What cannot be read shows nothing.
   */
  async mustAttemptPull(
    image: string,
    present: cri.Image,
    credentials: () => readonly Credential[],
  ): Promise<boolean> {
    return todo(KATA, 'PullManager.mustAttemptPull', 'Level 9');
  }

  /** Several pulls of one image may be under way. @throws ImageError `ErrImagePull` with `imageMessages.intentFailed` */
  async intend(image: string): Promise<void> {
    todo(KATA, 'PullManager.intend', 'Level 9');
  }

  /** If it cannot be written down, the intent stays. */
  async pulled(image: string, id: string, credential: Credential | undefined): Promise<void> {
    todo(KATA, 'PullManager.pulled', 'Level 9');
  }

  /** The intent goes with the last pull of this image that is under way, unless an earlier kubelet left one, or a pull was given up. */
  async failed(image: string, how: { readonly givenUp: boolean }): Promise<void> {
    todo(KATA, 'PullManager.failed', 'Level 9');
  }

  /**
   * Deletes the records of images that are not there and that were not pulled since. A record's time is in whole seconds: what
   * was pulled in the second of `sinceMs` stays.
   */
  async prune(present: readonly string[], sinceMs: number): Promise<void> {
    todo(KATA, 'PullManager.prune', 'Level 9');
  }
}

/** ★ The records of an image manager. Until Level 9, any pod may have what is there; then: a {@link PullManager}. */
export const newPullRecords = (_options: PullManagerOptions): PullRecords => trusting;

// Level 10 ★ · Several at once

/**
 * ★ Pulls as many at once as it may, in the order in which they were asked for.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/images/puller.go parallelImagePuller
 */
export class ParallelPuller implements Puller {
  readonly #max: number;

  /** @param max how many at once; absent: no limit */
  constructor(max: number = Number.POSITIVE_INFINITY) {
    this.#max = max;
  }

  /** As `Puller` says. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return todo(KATA, 'ParallelPuller.run', 'Level 10');
  }
}

// All of it

/** The image manager of a kubelet: what the rest of a cluster knows of this kata. `assembleImageManager` puts the parts together. */
export const newImageManager: NewImageManager = (options) =>
  assembleImageManager(options, {
    PullBackOff,
    ImageEnsurer,
    SerialPuller,
    ParallelPuller,
    ImageGarbageCollector,
    newPullRecords,
  });
