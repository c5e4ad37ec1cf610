/** Pure observers of a cluster, for the page. */
export { observeCluster } from './cluster-observer.ts';
export type { ClusterObserver, ObserveCluster, ObserverOptions } from './observer.ts';
