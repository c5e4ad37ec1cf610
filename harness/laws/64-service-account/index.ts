/** `#laws/64-service-account`: the entry point for the tests. */
export * as serviceAccountLaws from './laws/index.ts';
export { type ServiceAccountScenario, scenarios as serviceAccountScenarios } from './scenario.ts';
export { type AccountControllers, runServiceAccounts } from './simulation.ts';
