/** The entry point of this folder for tests: `#laws/56-node-ipam`. */
export * as nodeIpamLaws from './laws.ts';
export { type NodeIpamScenario, RANGE, scenarios as nodeIpamScenarios } from './scenario.ts';
export { runNodeIpam } from './simulation.ts';
