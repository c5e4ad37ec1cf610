/** A reference model of the filters: decides from the rules of the API where a pod may run. */

export type { ClusterState } from './oracle/cluster-state.ts';
export { explain } from './oracle/explaining.ts';
export { mayRunOn, NAMES_CONFLICT, type Ruling, rulingsOn } from './oracle/oracle.ts';
export { overcommitments } from './oracle/taking.ts';
