// Derived from the Go types of policy/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as meta from '../meta/v1.d.ts';
export interface Eviction {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  deleteOptions?: meta.DeleteOptions;
}
export interface PodDisruptionBudget {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: PodDisruptionBudgetSpec;
  status?: PodDisruptionBudgetStatus;
}
export interface PodDisruptionBudgetList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<PodDisruptionBudget>;
}
export interface PodDisruptionBudgetSpec {
  minAvailable?: number | string;
  selector?: meta.LabelSelector;
  maxUnavailable?: number | string;
  unhealthyPodEvictionPolicy?: string;
}
export interface PodDisruptionBudgetStatus {
  observedGeneration?: number;
  disruptedPods?: { [name: string]: string };
  disruptionsAllowed?: number;
  currentHealthy?: number;
  desiredHealthy?: number;
  expectedPods?: number;
  conditions?: Array<meta.Condition>;
}
