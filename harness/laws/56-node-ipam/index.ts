/** `#laws/56-node-ipam`: the entry point for the tests. */
export * as nodeIpamLaws from './laws.ts';
export { type NodeIpamScenario, RANGE, scenarios as nodeIpamScenarios } from './scenario.ts';
export { runNodeIpam } from './simulation.ts';
