/** The entry point of this folder for the tests: `#laws/52-pod-network`. */

export { workloads } from './all-workloads.ts';
export { clusterOfPods, isNodeReady } from './cluster-of-pods.ts';
export * as podNetworkLaws from './laws.ts';
export type { PodNetworkScenario } from './scenario.ts';
export { type PodNetworkKit, runPodNetwork } from './simulation.ts';
