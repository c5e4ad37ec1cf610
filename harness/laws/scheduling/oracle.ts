/** Where a pod may run, from first principles. */
export { explain } from './oracle/explaining.ts';
export { mayRunOn, NAMES_CONFLICT, type Ruling, rulingsOn } from './oracle/oracle.ts';
export { overcommitments } from './oracle/taking.ts';
export type { SchedulingWorld } from './oracle/world.ts';
