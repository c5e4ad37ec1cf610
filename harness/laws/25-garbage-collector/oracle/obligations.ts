import type { KubeObject, OwnerReference } from '../../../api/objects.ts';
import { events } from '../../../api/resource.ts';
import type { Obligation } from '../history.ts';
import { nameOf, rowName } from '../render/names.ts';
import {
  isLeaving,
  type ObjectHistories,
  ownersOf,
  waitsToDelete,
  waitsToOrphan,
} from './object-histories.ts';

/**
 * Returns the pending obligations of a garbage collector in a cluster, according to the API's promises. The collector
 * must not touch some objects: those with unknowable owners, and objects that such an object, or one with a foreign
 * finalizer, keeps from being deleted.
 */
export function obligations(now: ObjectHistories): readonly Obligation[] {
  const objects = now.objects().filter(({ kind }) => kind !== events.kind);
  return objects.flatMap((object) => {
    const obligation = isLeaving(object) ? ofLeaving(now, objects, object) : ofStaying(now, object);
    return obligation ? [{ ...obligation, object: rowName(object) }] : [];
  });
}

/** An obligation of a known object. */
type Owed = Omit<Obligation, 'object'>;

function ofLeaving(
  now: ObjectHistories,
  objects: readonly KubeObject[],
  object: KubeObject,
): Owed | undefined {
  if (waitsToOrphan(object)) {
    return { of: 'deletion', message: `${nameOf(object)} still waits for the release of its dependents` };
  }
  if (!waitsToDelete(object) || isHeld(now, objects, object, new Set())) return undefined;
  return { of: 'deletion', message: `${nameOf(object)} still waits for the deletion of its dependents` };
}

function ofStaying(now: ObjectHistories, object: KubeObject): Owed | undefined {
  const references = ownersOf(object);
  const owners = references.map((reference) => ({ reference, ...now.ownerOf(object, reference) }));
  if (owners.some(({ fate }) => fate === 'unknown')) return undefined;
  const gone = owners.filter(({ fate }) => fate === 'absent');
  const waiting = owners.filter((owner) => owner.fate === 'present' && waitsToDelete(owner.object));
  const blocked = waiting.filter(({ reference }) => reference.blockOwnerDeletion);
  const isUnwanted = gone.length + waiting.length === owners.length;
  const name = nameOf(object);
  if (gone.length > 0 && gone.length === owners.length) {
    return { of: 'deletion', message: `${name} still exists, but its owners are deleted: ${named(gone)}` };
  }
  if (blocked.length > 0 && isUnwanted) {
    return {
      of: 'deletion',
      message: `${name} still exists, but an owner waits for its deletion: ${named(blocked)}`,
    };
  }
  if (blocked.length > 0) {
    return {
      of: 'deletion',
      message: `${name} stays, but still blocks a waiting owner: ${named(blocked)}`,
    };
  }
  if (gone.length === 0 || isUnwanted) return undefined;
  return {
    of: 'reference',
    message: `${name} has an owner, but still references a deleted one: ${named(gone)}`,
  };
}

function named(owners: readonly { readonly reference: OwnerReference }[]): string {
  return owners.map(({ reference: { kind, name } }) => `${kind} ${name}`).join(' and ');
}

/** Does it wait, directly or indirectly, for an object that the collector must not touch? */
function isHeld(
  now: ObjectHistories,
  objects: readonly KubeObject[],
  owner: KubeObject,
  seen: ReadonlySet<KubeObject>,
): boolean {
  if (seen.has(owner)) return false;
  const blocking = objects.filter((object) =>
    ownersOf(object).some(({ uid, blockOwnerDeletion }) => uid === owner.metadata.uid && blockOwnerDeletion),
  );
  return blocking.some((object) => {
    if (isLeaving(object)) {
      return !waitsToDelete(object) || isHeld(now, objects, object, new Set([...seen, owner]));
    }
    return ownersOf(object).some((reference) => now.ownerOf(object, reference).fate === 'unknown');
  });
}
