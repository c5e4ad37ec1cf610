/** What goes wrong, as values, and who makes it go wrong. */
export { type Fault, type Refusal, type ScheduledFault, type WatchFailure, faultNames } from './fault.ts';
export { failureOf } from './failure.ts';
export { Nemesis } from './nemesis.ts';
export type { FaultTargets, ProcessTarget, ReplicaTarget } from './targets.ts';
