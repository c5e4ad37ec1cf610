import type { KubeObject, List } from '../../api/objects.ts';
import type { Clock } from '../../sim/index.ts';
import type { Watch } from '../client.ts';
import type { KeyValueStore } from './key-value-store.ts';

/**
 * The stored objects of one resource. Each object is one key of a key-value store, and a watch cache in front of that
 * store answers most reads.
 *
 * The `resourceVersion` of an object is the revision of its last write. It is not part of the stored value.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/interfaces.go Interface; pkg/storage/etcd3/store.go store;
 * pkg/storage/cacher/cacher.go Cacher
 */
export interface ObjectStore {
  /** Stores a new object. Returns it with its resourceVersion. @throws StatusError AlreadyExists */
  create(object: KubeObject): Promise<KubeObject>;
  /** Reads an object. @throws StatusError NotFound; Timeout when `resourceVersion` is too large */
  get(place: ObjectPlace, options?: ObjectReadOptions): Promise<KubeObject>;
  /**
   * Changes an object until no other write comes in between. A change that changes nothing is not written.
   *
   * @param change returns the new state. It may be called several times, always with the newest state known then
   * @throws StatusError NotFound; Conflict when a precondition fails; any error of `change`
   */
  update(
    place: ObjectPlace,
    change: (current: KubeObject) => KubeObject,
    preconditions?: StorePreconditions,
  ): Promise<KubeObject>;
  /**
   * Removes an object. Returns its last state, at the revision of the removal.
   *
   * @throws StatusError NotFound; Conflict when a precondition fails
   */
  delete(place: ObjectPlace, preconditions?: StorePreconditions): Promise<KubeObject>;
  /**
   * Returns objects in the order of their keys.
   *
   * @throws StatusError BadRequest for a resourceVersion that is no number; Expired; Timeout, at once for an exact
   *   revision of the future
   */
  list(options?: ObjectListOptions): Promise<List<KubeObject>>;
  /** Sends the changes of the selected objects. @throws StatusError Expired, Timeout */
  watch(options?: ObjectWatchOptions): Promise<Watch<KubeObject>>;
}

/** Opens the objects of a resource. */
export type NewObjectStore = (context: ObjectStoreContext) => ObjectStore;

/** The environment of an object store. */
export interface ObjectStoreContext {
  readonly store: KeyValueStore;
  /** The resource in messages and lists: `configmaps`, `ConfigMap`. */
  readonly resource: { readonly plural: string; readonly kind: string; readonly apiVersion: string };
  /** The beginning of all its keys: `/registry/configmaps/`. A key continues with `namespace/name`. */
  readonly prefix: string;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Aborts when the apiserver ends. */
  readonly signal: AbortSignal;
}

/** The place of an object. */
export interface ObjectPlace {
  readonly namespace: string;
  readonly name: string;
}

/** Conditions that the stored object must fulfil. */
export interface StorePreconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** The state that a read asks for. Absent: the newest. `0`: any. Another: not older than this. */
export interface ObjectReadOptions {
  readonly resourceVersion?: string;
}

/** The objects that a list asks for, and their state. */
export interface ObjectListOptions extends ObjectReadOptions {
  /** @defaultValue all */
  readonly namespace?: string;
  /** @defaultValue every object */
  readonly matches?: (object: KubeObject) => boolean;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  /** The maximum number of objects; 0 means all. A list of any state may come as a whole. @defaultValue no limit */
  readonly limit?: number;
  /** The token of the page before. */
  readonly continue?: string;
}

/** The changes that a watch asks for. */
export interface ObjectWatchOptions extends ObjectReadOptions {
  /** @defaultValue all */
  readonly namespace?: string;
  /** @defaultValue every object */
  readonly matches?: (object: KubeObject) => boolean;
  /** Whether the state comes first, as `ADDED` events. @defaultValue only if `resourceVersion` is absent or `0` */
  readonly sendInitialEvents?: boolean;
  readonly allowWatchBookmarks?: boolean;
}
