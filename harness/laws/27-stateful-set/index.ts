/** `#laws/27-stateful-set`: the entry point for the tests. */
export * as statefulSetLaws from './laws.ts';
export { type StatefulSetScenario, scenarios as statefulSetScenarios } from './scenario.ts';
export { runStatefulSet } from './simulation.ts';
