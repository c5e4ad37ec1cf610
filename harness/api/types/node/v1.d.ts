// Derived from the Go types of node/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as core from '../core/v1.d.ts';
import type * as meta from '../meta/v1.d.ts';
export interface Overhead {
  podFixed?: { [name: string]: string };
}
export interface RuntimeClass {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  handler: string;
  overhead?: Overhead;
  scheduling?: Scheduling;
}
export interface RuntimeClassList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<RuntimeClass>;
}
export interface Scheduling {
  nodeSelector?: { [name: string]: string };
  tolerations?: Array<core.Toleration>;
}
