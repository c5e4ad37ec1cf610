/** A reference model of the filters: decides from the rules of the API where a pod may run. */

export type { ClusterState } from './cluster-state.ts';
export { explain } from './explaining.ts';
export { mayRunOn, NAMES_CONFLICT, type Ruling, rulingsOn } from './oracle.ts';
export { overcommitments } from './taking.ts';
