/**
 * One kube-apiserver replica: a {@link Client} that does the work itself. Everything else that is a Client, the
 * in-process connection and HTTP, ends here.
 *
 * Several replicas share one {@link Storage}; each has its own {@link WatchCache}, which can lag behind.
 */
import type { KubeObject, List, Namespace, New, ObjectKey } from '../api/objects.ts';
import type { Resource } from '../api/resource.ts';
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
import type { Clock, Random } from '../sim/index.ts';
import { allocatorsByResource } from './allocators.ts';
import type { Kind } from './kind.ts';
import { kinds as builtIn } from './kinds/index.ts';
import { Storage } from './storage/storage.ts';
import { WatchCache } from './storage/watch-cache.ts';
import { bind } from './verbs/bind.ts';
import { create } from './verbs/create.ts';
import { remove } from './verbs/delete.ts';
import { deleteCollection } from './verbs/delete-collection.ts';
import { evict } from './verbs/evict.ts';
import { finalize } from './verbs/finalize.ts';
import { get } from './verbs/get.ts';
import { list } from './verbs/list.ts';
import { patch } from './verbs/patch.ts';
import { kindsByResource, type Registry } from './verbs/registry.ts';
import { getScale, updateScale } from './verbs/scale.ts';
import { update, updateStatus } from './verbs/update.ts';
import { watch } from './verbs/watch.ts';

export interface ApiServerOptions {
  readonly clock: Clock;
  /** For uids, generated names and how long watches last. */
  readonly random: Random;
  /** @defaultValue a storage of its own */
  readonly storage?: Storage;
  /** What it serves. @defaultValue all the kinds of this workbook */
  readonly kinds?: readonly Kind[];
}

export class ApiServer implements Client {
  readonly storage: Storage;
  /** This replica's view of the storage. */
  readonly cache: WatchCache;
  readonly #registry: Registry;

  constructor({ clock, random, storage = new Storage(), kinds = builtIn }: ApiServerOptions) {
    const kindOf = kindsByResource(kinds);
    this.storage = storage;
    this.cache = new WatchCache(storage, clock, (resource) => kindOf(resource).watchIndex?.value);
    const allocatorOf = allocatorsByResource(kinds, storage);
    this.#registry = { storage, cache: this.cache, clock, random, kindOf, allocatorOf };
  }

  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options: GetOptions = {}): Promise<T> {
    return get(this.#registry, resource, key, options);
  }

  list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<List<T>> {
    return list(this.#registry, resource, options);
  }

  watch<T extends KubeObject>(resource: Resource<T>, options: WatchOptions = {}): Promise<Watch<T>> {
    return watch(this.#registry, resource, options);
  }

  create<T extends KubeObject>(
    resource: Resource<T>,
    object: New<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    return create(this.#registry, resource, object, options);
  }

  update<T extends KubeObject>(
    resource: Resource<T>,
    object: Updated<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    return update(this.#registry, resource, object, options);
  }

  updateStatus<T extends KubeObject>(
    resource: Resource<T>,
    object: Updated<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    return updateStatus(this.#registry, resource, object, options);
  }

  patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    body: Patch,
    options: PatchOptions = {},
  ): Promise<T> {
    return patch(this.#registry, resource, key, body, options);
  }

  delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options: DeleteOptions = {},
  ): Promise<Deleted<T>> {
    return remove(this.#registry, resource, key, options);
  }

  deleteCollection<T extends KubeObject>(
    resource: Resource<T>,
    options: DeleteOptions & ListOptions = {},
  ): Promise<List<T>> {
    return deleteCollection(this.#registry, resource, options);
  }

  bind(pod: ObjectKey, nodeName: string, options: BindOptions = {}): Promise<void> {
    return bind(this.#registry, pod, nodeName, options);
  }

  evict(pod: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    return evict(this.#registry, pod, options);
  }

  getScale(resource: Resource, key: ObjectKey, _options: CallOptions = {}): Promise<Scale> {
    return getScale(this.#registry, resource, key);
  }

  updateScale(
    resource: Resource,
    key: ObjectKey,
    scale: ScaleUpdate,
    options: WriteOptions = {},
  ): Promise<Scale> {
    return updateScale(this.#registry, resource, key, scale, options);
  }

  /**
   * Replaces the finalizers in a namespace's spec: how a namespace that was deleted and emptied is let go.
   *
   * Differs: a {@link Client} cannot ask for it yet. Who plays the namespace controller goes to the apiserver.
   *
   * @throws StatusError NotFound, Conflict, Invalid
   */
  finalize(namespace: Updated<Namespace>, options: WriteOptions = {}): Promise<Namespace> {
    return finalize(this.#registry, namespace, options);
  }
}
