/** `#laws/67-ttl-after-finished`: the entry point for the tests. */
export * as ttlLaws from './laws.ts';
export { scenarios as ttlScenarios, type TtlScenario } from './scenario.ts';
export { runTtl } from './simulation.ts';
