import type { Descriptor } from './oci.ts';

/**
 * What is asked of registries, over whatever way: the pull half of the distribution specification, and the token servers that
 * registries send clients to.
 *
 * Upstream: opencontainers/distribution-spec@v1.1.1 spec.md "Pull"
 *
 * @throws RegistryError from each call when the answer is a refusal
 * @throws RegistryUnreachable from each call when there is no answer
 */
export interface RegistryClient {
  /** What a tag or digest stands for, without fetching it. */
  headManifest(request: ManifestRequest): Promise<Descriptor>;
  /** An index or a manifest. */
  getManifest(request: ManifestRequest): Promise<Content>;
  /** A configuration or a layer. A large one takes long. */
  getBlob(request: BlobRequest): Promise<Content>;
  /** A token, with a name and password or without. */
  getToken(request: TokenRequest): Promise<Token>;
  /** A token, by a form, as OAuth 2 has it. Not every registry knows how. */
  postToken(request: TokenFormRequest): Promise<Token>;
}

/** Where to, and as whom. */
interface RegistryRequest {
  /** Where the registry listens: `registry-1.docker.io`. */
  readonly host: string;
  /** `library/nginx`. */
  readonly repository: string;
  /** The header: `Bearer …`, `Basic …`. */
  readonly authorization?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Asks for a manifest. */
export interface ManifestRequest extends RegistryRequest {
  /** A tag, or a digest. */
  readonly reference: string;
}

/** Asks for a blob. */
export interface BlobRequest extends RegistryRequest {
  readonly digest: string;
}

/** Asks for a token. */
export interface TokenRequest {
  /** The token server, as the challenge named it: `https://auth.docker.io/token`. */
  readonly realm: string;
  readonly service: string;
  /** `repository:library/nginx:pull`. */
  readonly scopes: readonly string[];
  /** The header: `Basic …`. Absent: anonymously. */
  readonly authorization?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Asks for a token by a form. */
export interface TokenFormRequest extends Omit<TokenRequest, 'authorization'> {
  readonly grant:
    | { readonly type: 'password'; readonly username: string; readonly password: string }
    | { readonly type: 'refresh_token'; readonly refreshToken: string };
}

/** What was asked for. */
export interface Content {
  readonly mediaType: string;
  readonly text: string;
}

/** What a token server gives. */
export interface Token {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/** What a registry finds wrong. Upstream: opencontainers/distribution-spec@v1.1.1 spec.md "Error Codes" */
export interface RegistryFault {
  /** `MANIFEST_UNKNOWN`. */
  readonly code: string;
  readonly message: string;
}

/** A registry or a token server said no. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  /** Of HTTP: 404. */
  readonly status: number;
  /** Its message without the faults. */
  readonly statusLine: string;
  /** What it wants to see first, as `Www-Authenticate` says it. */
  readonly challenge: string | undefined;
  /** Empty for HEAD: that has no body. */
  readonly faults: readonly RegistryFault[];

  /** The message is containerd's: it names the request, its status, and each fault on a line of its own. */
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

/** There is no answer from a registry. */
export class RegistryUnreachable extends Error {
  override readonly name = 'RegistryUnreachable';
}

/** Upstream: containerd/containerd@v2.3.3 core/remotes/docker/errcode.go ErrorCode.Error */
function sayFault({ code, message }: RegistryFault): string {
  return `${code.toLowerCase().replaceAll('_', ' ')}: ${message}`;
}

/** What a status is called. */
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

/** Where a manifest is. */
export function manifestUrl({ host, repository, reference }: ManifestRequest): string {
  return `https://${host}/v2/${repository}/manifests/${reference}`;
}

/** Where a blob is. */
export function blobUrl({ host, repository, digest }: BlobRequest): string {
  return `https://${host}/v2/${repository}/blobs/${digest}`;
}

/** Where a token is fetched with GET. */
export function tokenUrl({ realm, service, scopes }: TokenRequest): string {
  const url = new URL(realm);
  // As Go encodes a query: by name.
  for (const scope of scopes) url.searchParams.append('scope', scope);
  if (service !== '') url.searchParams.append('service', service);
  return url.toString();
}
