import type { Clock } from '../../sim/index.ts';
import { type Access, AccessControl, type TokenServer } from './access-control.ts';
import type { Blob, Layer } from './oci.ts';
import { mediaTypes } from './oci.ts';
import {
  type BlobRequest,
  blobUrl,
  type ManifestRequest,
  manifestUrl,
  RegistryError,
  type RegistryFault,
  type Token,
  type TokenFormRequest,
  type TokenRequest,
} from './registry-client.ts';
import { type ImageSource, Repository } from './repository.ts';

/** Options of a registry. */
export interface RegistryHostOptions {
  /** The authentication of clients. @defaultValue `none` */
  readonly access?: Access;
  /** The password of each account, by name. @defaultValue no accounts */
  readonly users?: Readonly<Record<string, string>>;
  /** The download speed of layers. @defaultValue 100,000,000 */
  readonly bytesPerSecond?: number;
}

/** The number of manifests that one client may fetch in a time window. */
interface RateLimit {
  readonly pulls: number;
  readonly windowMs: number;
}

const BYTES_PER_SECOND = 100_000_000;

/**
 * A registry with its repositories and accounts, and its current faults.
 *
 * Upstream: distribution/distribution@v3.0.0 registry/handlers/app.go App
 */
export class RegistryHost {
  readonly host: string;
  /** Whether the registry does not answer at all. */
  unreachable = false;
  /** Whether it answers 503 to every request. */
  unavailable = false;
  /** The delay before each answer. */
  latencyMs = 0;
  bytesPerSecond: number;
  /** The limit for each account. All anonymous clients share one limit. */
  rateLimit: RateLimit | undefined;

  readonly #clock: Clock;
  readonly #access: AccessControl;
  readonly #repositories = new Map<string, Repository>();
  /** The times of each client's manifest requests within the window. */
  readonly #pulls = new Map<string, readonly number[]>();

  constructor(host: string, clock: Clock, options: RegistryHostOptions) {
    this.host = host;
    this.bytesPerSecond = options.bytesPerSecond ?? BYTES_PER_SECOND;
    this.#clock = clock;
    this.#access = new AccessControl({ clock, access: options.access ?? 'none', users: options.users ?? {} });
  }

  /** Its token server, if it uses tokens. */
  get tokens(): TokenServer | undefined {
    return this.#access.tokens;
  }

  /**
   * Pushes an image to a repository, and creates the repository if necessary.
   * @returns the digest of the image's index
   */
  push(repository: string, source: ImageSource, tag?: string): string {
    const found = this.#repositories.get(repository) ?? new Repository();
    this.#repositories.set(repository, found);
    return found.push(source, tag);
  }

  /** Returns a repository. @throws Error when the repository does not exist */
  repository(name: string): Repository {
    const found = this.#repositories.get(name);
    if (!found) throw new Error(`Failed to find ${name} on ${this.host}: nothing was pushed there.`);
    return found;
  }

  /** Restricts the readers of a repository to these accounts. */
  restrict(repository: string, users: readonly string[]): void {
    this.#access.restrict(repository, users);
  }

  /** Changes the password of an account, or deletes the account. Issued tokens stay valid until they expire. */
  setPassword(user: string, password: string | undefined): void {
    this.#access.setPassword(user, password);
  }

  /** Answers a GET or HEAD request for a manifest. Only GET counts as a pull. */
  async manifest(request: ManifestRequest, method: 'GET' | 'HEAD'): Promise<Blob> {
    const asked = { ...request, method, url: manifestUrl(request) };
    await this.#admit(asked);
    if (method === 'GET') this.#count(asked);
    const manifest = this.#repositories.get(request.repository)?.manifest(request.reference);
    if (manifest) return manifest;
    throw refusal(asked, 404, { code: 'MANIFEST_UNKNOWN', message: 'manifest unknown' });
  }

  /** Answers a GET request for a blob, after the download time of a layer. */
  async blob(request: BlobRequest): Promise<Blob> {
    const asked = { ...request, method: 'GET' as const, url: blobUrl(request) };
    await this.#admit(asked);
    const blob = this.#repositories.get(request.repository)?.blob(request.digest);
    if (!blob) throw refusal(asked, 404, { code: 'BLOB_UNKNOWN', message: 'blob unknown to registry' });
    const bytes =
      blob.mediaType === mediaTypes.layer ? (JSON.parse(blob.text) as Layer).sizeBytes : blob.size;
    await this.#clock.sleep((bytes / this.bytesPerSecond) * 1_000, request.signal);
    return blob;
  }

  /** Answers as the registry's token server. */
  async giveToken(request: TokenRequest | TokenFormRequest): Promise<Token> {
    if (this.latencyMs > 0) await this.#clock.sleep(this.latencyMs, request.signal);
    return this.#access.giveToken(request);
  }

  async #admit(asked: Asked): Promise<void> {
    if (this.latencyMs > 0) await this.#clock.sleep(this.latencyMs, asked.signal);
    if (this.unavailable) {
      throw refusal(asked, 503, { code: 'UNAVAILABLE', message: 'service unavailable' });
    }
    const challenge = this.#access.challenge(asked);
    if (challenge === undefined) return;
    throw refusal(asked, 401, { code: 'UNAUTHORIZED', message: 'authentication required' }, challenge);
  }

  #count(asked: Asked): void {
    if (!this.rateLimit) return;
    const { pulls, windowMs } = this.rateLimit;
    const client = this.#access.userOf(asked.authorization) ?? '';
    const recent = (this.#pulls.get(client) ?? []).filter((atMs) => atMs > this.#clock.now() - windowMs);
    if (recent.length < pulls) {
      this.#pulls.set(client, [...recent, this.#clock.now()]);
      return;
    }
    const which = client === '' ? 'unauthenticated pull' : 'pull';
    throw refusal(asked, 429, {
      code: 'TOOMANYREQUESTS',
      message: `You have reached your ${which} rate limit. https://www.docker.com/increase-rate-limit`,
    });
  }
}

/** A request to a repository. */
interface Asked {
  readonly method: 'GET' | 'HEAD';
  readonly url: string;
  readonly repository: string;
  readonly authorization?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

function refusal(
  { method, url }: Asked,
  status: number,
  fault: RegistryFault,
  challenge?: string,
): RegistryError {
  return new RegistryError({ method, url, status, challenge, faults: method === 'HEAD' ? [] : [fault] });
}
