import { type KubeObject, keyToString } from '../api/objects.ts';
import type { Status } from '../api/status.ts';
import type { Client, ListOptions, Watch } from '../contracts/client.ts';
import { type ApiAnswer, type ApiRequest, type ApiVerb, targetOf } from '../contracts/request.ts';
import { RequestClient, sendTo } from '../contracts/request-client.ts';
import type { Line } from '../sim/index.ts';
import { ConnectionStream, type OpenWatch } from './connection-stream.ts';

/**
 * The in-process connection to an apiserver: a {@link Client} for one actor, over one {@link Line}. It builds no
 * Request and reads no Response: the object itself travels, shared and frozen. Otherwise it acts like a network: calls
 * take time and can fail, and the actor can be cut off.
 */
export class Connection extends RequestClient {
  readonly line: Line;
  readonly #streams = new Set<ConnectionStream>();

  /** @param server returns the apiserver; called for each call, because the replica that answers may change */
  constructor(line: Line, server: () => Client) {
    super((request) => this.#send(request, server));
    this.line = line;
    line.onSever(() => this.cutWatches());
  }

  /** Returns a client that shares the line and its faults, but sends its requests to another session of the apiserver. */
  to(server: () => Client): Client {
    return new RequestClient((request) => this.#send(request, server));
  }

  /** The open watches, oldest first, for observers. */
  get watches(): readonly OpenWatch[] {
    return Array.from(this.#streams, ({ state }) => state);
  }

  /** Ends every open watch as a broken connection does: without an error. */
  cutWatches(): void {
    for (const stream of [...this.#streams]) stream.cut();
  }

  /** Ends every open watch with an `ERROR` event. */
  failWatches(status: Status): void {
    for (const stream of [...this.#streams]) stream.fail(status);
  }

  /**
   * Holds back the events of open watches, of all resources or of one, in order. Returns a function that releases them.
   */
  holdWatches(resource?: string): () => void {
    const held = [...this.#streams].filter(
      (stream) => resource === undefined || stream.resource === resource,
    );
    const releases = held.map((stream) => stream.hold());
    return () => {
      for (const release of releases) release();
    };
  }

  #send(request: ApiRequest, server: () => Client): Promise<ApiAnswer> {
    return request.verb === 'watch'
      ? this.#watch(request, server)
      : this.#call(request, server, (to) => sendTo(to)(request));
  }

  async #watch(request: ApiRequest<'watch'>, server: () => Client): Promise<Watch<KubeObject>> {
    const { signal, ...asked } = request.options;
    const open = (to: Client) => to.watch(request.resource, asked);
    const source = await this.#call(request, server, open, (watch) => watch.stop());
    const from = { object: nameOf(request), revision: Number(asked.resourceVersion ?? 0) };
    const stream = new ConnectionStream(this.line, from, source, () => this.#streams.delete(stream));
    this.#streams.add(stream);
    return stream.open(signal);
  }

  #call<A extends ApiAnswer>(
    request: ApiRequest,
    server: () => Client,
    ask: (server: Client) => Promise<A>,
    discard?: (answer: A) => void,
  ): Promise<A> {
    const { signal, resourceVersion: asked } = request.options as ListOptions;
    return this.line.call<A>({
      port: 'api',
      verb: request.verb,
      object: nameOf(request),
      mutates: !READS.has(request.verb),
      perform: () => ask(server()),
      // A watch reaches no revision; the trace shows its start revision.
      revisionOf: (answer) => revisionOf(answer) ?? (asked ? Number(asked) : undefined),
      ...(discard ? { discard } : {}),
      signal,
    });
  }
}

const READS: ReadonlySet<ApiVerb> = new Set(['get', 'list', 'watch', 'getScale'] as const);

/** Suffixes of objects in the trace. The status has no suffix. */
const SUBRESOURCES: { readonly [V in ApiVerb]?: string } = {
  bind: '/binding',
  evict: '/eviction',
  updateEphemeralContainers: '/ephemeralcontainers',
  updateApproval: '/approval',
  createToken: '/token',
  finalize: '/finalize',
  getScale: '/scale',
  updateScale: '/scale',
};

/**
 * Names the target of a request: `pods/default/web-1`, `pods/default/web-1/binding`; for a collection `pods`, or
 * `pods/default`.
 */
export function nameOf(request: ApiRequest): string {
  const { plural } = request.resource;
  const { namespace, name = nameToGenerate(request) } = targetOf(request);
  if (name === undefined) return namespace ? `${plural}/${namespace}` : plural;
  const key = keyToString({ ...(namespace ? { namespace } : {}), name });
  return `${plural}/${key}${SUBRESOURCES[request.verb] ?? ''}`;
}

function nameToGenerate(request: ApiRequest): string | undefined {
  return request.verb === 'create' ? `${request.object.metadata.generateName ?? ''}…` : undefined;
}

function revisionOf(result: unknown): number | undefined {
  const { resourceVersion } =
    (result as { metadata?: { resourceVersion?: string } } | undefined)?.metadata ?? {};
  return resourceVersion === undefined ? undefined : Number(resourceVersion);
}
