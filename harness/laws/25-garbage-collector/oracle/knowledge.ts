import type { KubeObject, OwnerReference } from '../../../api/objects.ts';
import type { GarbageHistory } from '../history.ts';
import { type ObjectHistories, ownersOf } from './object-histories.ts';

/** An object that names another as its owner, with the reference. */
export interface Dependent {
  readonly object: KubeObject;
  readonly reference: OwnerReference;
}

/**
 * Returns the other objects that name `owner`, as far as the collector knew at the request for the write at `atMs`:
 * its current incarnation had observed them, or its first lists contained them.
 */
export function knownDependents(
  { notifications, latencyMs }: GarbageHistory,
  past: ObjectHistories,
  owner: KubeObject,
  atMs: number,
): readonly Dependent[] {
  const { floor, revisions } = knownBefore(notifications, atMs - latencyMs);
  return past.objects().flatMap((object) => {
    const { uid } = object.metadata;
    if (uid === owner.metadata.uid) return [];
    const knownRevision = Math.max(floor, revisions.get(uid) ?? 0);
    return ownersOf(object).flatMap((reference): Dependent[] => {
      const named = past.ownerOf(object, reference);
      if (named.fate !== 'present' || named.object.metadata.uid !== owner.metadata.uid) return [];
      return past.since(object, reference) <= knownRevision ? [{ object, reference }] : [];
    });
  });
}

/** Returns the last revision of each UID that the incarnation at `atMs` had observed. */
function knownBefore(
  notifications: GarbageHistory['notifications'],
  atMs: number,
): { readonly floor: number; readonly revisions: ReadonlyMap<string, number> } {
  const revisions = new Map<string, number>();
  let floor = 0;
  for (const what of notifications) {
    if (what.atMs >= atMs) break;
    if (what.type === 'start') {
      revisions.clear();
      floor = what.floor;
    } else if (what.type === 'seen') {
      revisions.set(what.object.metadata.uid, Number(what.object.metadata.resourceVersion));
    } else revisions.delete(what.object.metadata.uid);
  }
  return { floor, revisions };
}
