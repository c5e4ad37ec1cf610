/**
 * The laws of an informer. A safety law forbids an event at any time; a liveness law requires a state once the faults
 * have stopped.
 */
export { converges, indexed, whole } from './caching.ts';
export { calm } from './calm.ts';
export { quietAtTheEnd } from './ending.ts';
export { frugal } from './frugal.ts';
export { honest, isolated, noGhosts, noTimeTravel, resyncs } from './notifying.ts';
export { syncedMeansSynced } from './syncing.ts';
export { knowsItsVersion } from './versions.ts';
