/**
 * What one user may ask of one apiserver replica: a {@link Client} that does the work itself, verb by verb. What is
 * written this way says in the log who asked for it.
 *
 * In a real cluster it is the credentials of a connection that say who asks.
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
import type { Author } from './storage/storage.ts';
import { bind } from './verbs/bind.ts';
import { create } from './verbs/create.ts';
import { remove } from './verbs/delete.ts';
import { deleteCollection } from './verbs/delete-collection.ts';
import { evict } from './verbs/evict.ts';
import { finalize } from './verbs/finalize.ts';
import { get } from './verbs/get.ts';
import { list } from './verbs/list.ts';
import { patch } from './verbs/patch.ts';
import type { Registry } from './verbs/registry.ts';
import { getScale, updateScale } from './verbs/scale.ts';
import { update, updateStatus } from './verbs/update.ts';
import { watch } from './verbs/watch.ts';

export class Session implements Client {
  /** Who asks. */
  readonly user: string;
  readonly #registry: Registry;
  /** By verb: the registry, signed. */
  readonly #signed = new Map<Author['verb'], Registry>();

  constructor(registry: Registry, user: string) {
    this.#registry = registry;
    this.user = user;
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
    return create(this.#by('create'), resource, object, options);
  }

  update<T extends KubeObject>(
    resource: Resource<T>,
    object: Updated<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    return update(this.#by('update'), resource, object, options);
  }

  updateStatus<T extends KubeObject>(
    resource: Resource<T>,
    object: Updated<T>,
    options: WriteOptions = {},
  ): Promise<T> {
    return updateStatus(this.#by('updateStatus'), resource, object, options);
  }

  patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    body: Patch,
    options: PatchOptions = {},
  ): Promise<T> {
    return patch(this.#by('patch'), resource, key, body, options);
  }

  delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options: DeleteOptions = {},
  ): Promise<Deleted<T>> {
    return remove(this.#by('delete'), resource, key, options);
  }

  deleteCollection<T extends KubeObject>(
    resource: Resource<T>,
    options: DeleteOptions & ListOptions = {},
  ): Promise<List<T>> {
    return deleteCollection(this.#by('deleteCollection'), resource, options);
  }

  bind(pod: ObjectKey, nodeName: string, options: BindOptions = {}): Promise<void> {
    return bind(this.#by('bind'), pod, nodeName, options);
  }

  evict(pod: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    return evict(this.#by('evict'), pod, options);
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
    return updateScale(this.#by('updateScale'), resource, key, scale, options);
  }

  /**
   * Replaces the finalizers in a namespace's spec: how a namespace that was deleted and emptied is let go.
   *
   * Differs: a {@link Client} cannot ask for it yet. Who plays the namespace controller goes to the apiserver.
   *
   * @throws StatusError NotFound, Conflict, Invalid
   */
  finalize(namespace: Updated<Namespace>, options: WriteOptions = {}): Promise<Namespace> {
    return finalize(this.#by('finalize'), namespace, options);
  }

  #by(verb: Author['verb']): Registry {
    let signed = this.#signed.get(verb);
    if (!signed) {
      signed = { ...this.#registry, author: Object.freeze({ user: this.user, verb }) };
      this.#signed.set(verb, signed);
    }
    return signed;
  }
}
