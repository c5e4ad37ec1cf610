/** The entry point of this folder for tests: `#laws/55-dns`. */
export type { Answered, DnsHistory } from './history.ts';
export * as dnsLaws from './laws.ts';
export { type DnsScenario, scenarios as dnsScenarios } from './scenario/index.ts';
export { runDns } from './simulation.ts';
