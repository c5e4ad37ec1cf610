/** `#laws/53-endpoints`: the entry point for the tests. */
export * as endpointsLaws from './laws.ts';
export { MAX_ENDPOINTS_PER_SLICE } from './operations.ts';
export { type EndpointsScenario, scenarios as endpointsScenarios } from './scenario.ts';
export { runEndpoints } from './simulation.ts';
