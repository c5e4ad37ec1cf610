import { lawAbout } from '../../testing/holds.ts';
import * as creating from './creating.ts';
import type { ReplicaSetHistory } from './history.ts';
import * as liveness from './liveness.ts';
import * as order from './order.ts';
import * as safety from './safety.ts';
import * as telling from './telling.ts';
import { podWrites, setWrites } from './writes.ts';

/** @param situation what the law speaks of: "There was never …". Where none of it came, the law has shown nothing. */
function law(
  situation: string,
  isMet: (history: ReplicaSetHistory) => boolean,
  read: safety.Law,
): ReturnType<typeof lawAbout<ReplicaSetHistory>> {
  return lawAbout({ name: situation, isMet }, read);
}

const does = (verb: string) => (history: ReplicaSetHistory) =>
  podWrites(history).some((entry) => entry.verb === verb);
const rests = ({ restedMs }: ReplicaSetHistory): boolean => restedMs !== undefined;
const isDying = ({ sets }: ReplicaSetHistory): boolean =>
  sets.all.some(({ versions }) => versions.some(({ object }) => object?.metadata.deletionTimestamp));
const creates = ({ requests }: ReplicaSetHistory) =>
  requests.filter(({ verb, resource }) => verb === 'create' && resource === 'pods');

/** Safety: see {@link safety.neverTooMany}. */
export const neverTooMany = law('a pod that it created', does('create'), safety.neverTooMany);

/** Safety: see {@link safety.neverTooFew}. */
export const neverTooFew = law('a pod that it deleted', does('delete'), safety.neverTooFew);

/** Safety: see {@link order.deletesInOrder}. */
export const deletesInOrder = law('a pod that it deleted', does('delete'), order.deletesInOrder);

/** Safety: see {@link safety.leavesOthersAlone}. */
export const leavesOthersAlone = law(
  'a pod that it adopted or released',
  does('patch'),
  safety.leavesOthersAlone,
);

/** Safety: see {@link safety.leavesTheDeletedAlone}. */
export const leavesTheDeletedAlone = law(
  'a ReplicaSet that was being deleted',
  isDying,
  safety.leavesTheDeletedAlone,
);

/** Safety: see {@link creating.likeTheTemplate}. */
export const likeTheTemplate = law('a pod that it created', does('create'), creating.likeTheTemplate);

/** Safety, and owed: see {@link creating.startsSlowly}. */
export const startsSlowly = law(
  'a life with seven creates',
  (history) => creates(history).length >= 7,
  creating.startsSlowly,
);

/** Safety: see {@link creating.backsOff}. */
export const backsOff = law(
  'a create that was refused',
  (history) => creates(history).some(({ error }) => error !== undefined),
  creating.backsOff,
);

/** Safety: see {@link telling.tellsTheTruth}. */
export const tellsTheTruth = law(
  'a status that it wrote',
  (history) => setWrites(history).length > 0,
  telling.tellsTheTruth,
);

/** Owed: see {@link liveness.exactInTheEnd}. */
export const exactInTheEnd = law('a life that came to rest', rests, liveness.exactInTheEnd);

/** Owed: see {@link liveness.adoptsAndReleases}. */
export const adoptsAndReleases = law('a life that came to rest', rests, liveness.adoptsAndReleases);

/** Owed: see {@link liveness.statusInTheEnd}. */
export const statusInTheEnd = law('a life that came to rest', rests, liveness.statusInTheEnd);

/** Owed: see {@link liveness.prompt}. */
export const prompt = law('a life that came to rest', rests, liveness.prompt);

/** Owed: see {@link liveness.looksAgain}. */
export const looksAgain = law(
  'a pod that it created while its caches told no version',
  (history) => history.isVersionless && does('create')(history),
  liveness.looksAgain,
);

/** Safety: see {@link liveness.quietAtRest}. */
export const quietAtRest = law('a life that came to rest', rests, liveness.quietAtRest);
