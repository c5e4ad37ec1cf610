/** Level 6 · The image of a container. */
import {
  type Clock,
  type cri,
  type DockerConfigEntry,
  type EventRecorder,
  formatDuration,
  ImageError,
  type ImageErrorReason,
  type ImageRequest,
  type PullLimiter,
} from '#harness';
import type { PullBackOff } from './backoff.ts';
import { type Credential, pullCredentials } from './keyring.ts';
import { pullPolicyOf, whatToDo } from './policy.ts';
import { type Pulled, pullError, pullWithCredentials, textOf } from './pull.ts';
import type { PullRecords } from './pull-records.ts';
import { applyDefaultTag, parseImageName } from './reference.ts';
import type { Puller } from './serial-puller.ts';

/** What an {@link ImageEnsurer} works with. */
export interface ImageEnsurerOptions {
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly images: cri.ImageService;
  /** The node's own credentials. */
  readonly node: readonly DockerConfigEntry[];
  readonly backOff: PullBackOff;
  readonly puller: Puller;
  readonly limiter: PullLimiter;
  readonly records: PullRecords;
}

/** How an event is told: reason, message. */
type Tell = (type: 'Normal' | 'Warning', reason: string, message: string) => void;

export class ImageEnsurer {
  readonly #options: ImageEnsurerOptions;

  constructor(options: ImageEnsurerOptions) {
    this.#options = options;
  }

  async ensureImageExists(request: ImageRequest): Promise<string> {
    const { image = '' } = request.container;
    const tell: Tell = (...event) => this.#options.recorder.event(request.reference, ...event);
    const spec = this.#specOf(image, tell);
    const policy = pullPolicyOf(request.container);
    // Looked up once, and only if somebody needs them.
    let found: readonly Credential[] | undefined;
    const credentials = (): readonly Credential[] => {
      found ??= this.#credentialsFor(request);
      return found;
    };
    const present = policy === 'Always' ? undefined : await this.#lookUp(spec, tell);
    const usable =
      present !== undefined && !(await this.#options.records.mustAttemptPull(image, present, credentials));
    switch (whatToDo(policy, { usable })) {
      case 'use':
        tell(
          'Normal',
          'Pulled',
          `Container image "${image}" already present on machine and can be accessed by the pod`,
        );
        return present?.id ?? '';
      case 'refuse': {
        // Also of an image that is there, but not for this pod: not even that is for it to know.
        const message = `Container image "${image}" is not present with pull policy of Never`;
        tell('Warning', 'ErrImageNeverPull', message);
        throw new ImageError('ErrImageNeverPull', message);
      }
      case 'pull':
        return await this.#pull(request, { image, spec, credentials: credentials(), tell });
    }
  }

  #specOf(image: string, tell: Tell): string {
    try {
      return applyDefaultTag(image);
    } catch (error) {
      const message = `Failed to apply default image tag "${image}": ${textOf(error)}`;
      tell('Warning', 'InspectFailed', message);
      throw new ImageError('InvalidImageName', message);
    }
  }

  async #lookUp(spec: string, tell: Tell): Promise<cri.Image | undefined> {
    try {
      return await this.#options.images.imageStatus({ image: spec });
    } catch (error) {
      // The name between the quotes is the image's id, which is not known yet: upstream prints it all the same.
      const message = `Failed to inspect image "": ${textOf(error)}`;
      tell('Warning', 'InspectFailed', message);
      throw new ImageError('ImageInspectError', message);
    }
  }

  #credentialsFor({ container, pullSecrets }: ImageRequest): readonly Credential[] {
    const { repository } = parseImageName(container.image ?? '');
    return failsAs('ErrImagePull', () =>
      pullCredentials(repository, { pullSecrets, node: this.#options.node }),
    );
  }

  async #pull(
    request: ImageRequest,
    {
      image,
      spec,
      credentials,
      tell,
    }: {
      readonly image: string;
      readonly spec: string;
      readonly credentials: readonly Credential[];
      readonly tell: Tell;
    },
  ): Promise<string> {
    const { clock, backOff, records } = this.#options;
    const key = `${request.pod.metadata.uid}_${image}`;
    const blocked = backOff.blocked(key);
    if (blocked) {
      const message = `Back-off pulling image "${image}"`;
      tell('Normal', 'BackOff', message);
      throw new ImageError('ImagePullBackOff', `${message}: ${blocked.why}`);
    }
    await records.intend(image);
    tell('Normal', 'Pulling', `Pulling image "${image}"`);
    const askedMs = clock.now();
    try {
      const pulled = await this.#pullInTurn(request, spec, credentials);
      const [took, waited] = [pulled.tookMs, clock.now() - askedMs].map(formatDuration);
      tell(
        'Normal',
        'Pulled',
        `Successfully pulled image "${image}" in ${took} (${waited} including waiting). Image size: ${pulled.sizeBytes} bytes.`,
      );
      backOff.forgetOld();
      await records.pulled(image, pulled.id, pulled.credential);
      return pulled.imageRef;
    } catch (error) {
      const text = textOf(error);
      tell('Warning', 'Failed', `Failed to pull image "${image}": ${text}`);
      const told = pullError(image, text);
      backOff.failed(key, `${told.reason}: ${told.message}`);
      await records.failed(image);
      throw told;
    }
  }

  /** Waits for its turn, and pulls. What comes faster than is allowed fails when its turn has come. */
  #pullInTurn({ sandboxConfig, signal }: ImageRequest, image: string, credentials: readonly Credential[]) {
    const { clock, images, puller, limiter } = this.#options;
    return puller.run(async (): Promise<Pulled & { id: string; sizeBytes: number; tookMs: number }> => {
      const startedMs = clock.now();
      if (!limiter.tryAccept()) throw new Error('pull QPS exceeded');
      const pulled = await pullWithCredentials(images, { image, credentials, sandboxConfig, signal });
      // To know its size is no reason to fail.
      const status = await images.imageStatus({ image }).catch(() => undefined);
      return {
        ...pulled,
        id: status?.id ?? pulled.imageRef,
        sizeBytes: status?.sizeBytes ?? 0,
        tookMs: clock.now() - startedMs,
      };
    }, signal);
  }
}

export function failsAs<T>(reason: ImageErrorReason, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new ImageError(reason, textOf(error));
  }
}
