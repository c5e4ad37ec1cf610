/** `#laws/26-daemon-set`: the entry point for the tests. */
export * as daemonSetLaws from './laws.ts';
export { type DaemonSetScenario, scenarios as daemonSetScenarios } from './scenario.ts';
export { runDaemonSet } from './simulation.ts';
