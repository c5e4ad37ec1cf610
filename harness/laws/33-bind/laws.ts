/** The laws of a scheduler: what never happens, and what has come to be once it is left in peace. */
export { cacheIsTrue, forgetsWhatFailed } from './caching.ts';
export { goesWhereItIsBest, knowsTheNewest, takesTurns } from './deciding.ts';
export { givesBack } from './giving-back.ts';
export { triesOnceMore } from './lasting.ts';
export type { Law } from './reading.ts';
export { asksWithAPause, leavesAlone, neverOvercommits, neverTwoNodes, onlyWhereItMay } from './safety.ts';
export { tellsTheTruth } from './telling.ts';
export {
  backsOff,
  everyoneIsBound,
  importantFirst,
  quietAtRest,
  starvesNoPod,
  wakesForGoodReason,
  wakesInTime,
} from './waiting.ts';
