/** The functions of the short way, as a first draft: the signal of a pod reaches the runtime, but not the queue. */
import {
  type Credential,
  errorText,
  type ImageEnsurerOptions,
  imageMessages,
  orAborted,
  type Puller,
  type PullWaits,
  pullError,
} from '#given/43-images';
import { type Clock, type cri, ImageError, type ImageRequest } from '#harness';
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

  async pullImage(request: ImageRequest, spec: string, credentials: readonly Credential[]): Promise<string> {
    const { clock, images, backOff, puller, limiter, records } = this.#options;
    const { container, pod, sandboxConfig, signal } = request;
    const { image = '' } = container;
    const key = `${pod.metadata.uid}/${image}`;
    const last = backOff.blocked(key);
    if (last) {
      const message = imageMessages.backOff(image);
      this.#tell(request, 'Normal', 'BackOff', message);
      throw new ImageError('ImagePullBackOff', `${message}: ${last.why}`);
    }
    await records.intend(image);
    this.#tell(request, 'Normal', 'Pulling', imageMessages.pulling(image));
    const pullingMs = clock.now();
    try {
      const pulled = await puller.run(async () => {
        const startedMs = clock.now();
        if (!limiter.tryAccept()) throw new Error('pull QPS exceeded');
        const result = await pullWithCredentials(images, {
          image: spec,
          credentials,
          sandboxConfig,
          signal,
        });
        const status = await images.imageStatus({ image: spec }).catch(() => undefined);
        return { ...result, status, tookMs: clock.now() - startedMs };
      });
      const { imageRef, credential, status, tookMs } = pulled;
      const withWaitingMs = clock.now() - pullingMs;
      const sizeBytes = status?.sizeBytes ?? 0;
      const message = imageMessages.pulled(image, { tookMs, withWaitingMs, sizeBytes });
      this.#tell(request, 'Normal', 'Pulled', message);
      backOff.forgetOld();
      await records.pulled(image, status?.id ?? imageRef, credential);
      return imageRef;
    } catch (error) {
      const text = errorText(error);
      this.#tell(request, 'Warning', 'Failed', imageMessages.failed(image, text));
      const refusal = pullError(image, text);
      backOff.failed(key, `${refusal.reason}: ${refusal.message}`);
      await records.failed(image, { givenUp: signal?.aborted === true });
      throw refusal;
    }
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

interface Failure {
  readonly atMs: number;
  readonly waitMs: number;
  readonly why: string;
}

export class PullBackOff implements PullWaits {
  readonly #clock: Clock;
  readonly #failures = new Map<string, Failure>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  blocked(key: string): { readonly why: string } | undefined {
    const last = this.#failures.get(key);
    return last && this.#clock.now() < last.atMs + last.waitMs ? { why: last.why } : undefined;
  }

  failed(key: string, why: string): void {
    this.forgetOld();
    const last = this.#failures.get(key);
    const waitMs = last ? Math.min(2 * last.waitMs, 300_000) : 10_000;
    this.#failures.set(key, { atMs: this.#clock.now(), waitMs, why });
  }

  forgetOld(): void {
    for (const [key, { atMs }] of this.#failures) {
      if (this.#clock.now() - atMs > 600_000) this.#failures.delete(key);
    }
  }
}

export class SerialPuller implements Puller {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const turn = this.#last.then(() => {
      signal?.throwIfAborted();
      return work();
    });
    this.#last = turn.catch(() => {});
    return orAborted(turn, signal);
  }
}
