// Derived from the Go types of metrics/v1beta1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as meta from '../meta/v1.d.ts';
export interface ContainerMetrics {
  name: string;
  usage: { [name: string]: string };
}
export interface NodeMetrics {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  timestamp: string;
  window: string;
  usage: { [name: string]: string };
}
export interface NodeMetricsList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<NodeMetrics>;
}
export interface PodMetrics {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  timestamp: string;
  window: string;
  containers: Array<ContainerMetrics>;
}
export interface PodMetricsList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<PodMetrics>;
}
