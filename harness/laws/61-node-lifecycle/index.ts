/** The entry point of this folder, for the tests: `#laws/61-node-lifecycle`. */
export * as laws from './laws.ts';
export { type Scenario, scenarios } from './scenario.ts';
export { simulate } from './simulation.ts';
