import { deepFreeze } from '../api/freeze.ts';
import type { KubeObject, List } from '../api/objects.ts';
import { groupVersion, type Resource } from '../api/resource.ts';
import { genericServerResponse } from '../api/server-response.ts';
import { type Status, StatusError } from '../api/status.ts';
import type { Watch } from '../contracts/client.ts';
import type { ApiAnswer, ApiRequest } from '../contracts/request.ts';
import { RequestClient } from '../contracts/request-client.ts';
import { connectionError } from './connection-error.ts';
import { type HttpRequest, toHttp } from './http-request.ts';
import { HttpWatch } from './http-watch.ts';

interface HttpClientOptions {
  /** The address of the apiserver: `https://10.96.0.1:443`, without a trailing slash. */
  readonly baseUrl: string;
  /** @defaultValue the global `fetch` */
  readonly fetch?: typeof fetch;
  /** Headers of every request: `Authorization`, `User-Agent`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A {@link Client} over HTTP: for a real cluster, and for ours from outside.
 *
 * Besides the errors of every Client, it rejects with a {@link ConnectionError} if there is no answer.
 *
 * Upstream: kubernetes/client-go@v0.36.3 rest/request.go Request
 *
 * Differs: client-go retries a rejection with Retry-After by itself, up to ten times. Here the caller receives the
 * error at once, with `retryAfterSeconds`.
 */
export class HttpClient extends RequestClient {
  readonly #baseUrl: string;
  readonly #fetch: typeof fetch;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ baseUrl, fetch = globalThis.fetch, headers = {} }: HttpClientOptions) {
    super((request) => (request.verb === 'watch' ? this.#watch(request) : this.#call(request)));
    this.#baseUrl = baseUrl;
    this.#fetch = fetch;
    this.#headers = headers;
  }

  /** Sends a request and reads its answer. */
  async #call(request: ApiRequest): Promise<ApiAnswer> {
    const { signal } = request.options;
    const http = toHttp(request);
    const response = await this.#send(request.resource, http, signal);
    const answer = (await response
      .json()
      .catch((error) => fail(http, response.url, error, signal))) as object;
    switch (request.verb) {
      case 'list':
      case 'deleteCollection':
        return freezeList(request.resource, answer as List<KubeObject>);
      case 'bind':
      case 'evict':
        return;
      default:
        return deepFreeze(answer) as ApiAnswer;
    }
  }

  async #watch(request: ApiRequest<'watch'>): Promise<Watch<KubeObject>> {
    const { signal } = request.options;
    // Not every transport notices that its response is no longer read, so the connection has its own abort signal.
    const connection = new AbortController();
    let watch: HttpWatch<KubeObject> | undefined;
    const abort = (): void => {
      connection.abort(signal?.reason);
      watch?.stop();
    };
    const close = (): void => {
      signal?.removeEventListener('abort', abort);
      connection.abort();
    };
    signal?.throwIfAborted();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const { body } = await this.#send(request.resource, toHttp(request), connection.signal);
      if (!body) throw genericServerResponse({ code: 500, serverMessage: 'no body', unexpected: true });
      watch = new HttpWatch(body, close);
      return watch;
    } catch (error) {
      close();
      throw error;
    }
  }

  /** Resolves with a successful response, its body unread. Rejects with a failed one. */
  async #send(resource: Resource, http: HttpRequest, signal: AbortSignal | undefined): Promise<Response> {
    const { method, name, body, contentType } = http;
    const url = `${this.#baseUrl}${http.url}`;
    const send = this.#fetch;
    const response = await send(url, {
      method,
      headers: {
        ...this.#headers,
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': contentType }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    }).catch((error) => fail(http, url, error, signal));
    if (response.ok) return response;
    const text = await response.text().catch((error) => fail(http, response.url, error, signal));
    throw failureOf(response, text, { method, resource, name });
  }
}

/** Rejects with the caller's reason after an abort, whatever error the transport reports. */
function fail({ method }: HttpRequest, url: string, error: unknown, signal: AbortSignal | undefined): never {
  if (signal?.aborted) throw signal.reason;
  throw connectionError(method, url, error);
}

/** Upstream: kubernetes/client-go@v0.36.3 rest/request.go Request.transformResponse */
function failureOf(
  response: Response,
  text: string,
  request: { readonly method: string; readonly resource: Resource; readonly name: string | undefined },
): StatusError {
  const header = response.headers.get('retry-after') ?? '';
  const retryAfterSeconds = /^\d+$/.test(header) ? Number(header) : undefined;
  const status = parseStatus(text);
  if (status) {
    const details = { ...status.details, ...(retryAfterSeconds ? { retryAfterSeconds } : {}) };
    return new StatusError(retryAfterSeconds ? { ...status, details } : status);
  }
  const isText = (response.headers.get('content-type') ?? 'text/plain').startsWith('text/');
  return genericServerResponse({
    code: response.status,
    ...request,
    serverMessage: isText ? text.slice(0, 2048).trim() : 'unknown',
    retryAfterSeconds,
    unexpected: true,
  });
}

function parseStatus(text: string): Status | undefined {
  try {
    const body = JSON.parse(text) as Partial<Status> | null;
    return body?.kind === 'Status' && body.status === 'Failure' ? (body as Status) : undefined;
  } catch {
    return undefined;
  }
}

/** Sets kind and apiVersion of the items: on the wire only the list has them. */
function freezeList(resource: Resource, list: List<KubeObject>): List<KubeObject> {
  const type = { kind: resource.kind, apiVersion: groupVersion(resource) };
  return deepFreeze({ ...list, items: (list.items ?? []).map((item) => deepFreeze({ ...type, ...item })) });
}
