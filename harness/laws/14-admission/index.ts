/** `#laws/14-admission`: the entry point for the tests. */
export type { AdmissionHistory } from './history.ts';
export * as admissionLaws from './laws/index.ts';
export type { AdmissionScenario } from './scenario/index.ts';
export { runAdmission } from './simulation/index.ts';
export {
  pluginWorkloads,
  quotaWorkloads,
  webhookWorkloads,
  workloads,
} from './workloads/index.ts';
export { kubeletWorkloads, standardWorkloads } from './workloads/optional.ts';
