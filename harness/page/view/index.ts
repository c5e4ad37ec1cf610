/** Pure observers of a cluster, for the page. */
export type { ClusterObserver, ObserveCluster, ObserverOptions } from './observer.ts';
