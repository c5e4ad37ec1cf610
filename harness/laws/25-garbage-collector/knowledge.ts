import type { KubeObject, OwnerReference } from '../../api/objects.ts';
import type { GarbageHistory } from './history.ts';
import { type ObjectHistories, ownersOf } from './object-history.ts';
import { LATENCY_MS_MAX } from './simulation.ts';

/** An object that names another as its owner, and how. */
export interface Dependent {
  readonly object: KubeObject;
  readonly reference: OwnerReference;
}

/**
 * The other objects that name `owner`, as the collector knew when it asked for what was done at `atMs`: its present life
 * had been told so, or it was so before that life began, which its first lists say.
 */
export function knownDependents(
  { told }: GarbageHistory,
  past: ObjectHistories,
  owner: KubeObject,
  atMs: number,
): readonly Dependent[] {
  const { floor, revisions } = knownBefore(told, atMs - LATENCY_MS_MAX);
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

/** What the life that went on at `atMs` had been told by then: of each uid, up to which revision. */
function knownBefore(
  told: GarbageHistory['told'],
  atMs: number,
): { readonly floor: number; readonly revisions: ReadonlyMap<string, number> } {
  const revisions = new Map<string, number>();
  let floor = 0;
  for (const what of told) {
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
