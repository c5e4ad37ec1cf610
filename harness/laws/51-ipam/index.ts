/** `#laws/51-ipam`: the entry point for the tests. */

export type { IpamHistory } from './history.ts';
export * as ipamLaws from './laws/index.ts';
export type { IpamScenario } from './scenario/index.ts';
export { type AddressCluster, clusterOfAddresses } from './simulation/cluster.ts';
export { runIpam } from './simulation/index.ts';
export { type NodeNetworkOnTrial, networkOfNode } from './simulation/node.ts';
export { workloads } from './workloads/index.ts';
export { askingWorkloads, statusWorkloads } from './workloads/optional.ts';
