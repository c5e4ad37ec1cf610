/** The laws of a ReplicaSet controller: what never happens, and what has come to be once it is left in peace. */
export { adoptsAndReleases, exactInTheEnd, quietAtRest, statusInTheEnd } from './liveness.ts';
export { deletesInOrder } from './order.ts';
export {
  backsOff,
  handsOff,
  type Law,
  leavesTheDyingAlone,
  neverTooFew,
  neverTooMany,
  startsSlowly,
  tellsTheTruth,
} from './safety.ts';
