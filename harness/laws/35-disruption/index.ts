/** `#laws/35-disruption`: the entry point for the tests. */
export * as disruptionLaws from './laws.ts';
export { type DisruptionScenario, scenarios as disruptionScenarios } from './scenario.ts';
export { runDisruption } from './simulation.ts';
