export * as objectLaws from './laws.ts';
export type { ObjectScenario } from './scenario/index.ts';
export { runObjects } from './simulation/index.ts';
export { objectWorkloads } from './workloads/index.ts';
