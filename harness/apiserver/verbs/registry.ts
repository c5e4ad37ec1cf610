import type { KubeObject, ObjectKey } from '../../api/objects.ts';
import { groupResource, type Resource } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { Access, User } from '../../contracts/access/index.ts';
import type { Admission, ConversionTransport } from '../../contracts/admission/index.ts';
import type { WriteOptions } from '../../contracts/client.ts';
import { type Clock, formatTime, type Random } from '../../sim/index.ts';
import type { Write } from '../apply/field-manager.ts';
import type { CustomResources } from '../custom/custom-resources.ts';
import { customVersionOf } from '../custom/custom-version.ts';
import type { Allocator, Kind } from '../kind.ts';
import type { Admitting } from '../observed-webhooks.ts';
import type { ObserveRequest, RequestStep } from '../request-steps.ts';
import type { ServiceAccountTokens } from '../service-account-tokens.ts';
import type { ObjectWrites, StoreWrites } from '../storage/object-writes.ts';
import type { Author, StoredObjects } from '../storage/storage.ts';
import type { WatchCache } from '../storage/watch-cache.ts';

/** The inner view of one apiserver replica, which every verb works with. */
export interface Registry {
  /** The stored objects, shared by all replicas. */
  readonly storage: StoredObjects;
  /** Writes objects that were read from {@link storage}. */
  readonly writes: ObjectWrites;
  /** As in {@link StoreWrites}. Undefined if {@link storage} is the store itself. */
  readonly fresh?: StoreWrites['fresh'] | undefined;
  /** As in {@link StoreWrites}. */
  readonly allocations?: StoreWrites['allocations'] | undefined;
  /** Private to this replica. */
  readonly cache: WatchCache;
  readonly clock: Clock;
  readonly random: Random;
  /** The tokens of service accounts. */
  readonly tokens: ServiceAccountTokens;
  /** Resources defined at run time. */
  readonly customResources: CustomResources;
  /** The feature gate WatchList. */
  readonly servesStreamingLists: boolean;
  /** Whether to track field owners from the creation of an object. */
  readonly trackOnCreate: boolean;
  /** @throws StatusError NotFound when the resource is not served */
  kindOf<T extends KubeObject>(resource: Resource<T>): Kind<T>;
  /** Returns the kind if its objects are stored in another version. */
  convertedKindOf(resource: Resource): Kind | undefined;
  /** Undefined for kinds without allocated values (IPs, ports). */
  allocatorOf(resource: Resource): Allocator<KubeObject> | undefined;
  /** Who may do what. Undefined in simulations that ask nobody. */
  readonly access?: Access | undefined;
  /** Changes and refuses objects on their way into the storage. Undefined in simulations without admission. */
  readonly admission?: Admission | undefined;
  /** Sends the objects of custom resources to the webhooks that convert them. Undefined: no webhook can be reached. */
  readonly conversions?: ConversionTransport | undefined;
  /** Watches requests. Undefined: nobody watches. */
  readonly observe?: ObserveRequest | undefined;
  /** The observed requests in admission. Undefined: nobody watches. */
  readonly admitting?: Admitting | undefined;
  /** The source and the purpose of the request. Undefined outside of a request. */
  readonly author?: Author;
  /** The user of the request. Undefined outside of a request. */
  readonly user?: User;
  /** The time in ms at which the request times out. Undefined without {@link admission}. */
  readonly deadlineMs?: number;
  /** Receives the steps of the request. Undefined: nobody watches. */
  readonly onStep?: ((step: RequestStep) => void) | undefined;
  /** Receives the annotations for the audit event of the request. Undefined: nobody keeps them. */
  readonly annotate?: (key: string, value: string) => void;
}

/**
 * Returns the manager of a write and its time.
 *
 * Differs: a write without a manager is recorded under its user; upstream uses the user agent, which only HTTP has.
 */
export function writeBy({ clock, author }: Registry, { fieldManager }: WriteOptions): Write {
  return { manager: fieldManager ?? author?.actor ?? '', now: formatTime(clock.now()) };
}

/** Returns the defaulted object with its allocated values. @throws StatusError when a value cannot be allocated */
export function allocated<T extends KubeObject>(registry: Registry, kind: Kind<T>, object: T, old?: T): T {
  return (registry.allocatorOf(kind.resource)?.allocate(object, old) ?? object) as T;
}

/** Finds kinds by resource. For several versions in one group, it finds the stored one. */
export function kindsByResource(kinds: readonly Kind[]): Registry['kindOf'] {
  const byName = new Map(
    kinds
      .filter(({ resource, conversion }) => conversion?.stored.group !== resource.group)
      .map((kind) => [groupResource(kind.resource), kind]),
  );
  return <T extends KubeObject>(resource: Resource<T>): Kind<T> => {
    const kind = customVersionOf(resource)?.kind ?? byName.get(groupResource(resource));
    // A real apiserver does not find the page here, not an object, so the error names nothing.
    if (!kind) throw errors.pageNotFound();
    return kind as unknown as Kind<T>;
  };
}

/** Finds kinds whose objects are stored in another version, by resource. */
export function convertedKinds(kinds: readonly Kind[]): Registry['convertedKindOf'] {
  const byName = new Map(
    kinds.filter(({ conversion }) => conversion).map((kind) => [versionedName(kind.resource), kind]),
  );
  return (resource) => customVersionOf(resource)?.kind ?? byName.get(versionedName(resource));
}

/** `v1/horizontalpodautoscalers.autoscaling` */
const versionedName = (resource: Resource): string => `${resource.version}/${groupResource(resource)}`;

/**
 * Checks the key: a namespaced kind needs a namespace, and other kinds lose it.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/generic/registry/store.go NamespaceKeyFunc
 */
export function checkedKey(resource: Resource, { namespace, name }: ObjectKey): ObjectKey {
  if (!name) throw errors.badRequest('Name parameter required.');
  if (!resource.namespaced) return { name };
  if (!namespace) throw errors.badRequest('Namespace parameter required.');
  return { namespace, name };
}

/** Returns the newest state of an object. @throws StatusError NotFound */
export function readNewest<T extends KubeObject>(
  registry: Registry,
  resource: Resource<T>,
  key: ObjectKey,
): T {
  const object = registry.storage.get(resource, key);
  if (!object) throw errors.notFound(resource, key.name);
  return object as T;
}
