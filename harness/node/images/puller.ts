import { type AuthConfig, CriError } from '../../contracts/node/cri/index.ts';
import type { Clock } from '../../sim/index.ts';
import {
  type ConfigFile,
  type Descriptor,
  digestOf,
  type Index,
  type Layer,
  type Manifest,
  mediaTypes,
} from '../registry/oci.ts';
import {
  type Content,
  type ManifestRequest,
  type RegistryClient,
  RegistryError,
  RegistryUnreachable,
} from '../registry/registry-client.ts';
import { Authorizer, InvalidAuthorization } from './authorizer.ts';
import type { Lease } from './content-store.ts';
import { formatImageName, type ImageName } from './image-name.ts';

/** A complete image. */
export interface PulledImage {
  /** The digest that its name refers to: that of its index, if it has one. */
  readonly target: string;
  /** The digests of all its parts. */
  readonly parts: readonly string[];
  /** The digest of its configuration. */
  readonly id: string;
  readonly config: ConfigFile;
  readonly layers: readonly Layer[];
}

/** Dependencies of {@link Puller}. */
interface PullerOptions {
  readonly client: RegistryClient;
  readonly clock: Clock;
  /** Whether a failure means that the registry is unavailable. */
  readonly registryUnavailable: (error: Error) => boolean;
}

/** The image and the credentials of one pull. */
interface Pull {
  readonly name: ImageName;
  readonly auth: AuthConfig | undefined;
  /** Receives the fetched content. */
  readonly content: Lease;
  readonly signal: AbortSignal;
}

/** The maximum number of attempts for a request. */
const ATTEMPTS = 5;

/**
 * Pulls images from registries: first the manifest, then the missing parts of configuration and layers.
 *
 * Differs: it fetches layers one by one; containerd fetches three at a time.
 *
 * Upstream: containerd/containerd@v2.3.3 core/transfer/local/pull.go pull, core/remotes/docker/resolver.go dockerResolver.Resolve
 */
export class Puller {
  readonly #options: PullerOptions;

  constructor(options: PullerOptions) {
    this.#options = options;
  }

  /** @throws CriError with containerd's message when the pull fails */
  async pull(pull: Pull): Promise<PulledImage> {
    const registry = new Registration(this.#options, pull);
    const prefix = `failed to pull and unpack image "${formatImageName(pull.name)}"`;
    const told = (words: string) => (error: Error) => this.#tell(pull, words, error);
    const target = await registry.resolve().catch(told(`${prefix}: failed to resolve image`));
    return this.#fetch(registry, target).catch(told(prefix));
  }

  /** Rethrows an error with the runtime's message. The error of an aborted pull stays unchanged. */
  #tell({ signal }: Pull, words: string, error: Error): never {
    if (signal.aborted) throw signal.reason;
    const code = error instanceof NotFound ? 'NotFound' : 'Unknown';
    const unavailable = causesOf(error).some(this.#options.registryUnavailable);
    throw new CriError(code, `${unavailable ? 'RegistryUnavailable: ' : ''}${words}: ${error.message}`);
  }

  async #fetch(registry: Registration, target: Descriptor): Promise<PulledImage> {
    const top = JSON.parse(await registry.manifest(target)) as Index | Manifest;
    const own = top.mediaType === mediaTypes.index ? forThisMachine(top) : target;
    const manifest = JSON.parse(await registry.manifest(own)) as Manifest;
    const config = JSON.parse(await registry.blob(manifest.config)) as ConfigFile;
    const layers: Layer[] = [];
    for (const layer of manifest.layers) layers.push(JSON.parse(await registry.blob(layer)) as Layer);
    const parts = [target, own, manifest.config, ...manifest.layers].map(({ digest }) => digest);
    return { target: target.digest, parts, id: manifest.config.digest, config, layers };
  }
}

/** Returns an error and its chain of causes. */
function causesOf(error: Error): readonly Error[] {
  return [error, ...(error.cause instanceof Error ? causesOf(error.cause) : [])];
}

function forThisMachine({ manifests }: Index): Descriptor {
  const found = manifests.find(
    ({ platform }) => platform?.os === 'linux' && platform.architecture === 'amd64',
  );
  if (!found) throw new NotFound('no match for platform in manifest: not found');
  return found;
}

class NotFound extends Error {
  override readonly name = 'NotFound';
}

/** The registry of one image, during one pull. */
class Registration {
  readonly #options: PullerOptions;
  readonly #pull: Pull;
  readonly #host: string;
  readonly #authorizer: Authorizer;

  constructor(options: PullerOptions, pull: Pull) {
    this.#options = options;
    this.#pull = pull;
    this.#host = pull.name.domain === 'docker.io' ? 'registry-1.docker.io' : pull.name.domain;
    this.#authorizer = new Authorizer({ ...options, auth: pull.auth, signal: pull.signal });
  }

  /** Resolves the name to the descriptor of its manifest or index. */
  async resolve(): Promise<Descriptor> {
    const { tag, digest = tag ?? '' } = this.#pull.name;
    try {
      return await this.#ask((to) =>
        this.#options.client.headManifest({ ...to, reference: digest } satisfies ManifestRequest),
      );
    } catch (error) {
      if (error instanceof InvalidAuthorization) {
        const denied = 'pull access denied, repository does not exist or may require authorization';
        throw new Error(`${denied}: ${error.message}`);
      }
      const missing = error instanceof RegistryError && error.status === 404;
      throw missing ? new NotFound(`${formatImageName(this.#pull.name)}: not found`) : error;
    }
  }

  /** Fetches the text of an index or manifest. */
  manifest(descriptor: Descriptor): Promise<string> {
    return this.#get(descriptor, (to) =>
      this.#options.client.getManifest({ ...to, reference: descriptor.digest }),
    );
  }

  /** Fetches the text of a configuration or layer. */
  blob(descriptor: Descriptor): Promise<string> {
    return this.#get(descriptor, (to) => this.#options.client.getBlob({ ...to, digest: descriptor.digest }));
  }

  #get({ digest }: Descriptor, send: (to: Addressed) => Promise<Content>): Promise<string> {
    return this.#pull.content.fetch(digest, async () => {
      const content = await this.#ask(send).catch((error: Error) => {
        throw new Error(`failed to copy: httpReadSeeker: failed open: ${error.message}`, { cause: error });
      });
      const got = digestOf(content.text);
      if (got === digest) return content;
      throw new Error(
        `failed commit on ref "${digest}": unexpected commit digest ${got}, expected ${digest}`,
      );
    });
  }

  /** Sends a request. It retries with credentials if the registry requests them, or if the registry is busy. */
  async #ask<T>(send: (to: Addressed) => Promise<T>): Promise<T> {
    const { signal, name } = this.#pull;
    let last: RegistryError | undefined;
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      const authorization = await this.#authorizer.headerFor(this.#host).catch((error: Error) => {
        throw new Error(`failed to authorize: ${error.message}`, { cause: error });
      });
      try {
        return await send({ host: this.#host, repository: name.repository, authorization, signal });
      } catch (error) {
        if (error instanceof RegistryUnreachable) {
          throw new Error(`failed to do request: ${error.message}`, { cause: error });
        }
        if (!(error instanceof RegistryError)) throw error;
        if (error.status === 401) this.#authorizer.refused(this.#host, error, last !== undefined);
        if (attempt === ATTEMPTS || !worthwhile(error.status, last)) throw error;
        last = error;
      }
    }
  }
}

interface Addressed {
  readonly host: string;
  readonly repository: string;
  readonly authorization: string | undefined;
  readonly signal: AbortSignal;
}

/** Whether another attempt may succeed. */
function worthwhile(status: number, last: RegistryError | undefined): boolean {
  if ([401, 408, 429].includes(status)) return true;
  return [500, 503, 504].includes(status) && last?.status !== status;
}
