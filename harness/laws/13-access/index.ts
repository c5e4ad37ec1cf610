/** `#laws/13-access`: the entry point for the tests. */

export * as aggregationLaws from './aggregation/laws.ts';
export { type AggregationScenario, aggregationWorkloads } from './aggregation/scenario.ts';
export { runAggregation } from './aggregation/simulation.ts';
export type { AccessHistory } from './history.ts';
export * as accessLaws from './laws/index.ts';
export type { AccessScenario } from './scenario/index.ts';
export { runAccess } from './simulation/index.ts';
export { credentialWorkloads } from './workloads/credentials.ts';
export { escalationWorkloads } from './workloads/escalation.ts';
export { impersonationWorkloads } from './workloads/impersonation.ts';
export { nodeWorkloads } from './workloads/nodes.ts';
export { roleWorkloads } from './workloads/roles.ts';
