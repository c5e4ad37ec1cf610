import type { KubeObject } from '../../api/objects.ts';
import { events } from '../../api/resource.ts';
import type { Debt } from './history.ts';
import { isLeaving, ownersOf, type Past, waitsToDelete, waitsToOrphan } from './past.ts';
import { nameOf, rowName } from './words.ts';

/**
 * What a garbage collector still has to do in a cluster. Not its business: objects that nobody can judge, and what such
 * an object, or one that people hold back, keeps from going.
 */
export function debts(now: Past): readonly Debt[] {
  const objects = now.objects().filter(({ kind }) => kind !== events.kind);
  return objects.flatMap((object) => {
    const debt = isLeaving(object) ? ofLeaving(now, objects, object) : ofStaying(now, object);
    return debt ? [{ ...debt, object: rowName(object) }] : [];
  });
}

/** A debt of a known object. */
type Owed = Omit<Debt, 'object'>;

function ofLeaving(now: Past, objects: readonly KubeObject[], object: KubeObject): Owed | undefined {
  if (waitsToOrphan(object)) {
    return { of: 'deletion', message: `${nameOf(object)} still waits for its dependents to be orphaned` };
  }
  if (!waitsToDelete(object) || isHeld(now, objects, object, new Set())) return undefined;
  return { of: 'deletion', message: `${nameOf(object)} still waits for its dependents to be deleted` };
}

function ofStaying(now: Past, object: KubeObject): Owed | undefined {
  const references = ownersOf(object);
  const owners = references.map((reference) => now.ownerOf(object, reference));
  if (references.length === 0 || owners.some(({ fate }) => fate === 'unknown')) return undefined;
  const gone = references.filter((_, index) => owners[index]?.fate === 'absent');
  const waiting = owners.filter((owner) => owner.fate === 'present' && waitsToDelete(owner.object)).length;
  const names = references.map(({ kind, name }) => `${kind} ${name}`).join(' and ');
  if (gone.length === references.length) {
    return { of: 'deletion', message: `${nameOf(object)} is still there, but its owners are not: ${names}` };
  }
  if (gone.length === 0 || gone.length + waiting === references.length) return undefined;
  const still = gone.map(({ kind, name }) => `${kind} ${name}`).join(' and ');
  return {
    of: 'reference',
    message: `${nameOf(object)} has an owner, and still names one that is gone: ${still}`,
  };
}

/** Does it wait, through whomever, for one that the collector must not touch? */
function isHeld(
  now: Past,
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
