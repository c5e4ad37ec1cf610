/** The entry point of this folder for tests: `#laws/53-endpoints`. */
export * as endpointsLaws from './laws.ts';
export { MAX_ENDPOINTS_PER_SLICE } from './operations.ts';
export { type EndpointsScenario, scenarios as endpointsScenarios } from './scenario.ts';
export { runEndpoints } from './simulation.ts';
