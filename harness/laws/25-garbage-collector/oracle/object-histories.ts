import type { KubeObject, OwnerReference } from '../../../api/objects.ts';
import { groupResource, groupVersion, type Resource, resources } from '../../../api/resource.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';

/** The resolution of a reference at a place and a time. */
type Owner =
  | { readonly fate: 'absent' }
  | { readonly fate: 'present'; readonly object: KubeObject }
  /** Unknowable: the kind is not served in this version, or it is namespaced and the dependent is not. */
  | { readonly fate: 'unknown' };

/** The ownership state of a cluster at a moment of its journal. */
export class ObjectHistories {
  readonly #objects = new Map<string, KubeObject>();
  readonly #foreground = new Set<string>();
  readonly #orphaning = new Set<string>();
  /** By the UID of a dependent, and by reference: the revision since which it has had that reference. */
  readonly #references = new Map<string, ReadonlyMap<string, number>>();
  /** By the UID of an owner: the UIDs of all objects that ever referenced it. */
  readonly #named = new Map<string, Set<string>>();

  constructor(objects: Iterable<KubeObject> = []) {
    for (const object of objects) this.#put(object);
  }

  /** Applies the next entry. */
  apply({ type, object }: JournalEntry): void {
    if (type === 'DELETED') this.#objects.delete(keyOf(object));
    else this.#put(object);
  }

  objects(): readonly KubeObject[] {
    return [...this.#objects.values()];
  }

  ownerOf({ metadata: { namespace } }: KubeObject, reference: OwnerReference): Owner {
    const { apiVersion, kind, name, uid } = reference;
    const resource = resourceFor(apiVersion, kind);
    if (!resource || (resource.namespaced && !namespace)) return { fate: 'unknown' };
    const object = this.#objects.get(
      [groupResource(resource), resource.namespaced ? namespace : '', name].join('/'),
    );
    return object?.metadata.uid === uid ? { fate: 'present', object } : { fate: 'absent' };
  }

  /** Has this incarnation ever waited for the deletion of its dependents? */
  hasWaited(uid: string): boolean {
    return this.#foreground.has(uid);
  }

  /** Has this incarnation ever waited for the release of its dependents? */
  hasOrphaned(uid: string): boolean {
    return this.#orphaning.has(uid);
  }

  /** Returns the revision since which this dependent has had exactly this reference, without a break. */
  since({ metadata: { uid } }: KubeObject, reference: OwnerReference): number {
    return this.#references.get(uid)?.get(JSON.stringify(reference)) ?? Number.POSITIVE_INFINITY;
  }

  /** Returns the UIDs of all objects that ever referenced this owner. */
  everNamed(uid: string): readonly string[] {
    return [...(this.#named.get(uid) ?? [])];
  }

  #put(object: KubeObject): void {
    const { uid, resourceVersion } = object.metadata;
    this.#objects.set(keyOf(object), object);
    if (waitsToDelete(object)) this.#foreground.add(uid);
    if (waitsToOrphan(object)) this.#orphaning.add(uid);
    const before = this.#references.get(uid);
    const since = new Map<string, number>();
    for (const reference of ownersOf(object)) {
      const key = JSON.stringify(reference);
      since.set(key, before?.get(key) ?? Number(resourceVersion));
      this.#named.set(reference.uid, (this.#named.get(reference.uid) ?? new Set()).add(uid));
    }
    this.#references.set(uid, since);
  }
}

/** The owner references of an object. */
export function ownersOf({ metadata }: KubeObject): readonly OwnerReference[] {
  return metadata.ownerReferences ?? [];
}

/** Is it being deleted? */
export function isLeaving({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Is it being deleted in the foreground, and waits for the deletion of its dependents? */
export function waitsToDelete(object: KubeObject): boolean {
  return isLeaving(object) && hasFinalizer(object, 'foregroundDeletion');
}

/** Is it being deleted, and waits for the release of its dependents? */
export function waitsToOrphan(object: KubeObject): boolean {
  return isLeaving(object) && hasFinalizer(object, 'orphan');
}

/** Does it have this finalizer? */
export function hasFinalizer({ metadata }: KubeObject, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

function keyOf({ apiVersion, kind, metadata: { namespace, name } }: KubeObject): string {
  const resource = resourceFor(apiVersion, kind);
  return [resource ? groupResource(resource) : kind, namespace ?? '', name].join('/');
}

/** Returns the resource of this kind in this version; undefined if it is not served. */
export function resourceFor(apiVersion: string, kind: string): Resource | undefined {
  return resources.find((resource) => resource.kind === kind && groupVersion(resource) === apiVersion);
}
