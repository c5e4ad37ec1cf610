/** The entry point of this folder for the tests: `#laws/51-ipam`. */
export { type AddressCluster, clusterOfAddresses } from './cluster.ts';
export type { IpamHistory } from './history.ts';
export * as ipamLaws from './laws.ts';
export { type NodeNetworkOnTrial, networkOfNode } from './node.ts';
export { askingWorkloads, statusWorkloads } from './optional-workloads.ts';
export type { IpamScenario } from './scenario.ts';
export { runIpam } from './simulation.ts';
export { workloads } from './workloads.ts';
