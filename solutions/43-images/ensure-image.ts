/** Level 6 · The image of a container. */
import {
  type Credential,
  errorText,
  type ImageEnsurerOptions,
  imageMessages,
  pullError,
} from '#given/43-images';
import { type cri, ImageError, type ImageRequest } from '#harness';
import { pullCredentials } from './keyring.ts';
import { pullPolicyOf, whatToDo } from './policy.ts';
import { pullWithCredentials } from './pull.ts';
import { applyDefaultTag, parseImageName } from './reference.ts';

export class ImageEnsurer {
  readonly #options: ImageEnsurerOptions;

  constructor(options: ImageEnsurerOptions) {
    this.#options = options;
  }

  async ensureImageExists(request: ImageRequest): Promise<string> {
    const { image = '' } = request.container;
    const spec = this.#specOf(request, image);
    const policy = pullPolicyOf(request.container);
    // Looked up at most once, and only if they are needed.
    let found: readonly Credential[] | undefined;
    const credentials = (): readonly Credential[] => {
      found ??= this.#credentialsFor(request, spec);
      return found;
    };
    const present = policy === 'Always' ? undefined : await this.#lookUp(request, spec);
    const usable =
      present !== undefined && !(await this.#options.records.mustAttemptPull(image, present, credentials));
    switch (whatToDo(policy, { usable })) {
      case 'use':
        this.#tell(request, 'Normal', 'Pulled', imageMessages.present(image));
        return present?.id ?? '';
      case 'refuse': {
        // This also applies to a present image that this pod may not use: the pod must not learn that it is present.
        const message = imageMessages.neverPull(image);
        this.#tell(request, 'Warning', 'ErrImageNeverPull', message);
        throw new ImageError('ErrImageNeverPull', message);
      }
      case 'pull':
        return await this.pullImage(request, spec, credentials());
    }
  }

  /** Differs: upstream writes the intent before it checks the back-off, and deletes it if the pod has to wait. */
  async pullImage(request: ImageRequest, spec: string, credentials: readonly Credential[]): Promise<string> {
    const { clock, backOff, records } = this.#options;
    const { image = '' } = request.container;
    const key = `${request.pod.metadata.uid}_${image}`;
    const blocked = backOff.blocked(key);
    if (blocked) {
      this.#tell(request, 'Normal', 'BackOff', imageMessages.backOff(image));
      throw new ImageError('ImagePullBackOff', `${imageMessages.backOff(image)}: ${blocked.why}`);
    }
    await records.intend(image);
    this.#tell(request, 'Normal', 'Pulling', imageMessages.pulling(image));
    const askedMs = clock.now();
    try {
      const pulled = await this.#pullInTurn(request, spec, credentials);
      const withWaitingMs = clock.now() - askedMs;
      this.#tell(request, 'Normal', 'Pulled', imageMessages.pulled(image, { ...pulled, withWaitingMs }));
      backOff.forgetOld();
      await records.pulled(image, pulled.id, pulled.credential);
      return pulled.imageRef;
    } catch (error) {
      const text = errorText(error);
      this.#tell(request, 'Warning', 'Failed', imageMessages.failed(image, text));
      const refusal = pullError(image, text);
      backOff.failed(key, `${refusal.reason}: ${refusal.message}`);
      await records.failed(image, { givenUp: request.signal?.aborted === true });
      throw refusal;
    }
  }

  /** Waits for its turn, and pulls. A pull above the rate limit fails when its turn has come. */
  #pullInTurn({ sandboxConfig, signal }: ImageRequest, image: string, credentials: readonly Credential[]) {
    const { clock, images, puller, limiter } = this.#options;
    return puller.run(async () => {
      const startedMs = clock.now();
      if (!limiter.tryAccept()) throw new Error('pull QPS exceeded');
      const pulled = await pullWithCredentials(images, { image, credentials, sandboxConfig, signal });
      // An unknown size is not a failure.
      const status = await images.imageStatus({ image }).catch(() => undefined);
      const { id = pulled.imageRef, sizeBytes = 0 } = status ?? {};
      return { ...pulled, id, sizeBytes, tookMs: clock.now() - startedMs };
    }, signal);
  }

  #specOf(request: ImageRequest, image: string): string {
    try {
      return applyDefaultTag(image);
    } catch (error) {
      const message = imageMessages.invalidName(image, errorText(error));
      this.#tell(request, 'Warning', 'InspectFailed', message);
      throw new ImageError('InvalidImageName', message);
    }
  }

  async #lookUp(request: ImageRequest, spec: string): Promise<cri.Image | undefined> {
    try {
      return await this.#options.images.imageStatus({ image: spec });
    } catch (error) {
      const message = imageMessages.inspectFailed(errorText(error));
      this.#tell(request, 'Warning', 'InspectFailed', message);
      throw new ImageError('ImageInspectError', message);
    }
  }

  #credentialsFor({ pullSecrets }: ImageRequest, spec: string): readonly Credential[] {
    const { node } = this.#options;
    try {
      return pullCredentials(parseImageName(spec).repository, { pullSecrets, node });
    } catch (error) {
      // The content of the secret does not match its type.
      throw new ImageError('ErrImagePull', errorText(error));
    }
  }

  #tell(request: ImageRequest, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#options.recorder.event(request.reference, type, reason, message);
  }
}
