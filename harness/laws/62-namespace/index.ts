/** `#laws/62-namespace`: the entry point for the tests. */
export * as namespaceLaws from './laws/index.ts';
export { type NamespaceScenario, scenarios as namespaceScenarios } from './scenario.ts';
export { runNamespaces } from './simulation.ts';
