import { type CatalogueImage, familiarName } from './catalogue.ts';
import { nearestTag } from './nearest-tag.ts';
import { type Blob, type Descriptor, descriptorOf } from './oci.ts';
import {
  type BlobRequest,
  type Content,
  type ManifestRequest,
  type RegistryClient,
  RegistryError,
  RegistryUnreachable,
  type Token,
  type TokenFormRequest,
  type TokenRequest,
} from './registry-client.ts';
import { buildImage, type ImageSource } from './repository.ts';

/** An image that was requested, but that no registry has. */
export interface MissingImage {
  /** Its name as people write it: `redis:alpine`, `gcr.io/team/app:v1`. */
  readonly image: string;
  /** The name of the image in its place, or `stand-in`; absent if the pull fails. */
  readonly instead?: string;
}

/** Options of {@link ObligingRegistry}. */
interface ObligingOptions {
  /** The images that can take the place of others. */
  readonly catalogue: readonly Pick<CatalogueImage, 'host' | 'repository' | 'tags'>[];
  /** The image in place of those outside the catalogue. @defaultValue their pulls fail */
  readonly standIn?: ImageSource | undefined;
  /** Called once for each image. */
  readonly onMissing: (missing: MissingImage) => void;
}

/**
 * Registries that oblige: a missing tag means the nearest one of its repository, and an image outside the catalogue
 * means the stand-in.
 *
 * Differs: a real registry lacks what it lacks. So the manifests of other projects run here.
 */
export class ObligingRegistry implements RegistryClient {
  readonly #registry: RegistryClient;
  readonly #options: ObligingOptions;
  /** The parts of the stand-in by digest. */
  readonly #parts: ReadonlyMap<string, Blob>;
  readonly #reported = new Set<string>();

  /** @param registry has the images of the catalogue */
  constructor(registry: RegistryClient, options: ObligingOptions) {
    this.#registry = registry;
    this.#options = options;
    const parts = options.standIn ? buildImage(options.standIn).blobs : [];
    this.#parts = new Map(parts.map((part) => [part.digest, part]));
  }

  /** Resolves a name. A client requests everything after that by digest. */
  async headManifest(request: ManifestRequest): Promise<Descriptor> {
    try {
      return await this.#registry.headManifest(request);
    } catch (error) {
      if (!isMissing(error)) throw error;
      return this.#insteadOf(request, error);
    }
  }

  async getManifest(request: ManifestRequest): Promise<Content> {
    return this.#parts.get(request.reference) ?? this.#registry.getManifest(request);
  }

  async getBlob(request: BlobRequest): Promise<Content> {
    return this.#parts.get(request.digest) ?? this.#registry.getBlob(request);
  }

  getToken(request: TokenRequest): Promise<Token> {
    return this.#tokenFor(request, this.#registry.getToken(request));
  }

  postToken(request: TokenFormRequest): Promise<Token> {
    return this.#tokenFor(request, this.#registry.postToken(request));
  }

  /** With a stand-in, the client of an unknown account gets an anonymous token: its real registry may know it. */
  async #tokenFor(request: Omit<TokenRequest, 'authorization'>, given: Promise<Token>): Promise<Token> {
    try {
      return await given;
    } catch (error) {
      if (!this.#options.standIn || !isUnauthorized(error)) throw error;
      const { realm, service, scopes, signal } = request;
      return this.#registry.getToken({ realm, service, scopes, signal });
    }
  }

  #insteadOf(request: ManifestRequest, error: unknown): Promise<Descriptor> | Descriptor {
    const { catalogue, standIn } = this.#options;
    const tags = catalogue
      .filter(({ host, repository }) => host === request.host && repository === request.repository)
      .flatMap((each) => each.tags);
    const reference = nearestTag(tags, request.reference);
    if (reference !== undefined) {
      this.#report(request, nameOf({ ...request, reference }));
      return this.#registry.headManifest({ ...request, reference });
    }
    // A misspelt tag of a known image stays an error.
    const index = tags.length === 0 && standIn ? buildImage(standIn).index : undefined;
    this.#report(request, index && 'stand-in');
    if (!index) throw error;
    return descriptorOf(index);
  }

  #report(request: ManifestRequest, instead: string | undefined): void {
    const image = nameOf(request);
    if (this.#reported.has(image)) return;
    this.#reported.add(image);
    this.#options.onMissing({ image, ...(instead === undefined ? {} : { instead }) });
  }
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof RegistryError && error.status === 401;
}

function isMissing(error: unknown): boolean {
  return error instanceof RegistryUnreachable || (error instanceof RegistryError && error.status === 404);
}

function nameOf({ reference, ...of }: ManifestRequest): string {
  return `${familiarName(of)}${reference.startsWith('sha256:') ? '@' : ':'}${reference}`;
}
