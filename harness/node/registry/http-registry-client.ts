import { type Descriptor, mediaTypes } from './oci.ts';
import {
  type BlobRequest,
  blobUrl,
  type Content,
  type ManifestRequest,
  manifestUrl,
  type RegistryClient,
  RegistryError,
  type RegistryFault,
  RegistryUnreachable,
  type Token,
  type TokenFormRequest,
  type TokenRequest,
  tokenUrl,
} from './registry-client.ts';

/** An HTTP request. */
interface HttpCall {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  readonly authorization?: string | undefined;
  readonly accept?: string;
  readonly form?: URLSearchParams;
  readonly signal?: AbortSignal | undefined;
}

const MANIFESTS = `${mediaTypes.index}, ${mediaTypes.manifest}, */*`;

/**
 * A {@link RegistryClient} over HTTP, like containerd's.
 *
 * Upstream: containerd/containerd@v2.3.3 core/remotes/docker/resolver.go request, core/remotes/docker/auth/fetch.go FetchToken,
 * FetchTokenWithOAuth
 */
export class HttpRegistryClient implements RegistryClient {
  readonly #fetch: typeof fetch;

  /** @param fetch @defaultValue the global function */
  constructor(fetch: typeof globalThis.fetch = globalThis.fetch) {
    this.#fetch = fetch;
  }

  async headManifest(request: ManifestRequest): Promise<Descriptor> {
    const url = manifestUrl(request);
    const { headers } = await this.#send({ ...request, method: 'HEAD', url, accept: MANIFESTS });
    return {
      mediaType: headers.get('content-type') ?? '',
      digest: headers.get('docker-content-digest') ?? '',
      size: Number(headers.get('content-length')),
    };
  }

  getManifest(request: ManifestRequest): Promise<Content> {
    return this.#content({ ...request, method: 'GET', url: manifestUrl(request), accept: MANIFESTS });
  }

  getBlob(request: BlobRequest): Promise<Content> {
    return this.#content({ ...request, method: 'GET', url: blobUrl(request) });
  }

  getToken(request: TokenRequest): Promise<Token> {
    return this.#token({ ...request, method: 'GET', url: tokenUrl(request) });
  }

  postToken({ realm, service, scopes, grant, signal }: TokenFormRequest): Promise<Token> {
    const account =
      grant.type === 'password'
        ? { grant_type: grant.type, username: grant.username, password: grant.password }
        : { grant_type: grant.type, refresh_token: grant.refreshToken };
    const form = new URLSearchParams({
      scope: scopes.join(' '),
      service,
      client_id: 'containerd-client',
      ...account,
    });
    return this.#token({ method: 'POST', url: realm, form, signal });
  }

  async #content(call: HttpCall): Promise<Content> {
    const response = await this.#send(call);
    return { mediaType: response.headers.get('content-type') ?? '', text: await response.text() };
  }

  async #token(call: HttpCall): Promise<Token> {
    const answer = (await (await this.#send(call)).json()) as {
      readonly token?: string;
      readonly access_token?: string;
      readonly expires_in: number;
    };
    return { token: answer.access_token ?? answer.token ?? '', expiresInSeconds: answer.expires_in };
  }

  async #send({ method, url, authorization, accept, form, signal }: HttpCall): Promise<Response> {
    const headers = {
      ...(authorization === undefined ? {} : { authorization }),
      ...(accept === undefined ? {} : { accept }),
    };
    const verb = method.charAt(0) + method.slice(1).toLowerCase();
    const response = await this.#fetch(url, {
      method,
      headers,
      ...(form ? { body: form } : {}),
      ...(signal ? { signal } : {}),
    }).catch((error: Error) => {
      signal?.throwIfAborted();
      throw new RegistryUnreachable(`${verb} "${url}": ${error.message}`, { cause: error });
    });
    if (response.type === 'error') throw new RegistryUnreachable(`${verb} "${url}": no answer`);
    if (response.ok) return response;
    throw new RegistryError({
      method,
      url,
      status: response.status,
      challenge: response.headers.get('www-authenticate') ?? undefined,
      faults: await faultsIn(response),
    });
  }
}

async function faultsIn(response: Response): Promise<readonly RegistryFault[]> {
  try {
    const { errors = [] } = JSON.parse(await response.text()) as {
      readonly errors?: readonly RegistryFault[];
    };
    return errors;
  } catch {
    return [];
  }
}
