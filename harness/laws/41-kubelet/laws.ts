/**
 * The laws of a kubelet: each reads one life of it and names every place where it is broken. Safety laws say what never happens;
 * the others are read off one oracle, dues.ts: whenever nothing happens, nothing is owed.
 */
export {
  endsByRight,
  endsForGood,
  endsInTime,
  givesTime,
  lastToGo,
  succeedsBySuccess,
} from './ending-laws.ts';
export { tellsInWords, tellsWhatItDoes } from './event-laws.ts';
export { comesToRest, keepsTheNewest, quiet, stops } from './keeping-laws.ts';
export { isPrompt, owesNothing } from './prompt.ts';
export type { Law } from './reading.ts';
export {
  backsOff,
  byPolicy,
  countsRestarts,
  initsInOrder,
  neverTwice,
  runsTheImage,
} from './running-laws.ts';
export { sidecarsLast } from './sidecar-laws.ts';
export { mindsTheUid, neverCountsDown, truthful, waitsInWords } from './telling-laws.ts';
