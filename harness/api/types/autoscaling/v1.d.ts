// Derived from the Go types of autoscaling/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as meta from '../meta/v1.d.ts';
export interface CrossVersionObjectReference {
  kind: string;
  name: string;
  apiVersion?: string;
}
export interface HorizontalPodAutoscaler {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: HorizontalPodAutoscalerSpec;
  status?: HorizontalPodAutoscalerStatus;
}
export interface HorizontalPodAutoscalerList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<HorizontalPodAutoscaler>;
}
export interface HorizontalPodAutoscalerSpec {
  scaleTargetRef: CrossVersionObjectReference;
  minReplicas?: number;
  maxReplicas: number;
  targetCPUUtilizationPercentage?: number;
}
export interface HorizontalPodAutoscalerStatus {
  observedGeneration?: number;
  lastScaleTime?: string;
  currentReplicas: number;
  desiredReplicas: number;
  currentCPUUtilizationPercentage?: number;
}
export interface Scale {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: ScaleSpec;
  status?: ScaleStatus;
}
export interface ScaleSpec {
  replicas?: number;
}
export interface ScaleStatus {
  replicas: number;
  selector?: string;
}
