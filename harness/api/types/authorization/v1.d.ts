// Derived from the Go types of authorization/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as meta from '../meta/v1.d.ts';
export interface FieldSelectorAttributes {
  rawSelector?: string;
  requirements?: Array<meta.FieldSelectorRequirement>;
}
export interface LabelSelectorAttributes {
  rawSelector?: string;
  requirements?: Array<meta.LabelSelectorRequirement>;
}
export interface LocalSubjectAccessReview {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}
export interface NonResourceAttributes {
  path?: string;
  verb?: string;
}
export interface NonResourceRule {
  verbs: Array<string>;
  nonResourceURLs?: Array<string>;
}
export interface ResourceAttributes {
  namespace?: string;
  verb?: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  name?: string;
  fieldSelector?: FieldSelectorAttributes;
  labelSelector?: LabelSelectorAttributes;
}
export interface ResourceRule {
  verbs: Array<string>;
  apiGroups?: Array<string>;
  resources?: Array<string>;
  resourceNames?: Array<string>;
}
export interface SelfSubjectAccessReview {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: SelfSubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}
export interface SelfSubjectAccessReviewSpec {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
}
export interface SelfSubjectRulesReview {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: SelfSubjectRulesReviewSpec;
  status?: SubjectRulesReviewStatus;
}
export interface SelfSubjectRulesReviewSpec {
  namespace?: string;
}
export interface SubjectAccessReview {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}
export interface SubjectAccessReviewSpec {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
  user?: string;
  groups?: Array<string>;
  extra?: { [name: string]: Array<string> };
  uid?: string;
}
export interface SubjectAccessReviewStatus {
  allowed: boolean;
  denied?: boolean;
  reason?: string;
  evaluationError?: string;
}
export interface SubjectRulesReviewStatus {
  resourceRules: Array<ResourceRule>;
  nonResourceRules: Array<NonResourceRule>;
  incomplete: boolean;
  evaluationError?: string;
}
