/** Level 9 ★ · Present is not enough. */
import {
  type Credential,
  credentialHash,
  errorText,
  type ImagePullCredentials,
  type ImagePulledRecord,
  type ImagePullSecret,
  imageMessages,
  type PullManagerOptions,
  type PullRecords,
} from '#given/43-images';
import { type cri, formatTime, type ImageConfiguration, ImageError } from '#harness';
import { parseImageName } from './reference.ts';

/** The maximum number of secrets that a record collects from pods that use an image without a pull. */
const SECRETS_MAX = 100;

export function requiresVerification(
  image: string,
  configuration: ImageConfiguration,
  { pulledByKubelet }: { readonly pulledByKubelet: boolean },
): boolean {
  switch (configuration.imagePullCredentialsVerificationPolicy ?? 'NeverVerifyPreloadedImages') {
    case 'NeverVerify':
      return false;
    case 'AlwaysVerify':
      return true;
    case 'NeverVerifyPreloadedImages':
      return pulledByKubelet;
    case 'NeverVerifyAllowlistedImages':
      return !configuration.preloadedImagesVerificationAllowlist?.some((pattern) => allows(pattern, image));
  }
}

function allows(pattern: string, image: string): boolean {
  const name = image.replace(/@.*$/, '').replace(/:[^/]*$/, '');
  return pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

export function accepts(
  known: ImagePullCredentials,
  secrets: readonly ImagePullSecret[],
): ImagePullSecret | boolean {
  if (known.nodePodsAccessible) return true;
  return (
    secrets.find((mine) =>
      known.kubernetesSecrets?.some(
        (other) => mine.credentialHash === other.credentialHash || isSameSecret(mine, other),
      ),
    ) ?? false
  );
}

export function withCredential(
  known: ImagePullCredentials | undefined,
  secret: ImagePullSecret | undefined,
): ImagePullCredentials {
  if (known?.nodePodsAccessible || !secret) return { nodePodsAccessible: true };
  const others = (known?.kubernetesSecrets ?? []).filter((other) => !isSameSecret(secret, other));
  return { kubernetesSecrets: [...others, secret] };
}

function isSameSecret(a: ImagePullSecret, b: ImagePullSecret): boolean {
  return a.uid === b.uid && a.namespace === b.namespace && a.name === b.name;
}

/**
 * Differs: the intent of an abandoned pull stays, and that of an earlier kubelet stays until a pull succeeds. Upstream
 * deletes both, although the image may be present.
 */
export class PullManager implements PullRecords {
  readonly #options: PullManagerOptions;
  /** The number of running pulls of each image. */
  readonly #underWay = new Map<string, number>();
  /**
   * Images with an intent from an earlier kubelet or a deleted pod: nobody knows whether they were pulled, and whose
   * credentials were used.
   */
  readonly #doubtful = new Set<string>();
  /** Settles when the files are free for the next access. Never rejects. */
  #free: Promise<unknown> = Promise.resolve();

  constructor(options: PullManagerOptions) {
    this.#options = options;
  }

  async mustAttemptPull(
    image: string,
    present: cri.Image,
    credentials: () => readonly Credential[],
  ): Promise<boolean> {
    const { store, configuration } = this.#options;
    try {
      const record = await this.#alone(() => store.readRecord(present.id));
      const pulledByKubelet = record !== undefined || (await this.#isIntended(present));
      if (!requiresVerification(image, configuration, { pulledByKubelet })) return false;
      const { repository } = parseImageName(image);
      const known = record?.credentialMapping[repository];
      if (!known) return true;
      if (known.nodePodsAccessible) return false;
      const accepted = accepts(known, credentials().flatMap(secretOf));
      if (typeof accepted === 'boolean') return !accepted;
      if ((known.kubernetesSecrets ?? []).length < SECRETS_MAX) {
        await this.#remember(repository, present.id, accepted).catch(() => {});
      }
      return false;
    } catch (error) {
      if (error instanceof ImageError) throw error;
      // An unreadable record proves nothing.
      return true;
    }
  }

  async intend(image: string): Promise<void> {
    const { store } = this.#options;
    try {
      const underWay = this.#underWay.get(image) ?? 0;
      this.#underWay.set(image, underWay + 1);
      if (underWay === 0 && (await store.hasIntent(image))) this.#doubtful.add(image);
      await store.writeIntent(image);
    } catch (error) {
      this.#end(image);
      throw new ImageError('ErrImagePull', imageMessages.intentFailed(image, errorText(error)));
    }
  }

  async pulled(image: string, id: string, credential: Credential | undefined): Promise<void> {
    const last = this.#end(image);
    const { repository } = parseImageName(image);
    try {
      await this.#remember(repository, id, credential && secretOf(credential)[0]);
      // Delete the intent last: a kubelet that crashes in between leaves the intent, which marks the image as doubtful.
      if (last) await this.#options.store.deleteIntent(image);
      this.#doubtful.delete(image);
    } catch {
      this.#doubtful.add(image);
    }
  }

  async failed(image: string, { givenUp }: { readonly givenUp: boolean }): Promise<void> {
    const last = this.#end(image);
    if (givenUp) this.#doubtful.add(image);
    if (last && !this.#doubtful.has(image)) {
      await this.#options.store.deleteIntent(image).catch(() => this.#doubtful.add(image));
    }
  }

  async prune(present: readonly string[], sinceMs: number): Promise<void> {
    const { store } = this.#options;
    const since = formatTime(sinceMs);
    await this.#alone(async () => {
      for (const { imageRef, lastUpdatedTime } of await store.listRecords()) {
        if (present.includes(imageRef) || lastUpdatedTime >= since) continue;
        await store.deleteRecord(imageRef);
      }
    }).catch(() => {});
  }

  /** Reports whether a present image has an intent under any of its names, by this kubelet or an earlier one. */
  async #isIntended({ repoTags, repoDigests }: cri.Image): Promise<boolean> {
    const names = new Set([...repoTags, ...repoDigests].map(fullName));
    const intents = await this.#options.store.listIntents();
    return intents.some((image) => names.has(fullName(image)));
  }

  /** @returns whether no other pull of this image is running */
  #end(image: string): boolean {
    const underWay = (this.#underWay.get(image) ?? 1) - 1;
    if (underWay > 0) this.#underWay.set(image, underWay);
    else this.#underWay.delete(image);
    return underWay === 0;
  }

  async #remember(repository: string, id: string, secret: ImagePullSecret | undefined): Promise<void> {
    const { store, clock } = this.#options;
    await this.#alone(async () => {
      const record: ImagePulledRecord | undefined = await store.readRecord(id).catch((error: unknown) => {
        if (error instanceof SyntaxError) return undefined;
        throw error;
      });
      const known = record?.credentialMapping[repository];
      const credentials = withCredential(known, secret);
      if (JSON.stringify(credentials) === JSON.stringify(known)) return;
      await store.writeRecord({
        imageRef: id,
        lastUpdatedTime: formatTime(clock.now()),
        credentialMapping: { ...record?.credentialMapping, [repository]: credentials },
      });
    });
  }

  /** Makes a read and the write that depends on it exclusive. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#free.then(work);
    this.#free = turn.catch(() => {});
    return turn;
  }
}

function secretOf({ secret, ...credential }: Credential): readonly ImagePullSecret[] {
  if (!secret?.metadata) return [];
  const { uid = '', namespace = '', name = '' } = secret.metadata;
  return [{ uid, namespace, name, credentialHash: credentialHash(credential) }];
}

function fullName(image: string): string {
  const { repository, tag, digest } = parseImageName(image);
  return digest === undefined ? `${repository}:${tag}` : `${repository}@${digest}`;
}
