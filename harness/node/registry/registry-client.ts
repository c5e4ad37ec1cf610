import type { Clock } from '../../sim/index.ts';
import type { Descriptor } from './oci.ts';

/**
 * A client of image registries: the pull half of the distribution specification, and the token servers.
 *
 * Upstream: opencontainers/distribution-spec@v1.1.1 spec.md "Pull"
 *
 * @throws RegistryError from each call when the answer is an error
 * @throws RegistryUnreachable from each call when no answer arrives
 */
export interface RegistryClient {
  /** Resolves a tag or digest to a descriptor, without fetching the content. */
  headManifest(request: ManifestRequest): Promise<Descriptor>;
  /** Fetches an index or a manifest. */
  getManifest(request: ManifestRequest): Promise<Content>;
  /** Fetches a configuration or a layer. A large layer takes long. */
  getBlob(request: BlobRequest): Promise<Content>;
  /** Fetches a token, anonymously or with a name and password. */
  getToken(request: TokenRequest): Promise<Token>;
  /** Fetches a token with an OAuth 2 form. Not every registry supports this. */
  postToken(request: TokenFormRequest): Promise<Token>;
}

/** Creates registries that answer at the time of a clock, and returns their client. */
export type NewRegistry = (clock: Clock) => RegistryClient;

/** The target and the credentials of a request. */
interface RegistryRequest {
  /** The host of the registry: `registry-1.docker.io`. */
  readonly host: string;
  /** The path of the repository: `library/nginx`. */
  readonly repository: string;
  /** The header: `Bearer …`, `Basic …`. */
  readonly authorization?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A request for a manifest. */
export interface ManifestRequest extends RegistryRequest {
  /** A tag or a digest. */
  readonly reference: string;
}

/** A request for a blob. */
export interface BlobRequest extends RegistryRequest {
  readonly digest: string;
}

/** A request for a token. */
export interface TokenRequest {
  /** The URL of the token server, from the challenge: `https://auth.docker.io/token`. */
  readonly realm: string;
  readonly service: string;
  /** The requested scopes: `repository:library/nginx:pull`. */
  readonly scopes: readonly string[];
  /** The header: `Basic …`. Absent for an anonymous request. */
  readonly authorization?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A request for a token with a form. */
export interface TokenFormRequest extends Omit<TokenRequest, 'authorization'> {
  readonly grant:
    | { readonly type: 'password'; readonly username: string; readonly password: string }
    | { readonly type: 'refresh_token'; readonly refreshToken: string };
}

/** Content from a registry. */
export interface Content {
  readonly mediaType: string;
  readonly text: string;
}

/** A token from a token server. */
export interface Token {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/** An error in a registry's answer. Upstream: opencontainers/distribution-spec@v1.1.1 spec.md "Error Codes" */
export interface RegistryFault {
  /** The error code, such as `MANIFEST_UNKNOWN`. */
  readonly code: string;
  readonly message: string;
}

/** An error answer of a registry or a token server. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  /** The HTTP status, such as 404. */
  readonly status: number;
  /** The message without the faults. */
  readonly statusLine: string;
  /** The authentication that it requires, from the header `Www-Authenticate`. */
  readonly challenge: string | undefined;
  /** Empty for HEAD, whose answer has no body. */
  readonly faults: readonly RegistryFault[];

  /** The message is containerd's: the request, its status, and each fault on a separate line. */
  constructor(options: {
    readonly method: 'GET' | 'HEAD' | 'POST';
    readonly url: string;
    readonly status: number;
    readonly challenge?: string | undefined;
    readonly faults?: readonly RegistryFault[];
  }) {
    const { method, url, status, challenge, faults = [] } = options;
    const statusLine = `unexpected status from ${method} request to ${url}: ${status} ${statusTexts[status] ?? ''}`;
    super([statusLine, ...faults.map(sayFault)].join('\n'));
    this.statusLine = statusLine;
    this.method = method;
    this.url = url;
    this.status = status;
    this.challenge = challenge;
    this.faults = faults;
  }
}

/** Thrown when a registry does not answer. */
export class RegistryUnreachable extends Error {
  override readonly name = 'RegistryUnreachable';
}

/** Upstream: containerd/containerd@v2.3.3 core/remotes/docker/errcode.go ErrorCode.Error */
function sayFault({ code, message }: RegistryFault): string {
  return `${code.toLowerCase().replaceAll('_', ' ')}: ${message}`;
}

/** The reason phrases of HTTP statuses. */
export const statusTexts: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Returns the URL of a manifest. */
export function manifestUrl({ host, repository, reference }: ManifestRequest): string {
  return `https://${host}/v2/${repository}/manifests/${reference}`;
}

/** Returns the URL of a blob. */
export function blobUrl({ host, repository, digest }: BlobRequest): string {
  return `https://${host}/v2/${repository}/blobs/${digest}`;
}

/** Returns the URL that serves a token for GET. */
export function tokenUrl({ realm, service, scopes }: TokenRequest): string {
  const url = new URL(realm);
  // Go encodes a query in the order of names.
  for (const scope of scopes) url.searchParams.append('scope', scope);
  if (service !== '') url.searchParams.append('service', service);
  return url.toString();
}
