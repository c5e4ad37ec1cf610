// Derived from the Go types of flowcontrol/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as meta from '../meta/v1.d.ts';
export interface ExemptPriorityLevelConfiguration {
  nominalConcurrencyShares?: number;
  lendablePercent?: number;
}
export interface FlowDistinguisherMethod {
  type: string;
}
export interface FlowSchema {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: FlowSchemaSpec;
  status?: FlowSchemaStatus;
}
export interface FlowSchemaCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}
export interface FlowSchemaList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<FlowSchema>;
}
export interface FlowSchemaSpec {
  priorityLevelConfiguration: PriorityLevelConfigurationReference;
  matchingPrecedence?: number;
  distinguisherMethod?: FlowDistinguisherMethod;
  rules?: Array<PolicyRulesWithSubjects>;
}
export interface FlowSchemaStatus {
  conditions?: Array<FlowSchemaCondition>;
}
export interface GroupSubject {
  name: string;
}
export interface LimitResponse {
  type: string;
  queuing?: QueuingConfiguration;
}
export interface LimitedPriorityLevelConfiguration {
  nominalConcurrencyShares?: number;
  limitResponse?: LimitResponse;
  lendablePercent?: number;
  borrowingLimitPercent?: number;
}
export interface NonResourcePolicyRule {
  verbs: Array<string>;
  nonResourceURLs: Array<string>;
}
export interface PolicyRulesWithSubjects {
  subjects: Array<Subject>;
  resourceRules?: Array<ResourcePolicyRule>;
  nonResourceRules?: Array<NonResourcePolicyRule>;
}
export interface PriorityLevelConfiguration {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: PriorityLevelConfigurationSpec;
  status?: PriorityLevelConfigurationStatus;
}
export interface PriorityLevelConfigurationCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}
export interface PriorityLevelConfigurationList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<PriorityLevelConfiguration>;
}
export interface PriorityLevelConfigurationReference {
  name: string;
}
export interface PriorityLevelConfigurationSpec {
  type: string;
  limited?: LimitedPriorityLevelConfiguration;
  exempt?: ExemptPriorityLevelConfiguration;
}
export interface PriorityLevelConfigurationStatus {
  conditions?: Array<PriorityLevelConfigurationCondition>;
}
export interface QueuingConfiguration {
  queues?: number;
  handSize?: number;
  queueLengthLimit?: number;
}
export interface ResourcePolicyRule {
  verbs: Array<string>;
  apiGroups: Array<string>;
  resources: Array<string>;
  clusterScope?: boolean;
  namespaces?: Array<string>;
}
export interface ServiceAccountSubject {
  namespace: string;
  name: string;
}
export interface Subject {
  kind: string;
  user?: UserSubject;
  group?: GroupSubject;
  serviceAccount?: ServiceAccountSubject;
}
export interface UserSubject {
  name: string;
}
