/** The laws of a ReplicaSet controller: what never happens, and what has come to be once it is left in peace. */
export { backsOff, likeTheTemplate, startsSlowly } from './creating.ts';
export {
  adoptsAndReleases,
  exactInTheEnd,
  looksAgain,
  prompt,
  quietAtRest,
  statusInTheEnd,
} from './liveness.ts';
export { deletesInOrder } from './order.ts';
export { handsOff, type Law, leavesTheDyingAlone, neverTooFew, neverTooMany } from './safety.ts';
export { tellsTheTruth } from './telling.ts';
