/**
 * The laws of a kubelet. Each reads the record of one run and returns its violations. The liveness laws use the oracle in
 * obligations.ts: no obligation is left in a quiet period.
 */
export {
  deletesLast,
  endsInTime,
  endsWhenDone,
  keepsGracePeriod,
  realSuccess,
  terminalPhase,
} from './ending.ts';
export { emitsEvents, eventTexts, truthfulEvents } from './events.ts';
export { converges, keepsTheNewest, quiet, stops } from './keeping.ts';
export { completes, isPrompt } from './prompt.ts';
export type { Law } from './reading.ts';
export {
  backsOff,
  countsRestarts,
  initsInOrder,
  neverTwice,
  ownAddress,
  restartsByPolicy,
  runsRightImage,
} from './running.ts';
export { sidecarsEndInTime, sidecarsInOrder, sidecarsStopLast } from './sidecars.ts';
export { neverCountsDown, respectsUid, truthful, waitReasons } from './status.ts';
