/** Faults as values, and the nemesis, which injects them. */

export { failureOf } from './failure.ts';
export { type Fault, faultNames, type ScheduledFault, type WatchFailure } from './fault.ts';
export { Nemesis, type StruckFault } from './nemesis.ts';
export { sayFault } from './say-fault.ts';
export type { ProcessTarget, ReplicaTarget } from './targets.ts';
