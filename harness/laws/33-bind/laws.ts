/** The laws of a scheduler. */
export { cacheIsTrue, forgetsWhatFailed } from './caching.ts';
export { goesWhereItIsBest, knowsTheNewest, takesTurns } from './deciding.ts';
export { givesBack } from './giving-back.ts';
export { triesOnceMore } from './lasting.ts';
export type { Law } from './reading.ts';
export { asksWithAPause, leavesAlone, neverOvercommits, neverTwoNodes, onlyWhereItMay } from './safety.ts';
export { tellsTheTruth } from './telling.ts';
export {
  backsOff,
  everyPodIsBound,
  importantFirst,
  quietAtRest,
  starvesNoPod,
  wakesForGoodReason,
  wakesInTime,
} from './waiting.ts';
