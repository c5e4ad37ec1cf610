/**
 * The in-process way to an apiserver: a {@link Client} for one actor, over one {@link Line}. No Request is built
 * and no Response read; what travels is the object itself, shared and frozen. All the rest is as over a network:
 * it takes time, it can fail, and the actor can be cut off.
 */
import { type KubeObject, keyOf, keyToString, type List, type New, type ObjectKey } from '../api/objects.ts';
import { pods, type Resource } from '../api/resource.ts';
import type { Status } from '../api/status.ts';
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
import type { Line } from '../sim/index.ts';
import { ConnectionStream } from './connection-stream.ts';

type Verb = keyof Client;

export class Connection implements Client {
  readonly line: Line;
  readonly #server: () => Client;
  readonly #streams = new Set<ConnectionStream>();

  /** `server` is asked for each call: which replica answers may change. */
  constructor(line: Line, server: () => Client) {
    this.line = line;
    this.#server = server;
    line.onSever(() => this.cutWatches());
  }

  /** Ends every open watch as a broken connection does: without a word. */
  cutWatches(): void {
    for (const stream of [...this.#streams]) stream.cut();
  }

  /** Ends every open watch with an `ERROR` event. */
  failWatches(status: Status): void {
    for (const stream of [...this.#streams]) stream.fail(status);
  }

  /** Holds back what the open watches bring, of all resources or of one, in order. Returns what lets it through. */
  holdWatches(resource?: string): () => void {
    const held = [...this.#streams].filter(
      (stream) => resource === undefined || stream.resource === resource,
    );
    const releases = held.map((stream) => stream.hold());
    return () => {
      for (const release of releases) release();
    };
  }

  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options: GetOptions = {}): Promise<T> {
    return this.#call('get', nameOf(resource, key), options, (server) => server.get(resource, key, options));
  }

  list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<List<T>> {
    return this.#call('list', nameOf(resource, options), options, (server) => server.list(resource, options));
  }

  async watch<T extends KubeObject>(resource: Resource<T>, options: WatchOptions = {}): Promise<Watch<T>> {
    const { signal, ...asked } = options;
    const object = nameOf(resource, options);
    const open = (server: Client): Promise<Watch<T>> => server.watch(resource, asked);
    const source = await this.#call('watch', object, options, open, (watch) => watch.stop());
    const stream = new ConnectionStream(this.line, object, source, () => this.#streams.delete(stream));
    this.#streams.add(stream);
    return stream.open(signal) as Watch<T>;
  }

  create<T extends KubeObject>(
    resource: Resource<T>,
    object: New<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    const { namespace, name, generateName } = object.metadata;
    const named = nameOf(resource, {
      ...(namespace ? { namespace } : {}),
      name: name ?? `${generateName ?? ''}…`,
    });
    return this.#call('create', named, options, (server) => server.create(resource, object, options));
  }

  update<T extends KubeObject>(
    resource: Resource<T>,
    object: Updated<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    const named = nameOf(resource, keyOf(object));
    return this.#call('update', named, options, (server) => server.update(resource, object, options));
  }

  updateStatus<T extends KubeObject>(
    resource: Resource<T>,
    object: Updated<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    const named = nameOf(resource, keyOf(object));
    return this.#call('updateStatus', named, options, (server) =>
      server.updateStatus(resource, object, options),
    );
  }

  patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    patch: Patch,
    options: PatchOptions = {},
  ): Promise<T> {
    const named = nameOf(resource, key);
    return this.#call('patch', named, options, (server) => server.patch(resource, key, patch, options));
  }

  delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options: DeleteOptions = {},
  ): Promise<Deleted<T>> {
    return this.#call('delete', nameOf(resource, key), options, (server) =>
      server.delete(resource, key, options),
    );
  }

  deleteCollection<T extends KubeObject>(
    resource: Resource<T>,
    options: DeleteOptions & ListOptions = {},
  ): Promise<List<T>> {
    const named = nameOf(resource, options);
    return this.#call('deleteCollection', named, options, (server) =>
      server.deleteCollection(resource, options),
    );
  }

  bind(pod: ObjectKey, nodeName: string, options: BindOptions = {}): Promise<void> {
    const named = `${nameOf(pods, pod)}/binding`;
    return this.#call('bind', named, options, (server) => server.bind(pod, nodeName, options));
  }

  evict(pod: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    return this.#call('evict', `${nameOf(pods, pod)}/eviction`, options, (server) =>
      server.evict(pod, options),
    );
  }

  getScale(resource: Resource, key: ObjectKey, options: CallOptions = {}): Promise<Scale> {
    const named = `${nameOf(resource, key)}/scale`;
    return this.#call('getScale', named, options, (server) => server.getScale(resource, key, options));
  }

  updateScale(
    resource: Resource,
    key: ObjectKey,
    scale: ScaleUpdate,
    options: WriteOptions = {},
  ): Promise<Scale> {
    const named = `${nameOf(resource, key)}/scale`;
    return this.#call('updateScale', named, options, (server) =>
      server.updateScale(resource, key, scale, options),
    );
  }

  #call<R>(
    verb: Verb,
    object: string,
    { signal, resourceVersion: asked }: CallOptions & Pick<GetOptions, 'resourceVersion'>,
    ask: (server: Client) => Promise<R>,
    discard?: (result: R) => void,
  ): Promise<R> {
    return this.line.call<R>({
      port: 'api',
      verb,
      object,
      mutates: !READS.has(verb),
      perform: () => ask(this.#server()),
      // A watch has no revision that it reached, only the one from which it was asked for.
      revisionOf: (result) => revisionOf(result) ?? (asked ? Number(asked) : undefined),
      ...(discard ? { discard } : {}),
      signal,
    });
  }
}

const READS: ReadonlySet<Verb> = new Set(['get', 'list', 'watch', 'getScale'] as const);

/** `pods/default/web-1`; of a whole resource `pods`, or `pods/default`. */
function nameOf(resource: Resource, { namespace, name }: Partial<ObjectKey>): string {
  if (name === undefined) return namespace ? `${resource.plural}/${namespace}` : resource.plural;
  return `${resource.plural}/${keyToString({ ...(namespace ? { namespace } : {}), name })}`;
}

function revisionOf(result: unknown): number | undefined {
  const { resourceVersion } =
    (result as { metadata?: { resourceVersion?: string } } | undefined)?.metadata ?? {};
  return resourceVersion === undefined ? undefined : Number(resourceVersion);
}
