/** `#laws/57-endpoint-slice-mirroring`: the entry point for the tests. */
export * as mirroringLaws from './laws.ts';
export { type MirroringScenario, scenarios as mirroringScenarios } from './scenario.ts';
export { runMirroring } from './simulation.ts';
