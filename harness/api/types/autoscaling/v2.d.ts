// Derived from the Go types of autoscaling/v2 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as meta from '../meta/v1.d.ts';
export interface ContainerResourceMetricSource {
  name: string;
  target: MetricTarget;
  container: string;
}
export interface ContainerResourceMetricStatus {
  name: string;
  current: MetricValueStatus;
  container: string;
}
export interface CrossVersionObjectReference {
  kind: string;
  name: string;
  apiVersion?: string;
}
export interface ExternalMetricSource {
  metric: MetricIdentifier;
  target: MetricTarget;
}
export interface ExternalMetricStatus {
  metric: MetricIdentifier;
  current: MetricValueStatus;
}
export interface HPAScalingPolicy {
  type: string;
  value: number;
  periodSeconds: number;
}
export interface HPAScalingRules {
  stabilizationWindowSeconds?: number;
  selectPolicy?: string;
  policies?: Array<HPAScalingPolicy>;
  tolerance?: string;
}
export interface HorizontalPodAutoscaler {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: HorizontalPodAutoscalerSpec;
  status?: HorizontalPodAutoscalerStatus;
}
export interface HorizontalPodAutoscalerBehavior {
  scaleUp?: HPAScalingRules;
  scaleDown?: HPAScalingRules;
}
export interface HorizontalPodAutoscalerCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
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
  metrics?: Array<MetricSpec>;
  behavior?: HorizontalPodAutoscalerBehavior;
}
export interface HorizontalPodAutoscalerStatus {
  observedGeneration?: number;
  lastScaleTime?: string;
  currentReplicas?: number;
  desiredReplicas: number;
  currentMetrics?: Array<MetricStatus>;
  conditions?: Array<HorizontalPodAutoscalerCondition>;
}
export interface MetricIdentifier {
  name: string;
  selector?: meta.LabelSelector;
}
export interface MetricSpec {
  type: string;
  object?: ObjectMetricSource;
  pods?: PodsMetricSource;
  resource?: ResourceMetricSource;
  containerResource?: ContainerResourceMetricSource;
  external?: ExternalMetricSource;
}
export interface MetricStatus {
  type: string;
  object?: ObjectMetricStatus;
  pods?: PodsMetricStatus;
  resource?: ResourceMetricStatus;
  containerResource?: ContainerResourceMetricStatus;
  external?: ExternalMetricStatus;
}
export interface MetricTarget {
  type: string;
  value?: string;
  averageValue?: string;
  averageUtilization?: number;
}
export interface MetricValueStatus {
  value?: string;
  averageValue?: string;
  averageUtilization?: number;
}
export interface ObjectMetricSource {
  describedObject: CrossVersionObjectReference;
  target: MetricTarget;
  metric: MetricIdentifier;
}
export interface ObjectMetricStatus {
  metric: MetricIdentifier;
  current: MetricValueStatus;
  describedObject: CrossVersionObjectReference;
}
export interface PodsMetricSource {
  metric: MetricIdentifier;
  target: MetricTarget;
}
export interface PodsMetricStatus {
  metric: MetricIdentifier;
  current: MetricValueStatus;
}
export interface ResourceMetricSource {
  name: string;
  target: MetricTarget;
}
export interface ResourceMetricStatus {
  name: string;
  current: MetricValueStatus;
}
