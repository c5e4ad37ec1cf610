// Derived from the Go types of rbac/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as meta from '../meta/v1.d.ts';
export interface AggregationRule {
  clusterRoleSelectors?: Array<meta.LabelSelector>;
}
export interface ClusterRole {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  rules?: Array<PolicyRule>;
  aggregationRule?: AggregationRule;
}
export interface ClusterRoleBinding {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  subjects?: Array<Subject>;
  roleRef: RoleRef;
}
export interface ClusterRoleBindingList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<ClusterRoleBinding>;
}
export interface ClusterRoleList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<ClusterRole>;
}
export interface PolicyRule {
  verbs: Array<string>;
  apiGroups?: Array<string>;
  resources?: Array<string>;
  resourceNames?: Array<string>;
  nonResourceURLs?: Array<string>;
}
export interface Role {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  rules?: Array<PolicyRule>;
}
export interface RoleBinding {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  subjects?: Array<Subject>;
  roleRef: RoleRef;
}
export interface RoleBindingList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<RoleBinding>;
}
export interface RoleList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<Role>;
}
export interface RoleRef {
  apiGroup?: string;
  kind: string;
  name: string;
}
export interface Subject {
  kind: string;
  apiGroup?: string;
  name: string;
  namespace?: string;
}
