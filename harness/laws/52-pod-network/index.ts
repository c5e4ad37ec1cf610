/** `#laws/52-pod-network`: the entry point for the tests. */

export * as podNetworkLaws from './laws.ts';
export type { PodNetworkScenario } from './scenario/index.ts';
export { clusterOfPods, isNodeReady } from './simulation/cluster-of-pods.ts';
export { type PodNetworkKit, runPodNetwork } from './simulation/index.ts';
export { workloads } from './workloads/index.ts';
