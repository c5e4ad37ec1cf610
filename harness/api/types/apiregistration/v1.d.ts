// Derived from the Go types of apiregistration/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as meta from '../meta/v1.d.ts';
export interface APIService {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: APIServiceSpec;
  status?: APIServiceStatus;
}
export interface APIServiceCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}
export interface APIServiceList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<APIService>;
}
export interface APIServiceSpec {
  service?: ServiceReference;
  group?: string;
  version?: string;
  insecureSkipTLSVerify?: boolean;
  caBundle?: string;
  groupPriorityMinimum: number;
  versionPriority: number;
}
export interface APIServiceStatus {
  conditions?: Array<APIServiceCondition>;
}
export interface ServiceReference {
  namespace?: string;
  name?: string;
  port?: number;
}
