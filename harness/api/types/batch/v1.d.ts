// Derived from the Go types of batch/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as core from '../core/v1.d.ts';
import type * as meta from '../meta/v1.d.ts';
export interface CronJob {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: CronJobSpec;
  status?: CronJobStatus;
}
export interface CronJobList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<CronJob>;
}
export interface CronJobSpec {
  schedule: string;
  timeZone?: string;
  startingDeadlineSeconds?: number;
  concurrencyPolicy?: string;
  suspend?: boolean;
  jobTemplate: JobTemplateSpec;
  successfulJobsHistoryLimit?: number;
  failedJobsHistoryLimit?: number;
}
export interface CronJobStatus {
  active?: Array<core.ObjectReference>;
  lastScheduleTime?: string;
  lastSuccessfulTime?: string;
}
export interface Job {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: JobSpec;
  status?: JobStatus;
}
export interface JobCondition {
  type: string;
  status: string;
  lastProbeTime?: string | null;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}
export interface JobList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<Job>;
}
export interface JobSpec {
  parallelism?: number;
  completions?: number;
  activeDeadlineSeconds?: number;
  podFailurePolicy?: PodFailurePolicy;
  successPolicy?: SuccessPolicy;
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  selector?: meta.LabelSelector;
  manualSelector?: boolean;
  template: core.PodTemplateSpec;
  ttlSecondsAfterFinished?: number;
  completionMode?: string;
  suspend?: boolean;
  podReplacementPolicy?: string;
  managedBy?: string;
}
export interface JobStatus {
  conditions?: Array<JobCondition>;
  startTime?: string;
  completionTime?: string;
  active?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: UncountedTerminatedPods;
  ready?: number;
}
export interface JobTemplateSpec {
  metadata?: meta.ObjectMeta;
  spec?: JobSpec;
}
export interface PodFailurePolicy {
  rules: Array<PodFailurePolicyRule>;
}
export interface PodFailurePolicyOnExitCodesRequirement {
  containerName?: string;
  operator: string;
  values: Array<number>;
}
export interface PodFailurePolicyOnPodConditionsPattern {
  type: string;
  status?: string;
}
export interface PodFailurePolicyRule {
  action: string;
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  onPodConditions?: Array<PodFailurePolicyOnPodConditionsPattern>;
}
export interface SuccessPolicy {
  rules: Array<SuccessPolicyRule>;
}
export interface SuccessPolicyRule {
  succeededIndexes?: string;
  succeededCount?: number;
}
export interface UncountedTerminatedPods {
  succeeded?: Array<string>;
  failed?: Array<string>;
}
