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
} from './ending-laws.ts';
export { emitsEvents, eventTexts } from './event-laws.ts';
export { converges, keepsTheNewest, quiet, stops } from './keeping-laws.ts';
export { completes, isPrompt } from './prompt.ts';
export type { Law } from './reading.ts';
export {
  backsOff,
  countsRestarts,
  initsInOrder,
  neverTwice,
  restartsByPolicy,
  runsRightImage,
} from './running-laws.ts';
export { sidecarsStopLast } from './sidecar-laws.ts';
export { neverCountsDown, respectsUid, truthful, waitReasons } from './status-laws.ts';
