import { deepFreeze } from '../api/freeze.ts';
import { type KubeObject, keyOf, type List, type New, type ObjectKey } from '../api/objects.ts';
import { groupVersion, pods, type Resource, type Subresource } from '../api/resource.ts';
import { genericServerResponse } from '../api/server-response.ts';
import { errors, type Status, StatusError } from '../api/status.ts';
import type {
  BindOptions,
  CallOptions,
  Client,
  Deleted,
  DeleteOptions,
  GetOptions,
  ListOptions,
  Patch,
  PatchOptions,
  Scale,
  ScaleUpdate,
  Updated,
  Watch,
  WatchOptions,
  WriteOptions,
} from '../contracts/client.ts';
import { connectionError } from './connection-error.ts';
import { HttpWatch } from './http-watch.ts';
import { deleteBody, deleteQuery, type Query, selectionQuery, urlOf, writeQuery } from './request-parts.ts';

export interface HttpClientOptions {
  /** Where the apiserver is: `https://10.96.0.1:443`, without a slash at the end. */
  readonly baseUrl: string;
  /** @defaultValue the global one */
  readonly fetch?: typeof fetch;
  /** Sent with every request: `Authorization`, `User-Agent`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A {@link Client} over HTTP: for a real cluster, and for ours from outside.
 *
 * Besides what every Client rejects with, it rejects with a {@link ConnectionError} when there is no answer.
 *
 * Upstream: kubernetes/client-go@v0.30.0 rest/request.go Request
 *
 * Differs: what the server refuses with Retry-After, client-go asks for again by itself, up to ten times. Here
 * the caller is told at once, with `retryAfterSeconds`.
 */
export class HttpClient implements Client {
  readonly #baseUrl: string;
  readonly #fetch: typeof fetch;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ baseUrl, fetch = globalThis.fetch, headers = {} }: HttpClientOptions) {
    this.#baseUrl = baseUrl;
    this.#fetch = fetch;
    this.#headers = headers;
  }

  async get<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options: GetOptions = {},
  ): Promise<T> {
    const query = { resourceVersion: options.resourceVersion };
    return deepFreeze((await this.#call('GET', resource, { key, query, options })) as T);
  }

  async list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<List<T>> {
    const { namespace } = options;
    const query = {
      ...selectionQuery(options),
      resourceVersion: options.resourceVersion,
      resourceVersionMatch: options.resourceVersionMatch,
      limit: options.limit,
      continue: options.continue,
    };
    const list = await this.#call('GET', resource, { namespace, query, options });
    return freezeList(resource, list as List<T>);
  }

  async watch<T extends KubeObject>(resource: Resource<T>, options: WatchOptions = {}): Promise<Watch<T>> {
    const { namespace, signal } = options;
    const query = {
      watch: true,
      ...selectionQuery(options),
      resourceVersion: options.resourceVersion,
      allowWatchBookmarks: options.allowWatchBookmarks,
      timeoutSeconds: options.timeoutSeconds,
    };
    // Not every transport notices that nobody reads any more: an abort of our own always gets through.
    const connection = new AbortController();
    let watch: HttpWatch<T> | undefined;
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
      const request = { namespace, query, options: { signal: connection.signal } };
      const { body } = await this.#send('GET', resource, request);
      if (!body) throw genericServerResponse({ code: 500, serverMessage: 'no body', unexpected: true });
      watch = new HttpWatch<T>(body, close);
      return watch;
    } catch (error) {
      close();
      throw error;
    }
  }

  async create<T extends KubeObject>(
    resource: Resource<T>,
    object: New<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    const { namespace } = object.metadata;
    if (resource.namespaced && !namespace) {
      throw errors.badRequest('an empty namespace may not be set during creation');
    }
    const body = { kind: resource.kind, apiVersion: groupVersion(resource), ...object };
    const query = writeQuery(options);
    return deepFreeze((await this.#call('POST', resource, { namespace, query, body, options })) as T);
  }

  async update<T extends KubeObject>(
    resource: Resource<T>,
    object: Updated<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    const key = keyOf(object);
    return deepFreeze(
      (await this.#call('PUT', resource, { key, query: writeQuery(options), body: object, options })) as T,
    );
  }

  async updateStatus<T extends KubeObject>(
    resource: Resource<T>,
    object: Updated<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    const request = { key: keyOf(object), query: writeQuery(options), body: object, options };
    return deepFreeze((await this.#call('PUT', resource, { ...request, subresource: 'status' })) as T);
  }

  async patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    { type, body }: Patch,
    options: PatchOptions = {},
  ): Promise<T> {
    const { subresource } = options;
    const contentType = { json: 'json-patch', merge: 'merge-patch', strategic: 'strategic-merge-patch' }[
      type
    ];
    const patched = await this.#call('PATCH', resource, {
      key,
      subresource,
      query: writeQuery(options),
      body,
      contentType: `application/${contentType}+json`,
      options,
    });
    return deepFreeze(patched as T);
  }

  async delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options: DeleteOptions = {},
  ): Promise<Deleted<T>> {
    const body = deleteBody(options);
    return deepFreeze((await this.#call('DELETE', resource, { key, body, options })) as Deleted<T>);
  }

  async deleteCollection<T extends KubeObject>(
    resource: Resource<T>,
    options: DeleteOptions & ListOptions = {},
  ): Promise<List<T>> {
    const { namespace } = options;
    const query = deleteQuery(options);
    const list = await this.#call('DELETE', resource, {
      namespace,
      query,
      body: deleteBody(options),
      options,
    });
    return freezeList(resource, list as List<T>);
  }

  async bind(pod: ObjectKey, nodeName: string, options: BindOptions = {}): Promise<void> {
    const body = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { ...pod, ...(options.uid ? { uid: options.uid } : {}) },
      target: { kind: 'Node', name: nodeName },
    };
    await this.#call('POST', pods, { key: pod, subresource: 'binding', body, options });
  }

  async evict(pod: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const body = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { ...pod },
      deleteOptions: deleteBody(options),
    };
    await this.#call('POST', pods, { key: pod, subresource: 'eviction', body, options });
  }

  async getScale(resource: Resource, key: ObjectKey, options: CallOptions = {}): Promise<Scale> {
    return deepFreeze((await this.#call('GET', resource, { key, subresource: 'scale', options })) as Scale);
  }

  async updateScale(
    resource: Resource,
    key: ObjectKey,
    { replicas, resourceVersion }: ScaleUpdate,
    options: WriteOptions = {},
  ): Promise<Scale> {
    const body = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { ...key, ...(resourceVersion ? { resourceVersion } : {}) },
      spec: { replicas },
    };
    const request = { key, subresource: 'scale', query: writeQuery(options), body, options } as const;
    return deepFreeze((await this.#call('PUT', resource, request)) as Scale);
  }

  /** Sends a request and reads its answer. */
  async #call(method: string, resource: Resource, request: ClientRequest): Promise<object> {
    const response = await this.#send(method, resource, request);
    return (await this.#read(response, method, request.options, (body) => body.json())) as object;
  }

  /** Resolves with the answer, its body unread, if it is a success. */
  async #send(method: string, resource: Resource, request: ClientRequest): Promise<Response> {
    const { key, body, contentType = 'application/json', options } = request;
    if (key && !key.name) throw errors.badRequest('Name parameter required.');
    if (key && resource.namespaced && !key.namespace)
      throw errors.badRequest('Namespace parameter required.');
    const url = `${this.#baseUrl}${urlOf(resource, request)}`;
    const send = this.#fetch;
    const response = await send(url, {
      method,
      headers: {
        ...this.#headers,
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': contentType }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(options.signal ? { signal: options.signal } : {}),
    }).catch((error) => fail(method, url, error, options));
    if (response.ok) return response;
    const text = await this.#read(response, method, options, (failed) => failed.text());
    throw failureOf(response, text, { method, resource, name: key?.name });
  }

  async #read<R>(
    response: Response,
    method: string,
    options: CallOptions,
    how: (response: Response) => Promise<R>,
  ): Promise<R> {
    return how(response).catch((error) => fail(method, response.url, error, options));
  }
}

/** One request, before it has a URL. */
interface ClientRequest {
  readonly key?: ObjectKey;
  /** For collections, in place of a key. */
  readonly namespace?: string | undefined;
  readonly subresource?: Subresource | undefined;
  readonly query?: Query;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly options: CallOptions;
}

/** An abort is the caller's doing and rejects with the caller's reason, however the transport puts it. */
function fail(method: string, url: string, error: unknown, { signal }: CallOptions): never {
  if (signal?.aborted) throw signal.reason;
  throw connectionError(method, url, error);
}

/** Upstream: kubernetes/client-go@v0.30.0 rest/request.go Request.transformResponse */
function failureOf(
  response: Response,
  text: string,
  request: { method: string; resource: Resource; name: string | undefined },
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

/** The items of a list on the wire do not say what they are; the list's type does. */
function freezeList<T extends KubeObject>(resource: Resource<T>, list: List<T>): List<T> {
  const type = { kind: resource.kind, apiVersion: groupVersion(resource) };
  return deepFreeze({ ...list, items: (list.items ?? []).map((item) => deepFreeze({ ...type, ...item })) });
}
