/** `#laws/54-service-proxy`: the entry point for the tests. */

export { serviceSpec, serviceStatus, sliceOf } from './environment.ts';
export type { ProxyHistory } from './history.ts';
export * as proxyLaws from './laws.ts';
export { addressesOf } from './oracle.ts';
export { type Backend, type ProxyScenario, type Shape, scenarios as proxyScenarios } from './scenario.ts';
export { runProxy } from './simulation/index.ts';
export { NODE, NODE_IP, OUTSIDE_IP, PROCESS, ProxyNetwork, podIPs } from './simulation/network.ts';
export { chances, connect, connectEachWay } from './simulation/probe.ts';
