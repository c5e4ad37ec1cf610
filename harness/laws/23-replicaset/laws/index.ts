import { lawAbout } from '../../../testing/holds.ts';
import type { ReplicaSetHistory } from '../history/index.ts';
import { podWrites, setWrites } from '../history/writes.ts';
import * as creating from './creating.ts';
import * as liveness from './liveness.ts';
import * as order from './order.ts';
import * as safety from './safety.ts';
import * as statusLaws from './status.ts';

/** @param situation the case that the law is about; the law fails if no run reaches it: "There was never …" */
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

/** Safety: see {@link safety.respectsDeletion}. */
export const respectsDeletion = law('a ReplicaSet that was being deleted', isDying, safety.respectsDeletion);

/** Safety: see {@link creating.likeTheTemplate}. */
export const likeTheTemplate = law('a pod that it created', does('create'), creating.likeTheTemplate);

/** Safety and liveness: see {@link creating.startsSlowly}. */
export const startsSlowly = law(
  'a run with seven creates',
  (history) => creates(history).length >= 7,
  creating.startsSlowly,
);

/** Safety: see {@link creating.backsOff}. */
export const backsOff = law(
  'a create that was rejected',
  (history) => creates(history).some(({ error }) => error !== undefined),
  creating.backsOff,
);

/** Safety: see {@link statusLaws.truthfulStatus}. */
export const truthfulStatus = law(
  'a status that it wrote',
  (history) => setWrites(history).length > 0,
  statusLaws.truthfulStatus,
);

/** Liveness: see {@link liveness.converges}. */
export const converges = law('a run in which nothing was left to do', rests, liveness.converges);

/** Liveness: see {@link liveness.adoptsAndReleases}. */
export const adoptsAndReleases = law(
  'a run in which nothing was left to do',
  rests,
  liveness.adoptsAndReleases,
);

/** Liveness: see {@link liveness.finalStatus}. */
export const finalStatus = law('a run in which nothing was left to do', rests, liveness.finalStatus);

/** Liveness: see {@link liveness.prompt}. */
export const prompt = law('a run in which nothing was left to do', rests, liveness.prompt);

/** Liveness: see {@link liveness.looksAgain}. */
export const looksAgain = law(
  'a pod that it created while its caches reported no version',
  (history) => history.isVersionless && does('create')(history),
  liveness.looksAgain,
);

/** Safety: see {@link liveness.quietAtRest}. */
export const quietAtRest = law('a run in which nothing was left to do', rests, liveness.quietAtRest);
