/** The door of this folder, for the tests: `#laws/56-node-ipam`. */
export * as nodeIpamLaws from './laws.ts';
export { type NodeIpamScenario, RANGE, scenarios as nodeIpamScenarios } from './scenario.ts';
export { runNodeIpam } from './simulation.ts';
