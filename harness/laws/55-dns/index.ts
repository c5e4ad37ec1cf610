/** `#laws/55-dns`: the entry point for the tests. */
export type { Answered, DnsHistory } from './history.ts';
export * as dnsLaws from './laws.ts';
export { type DnsScenario, scenarios as dnsScenarios } from './scenario/index.ts';
export { runDns } from './simulation.ts';
