/** The laws of a scheduler. */

export type { Law } from '../history/reading.ts';
export { cacheIsTrue, forgetsWhatFailed } from './caching.ts';
export { goesWhereItIsBest, knowsTheNewest, takesTurns } from './deciding.ts';
export { givesBack } from './releasing.ts';
export { tellsTheTruth } from './reporting.ts';
export { triesOnceMore } from './retrying.ts';
export { asksWithAPause, leavesAlone, neverOvercommits, neverTwoNodes, onlyWhereItMay } from './safety.ts';
export {
  backsOff,
  everyPodIsBound,
  importantFirst,
  quietAtRest,
  starvesNoPod,
  wakesForGoodReason,
  wakesInTime,
} from './waiting.ts';
