import type { KubeObject, ObjectKey } from '../../api/objects.ts';
import { groupResource, type Resource } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { WriteOptions } from '../../contracts/client.ts';
import { type Clock, formatTime, type Random } from '../../sim/index.ts';
import type { Write } from '../apply/field-manager.ts';
import type { CustomResources } from '../custom/custom-resources.ts';
import { customVersionOf } from '../custom/custom-version.ts';
import type { Allocator, Kind } from '../kind.ts';
import type { Author, Storage } from '../storage/storage.ts';
import type { WatchCache } from '../storage/watch-cache.ts';

/** What every verb works with: one apiserver replica, seen from inside. */
export interface Registry {
  /** Shared by all replicas. */
  readonly storage: Storage;
  /** This replica's own. */
  readonly cache: WatchCache;
  readonly clock: Clock;
  readonly random: Random;
  /** Those that this apiserver was not born with. */
  readonly customResources: CustomResources;
  /** The feature gate WatchList. */
  readonly servesStreamingLists: boolean;
  /** Whether the owners of fields are told from an object's creation on. */
  readonly trackOnCreate: boolean;
  /** @throws StatusError NotFound when the resource is not served */
  kindOf<T extends KubeObject>(resource: Resource<T>): Kind<T>;
  /** The kind, if its objects are stored in another version. */
  convertedKindOf(resource: Resource): Kind | undefined;
  /** Absent for kinds that need nothing of which there is only so much. */
  allocatorOf(resource: Resource): Allocator<KubeObject> | undefined;
  /** The user that asks, and for what. Absent where no request is carried out. */
  readonly author?: Author;
}

/**
 * Who writes by this request, and when.
 *
 * Differs: who names no manager is known by its user; upstream takes the user agent, which only HTTP has.
 */
export function writeBy({ clock, author }: Registry, { fieldManager }: WriteOptions): Write {
  return { manager: fieldManager ?? author?.user ?? '', now: formatTime(clock.now()) };
}

/** The object, defaulted, with what its kind has to be given. @throws StatusError when that cannot be had */
export function allocated<T extends KubeObject>(registry: Registry, kind: Kind<T>, object: T, old?: T): T {
  return (registry.allocatorOf(kind.resource)?.allocate(object, old) ?? object) as T;
}

/** Finds kinds by resource. Of a kind that has several versions in one group, the one that is stored is found. */
export function kindsByResource(kinds: readonly Kind[]): Registry['kindOf'] {
  const byName = new Map(
    kinds
      .filter(({ resource, conversion }) => conversion?.stored.group !== resource.group)
      .map((kind) => [groupResource(kind.resource), kind]),
  );
  return <T extends KubeObject>(resource: Resource<T>): Kind<T> => {
    const kind = customVersionOf(resource)?.kind ?? byName.get(groupResource(resource));
    // The page, not an object, is what a real apiserver cannot find here, so it names nothing.
    if (!kind) throw errors.pageNotFound();
    return kind as unknown as Kind<T>;
  };
}

/** Finds the kinds by resource whose objects are stored in another version. */
export function convertedKinds(kinds: readonly Kind[]): Registry['convertedKindOf'] {
  const byName = new Map(
    kinds.filter(({ conversion }) => conversion).map((kind) => [versionedName(kind.resource), kind]),
  );
  return (resource) => customVersionOf(resource)?.kind ?? byName.get(versionedName(resource));
}

/** `v1/horizontalpodautoscalers.autoscaling` */
const versionedName = (resource: Resource): string => `${resource.version}/${groupResource(resource)}`;

/**
 * The key, checked: a namespace where there must be one, and none where there must not.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/registry/generic/registry/store.go NamespaceKeyFunc
 */
export function checkedKey(resource: Resource, { namespace, name }: ObjectKey): ObjectKey {
  if (!name) throw errors.badRequest('Name parameter required.');
  if (!resource.namespaced) return { name };
  if (!namespace) throw errors.badRequest('Namespace parameter required.');
  return { namespace, name };
}

/** The newest state of an object. @throws StatusError NotFound */
export function readNewest<T extends KubeObject>(
  registry: Registry,
  resource: Resource<T>,
  key: ObjectKey,
): T {
  const object = registry.storage.get(resource, key);
  if (!object) throw errors.notFound(resource, key.name);
  return object as T;
}
