import { lawAbout } from '../../../testing/holds.ts';
import type { GarbageHistory } from '../history.ts';
import {
  hasFinalizer,
  isLeaving,
  ownersOf,
  waitsToDelete,
  waitsToOrphan,
} from '../oracle/object-histories.ts';
import * as liveness from './liveness.ts';
import * as safety from './safety.ts';

/**
 * @param situation the subject of the law: "There was never …". A law whose situation never occurs has shown nothing.
 */
function law(situation: string, isMet: (history: GarbageHistory) => boolean, read: safety.Law) {
  return lawAbout({ name: situation, isMet }, read);
}

type Entry = GarbageHistory['journal'][number];

const wrote =
  (what: (entry: Entry) => boolean) =>
  ({ journal, process }: GarbageHistory) =>
    journal.some((entry) => entry.actor === process && what(entry));

const deletes = (entry: Entry): boolean => safety.begunToDelete(entry) !== undefined;
const releases = ({ previous, object }: Entry): boolean =>
  previous !== undefined && ownersOf(object).length < ownersOf(previous).length;

/** Safety: see {@link safety.careful}. */
export const careful = law('an object that it deleted', wrote(deletes), safety.careful);

/** Safety: see {@link safety.gentle}. */
export const gentle = law('a reference that it removed', wrote(releases), safety.gentle);

/** Safety: see {@link safety.foreground}. */
export const foreground = law(
  'a released owner that waited for the deletion of its dependents',
  wrote(({ previous }) => previous !== undefined && waitsToDelete(previous)),
  safety.foreground,
);

/** Safety: see {@link safety.deep}. */
export const deep = law(
  'an object that it deleted in the foreground',
  wrote((entry) => deletes(entry) && waitsToDelete(entry.object)),
  safety.deep,
);

/** Safety: see {@link safety.orphans}. */
export const orphans = law(
  'a released owner that orphaned its dependents',
  wrote(({ previous }) => previous !== undefined && waitsToOrphan(previous)),
  safety.orphans,
);

/** Safety: see {@link safety.faithful}. */
export const faithful = law(
  'a deleted object that declares how its dependents are treated',
  wrote(
    (entry) =>
      deletes(entry) &&
      ['orphan', 'foregroundDeletion'].some((one) => hasFinalizer(entry.previous ?? entry.object, one)),
  ),
  safety.faithful,
);

/** Safety: see {@link safety.truthful}; liveness: see {@link liveness.reports}. */
export const reports = law(
  'a dependent whose owner is in another namespace, in a run without faults',
  (history) => history.wellMs === 0 && liveness.strangersSeen(history).length > 0,
  (history) => [...safety.truthful(history), ...liveness.reports(history)],
);

/** Liveness: see {@link liveness.thorough}. */
export const thorough = law('an object that it deleted', wrote(deletes), liveness.thorough);

/** Liveness: see {@link liveness.tidy}. */
export const tidy = law('a reference that it removed', wrote(releases), liveness.tidy);

/** Liveness: see {@link liveness.prompt}. */
export const prompt = law(
  'an object that waited for another in a run without faults',
  (history) => history.wellMs === 0 && history.journal.some(({ object }) => isLeaving(object)),
  liveness.prompt,
);

/** Safety: see {@link liveness.restful}. */
export const restful = law(
  'a run that ends without a pending obligation',
  ({ obligations }) => obligations.length === 0,
  liveness.restful,
);
