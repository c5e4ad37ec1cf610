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

/** What a registry is like. */
export interface RegistryHostOptions {
  /** How clients identify themselves. @defaultValue `none`: they do not */
  readonly access?: Access;
  /** The password of each account, by its name. @defaultValue no accounts */
  readonly users?: Readonly<Record<string, string>>;
  /** How fast layers come. @defaultValue 100,000,000 */
  readonly bytesPerSecond?: number;
}

/** How often one client may fetch a manifest. */
export interface RateLimit {
  readonly pulls: number;
  readonly windowMs: number;
}

const BYTES_PER_SECOND = 100_000_000;

/**
 * A registry: its repositories, its accounts, and how it is today.
 *
 * Upstream: distribution/distribution@v3.0.0 registry/handlers/app.go App
 */
export class RegistryHost {
  readonly host: string;
  /** Nothing answers there. */
  unreachable = false;
  /** It answers 503 to everything. */
  unavailable = false;
  /** How long it thinks about each request. */
  latencyMs = 0;
  bytesPerSecond: number;
  /** Of each account, and of all clients without one together. */
  rateLimit: RateLimit | undefined;

  readonly #clock: Clock;
  readonly #access: AccessControl;
  readonly #repositories = new Map<string, Repository>();
  /** When each client fetched manifests, within the window. */
  readonly #pulls = new Map<string, readonly number[]>();

  constructor(host: string, clock: Clock, options: RegistryHostOptions) {
    this.host = host;
    this.bytesPerSecond = options.bytesPerSecond ?? BYTES_PER_SECOND;
    this.#clock = clock;
    this.#access = new AccessControl({ clock, access: options.access ?? 'none', users: options.users ?? {} });
  }

  /** Where its tokens come from, if it wants tokens. */
  get tokens(): TokenServer | undefined {
    return this.#access.tokens;
  }

  /** Puts an image into a repository, which is there from then on. @returns the digest of its index */
  push(repository: string, source: ImageSource, tag?: string): string {
    const found = this.#repositories.get(repository) ?? new Repository();
    this.#repositories.set(repository, found);
    return found.push(source, tag);
  }

  /** The repository of this name. @throws Error when there is none */
  repository(name: string): Repository {
    const found = this.#repositories.get(name);
    if (!found) throw new Error(`Failed to find ${name} on ${this.host}: nothing was pushed there.`);
    return found;
  }

  /** From now on only these accounts can read a repository. */
  restrict(repository: string, users: readonly string[]): void {
    this.#access.restrict(repository, users);
  }

  /** Changes the password of an account, or closes the account. Tokens that were given stay good until they expire. */
  setPassword(user: string, password: string | undefined): void {
    this.#access.setPassword(user, password);
  }

  /** Answers a GET or HEAD of a manifest. Only a GET counts as a pull. */
  async manifest(request: ManifestRequest, method: 'GET' | 'HEAD'): Promise<Blob> {
    const asked = { ...request, method, url: manifestUrl(request) };
    await this.#admit(asked);
    if (method === 'GET') this.#count(asked);
    const manifest = this.#repositories.get(request.repository)?.manifest(request.reference);
    if (manifest) return manifest;
    throw refusal(asked, 404, { code: 'MANIFEST_UNKNOWN', message: 'manifest unknown' });
  }

  /** Answers a GET of a blob, after as long as the download of a layer takes. */
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

  /** Answers as its token server. */
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

/** A request of a repository. */
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
