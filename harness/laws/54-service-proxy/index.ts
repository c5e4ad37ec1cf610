/** The door of this folder, for the tests: `#laws/54-service-proxy`. */
export type { ProxyHistory } from './history.ts';
export * as proxyLaws from './laws.ts';
export { NODE, PROCESS, ProxyNetwork } from './network.ts';
export { chances, connect, connectEachWay } from './probe.ts';
export { type ProxyScenario, scenarios as proxyScenarios } from './scenario.ts';
export { runProxy } from './world.ts';
