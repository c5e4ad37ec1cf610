// Derived from the Go types of scheduling/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as meta from '../meta/v1.d.ts';
export interface PriorityClass {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  value?: number;
  globalDefault?: boolean;
  description?: string;
  preemptionPolicy?: string;
}
export interface PriorityClassList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<PriorityClass>;
}
