// Derived from the Go types of admissionregistration/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as meta from '../meta/v1.d.ts';
export interface ApplyConfiguration {
  expression?: string;
}
export interface AuditAnnotation {
  key: string;
  valueExpression: string;
}
export interface ExpressionWarning {
  fieldRef: string;
  warning: string;
}
export interface JSONPatch {
  expression?: string;
}
export interface MatchCondition {
  name: string;
  expression: string;
}
export interface MatchResources {
  namespaceSelector?: meta.LabelSelector;
  objectSelector?: meta.LabelSelector;
  resourceRules?: Array<NamedRuleWithOperations>;
  excludeResourceRules?: Array<NamedRuleWithOperations>;
  matchPolicy?: string;
}
export interface MutatingAdmissionPolicy {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: MutatingAdmissionPolicySpec;
}
export interface MutatingAdmissionPolicyBinding {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: MutatingAdmissionPolicyBindingSpec;
}
export interface MutatingAdmissionPolicyBindingList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<MutatingAdmissionPolicyBinding>;
}
export interface MutatingAdmissionPolicyBindingSpec {
  policyName?: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
}
export interface MutatingAdmissionPolicyList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<MutatingAdmissionPolicy>;
}
export interface MutatingAdmissionPolicySpec {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  variables?: Array<Variable>;
  mutations?: Array<Mutation>;
  failurePolicy?: string;
  matchConditions?: Array<MatchCondition>;
  reinvocationPolicy?: string;
}
export interface MutatingWebhook {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: Array<RuleWithOperations>;
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: meta.LabelSelector;
  objectSelector?: meta.LabelSelector;
  sideEffects: string;
  timeoutSeconds?: number;
  admissionReviewVersions: Array<string>;
  reinvocationPolicy?: string;
  matchConditions?: Array<MatchCondition>;
}
export interface MutatingWebhookConfiguration {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  webhooks?: Array<MutatingWebhook>;
}
export interface MutatingWebhookConfigurationList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<MutatingWebhookConfiguration>;
}
export interface Mutation {
  patchType: string;
  applyConfiguration?: ApplyConfiguration;
  jsonPatch?: JSONPatch;
}
export interface NamedRuleWithOperations {
  resourceNames?: Array<string>;
  operations?: Array<string>;
  apiGroups?: Array<string>;
  apiVersions?: Array<string>;
  resources?: Array<string>;
  scope?: string;
}
export interface ParamKind {
  apiVersion?: string;
  kind?: string;
}
export interface ParamRef {
  name?: string;
  namespace?: string;
  selector?: meta.LabelSelector;
  parameterNotFoundAction?: string;
}
export interface Rule {
  apiGroups?: Array<string>;
  apiVersions?: Array<string>;
  resources?: Array<string>;
  scope?: string;
}
export interface RuleWithOperations {
  operations?: Array<string>;
  apiGroups?: Array<string>;
  apiVersions?: Array<string>;
  resources?: Array<string>;
  scope?: string;
}
export interface ServiceReference {
  namespace: string;
  name: string;
  path?: string;
  port?: number;
}
export interface TypeChecking {
  expressionWarnings?: Array<ExpressionWarning>;
}
export interface ValidatingAdmissionPolicy {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: ValidatingAdmissionPolicySpec;
  status?: ValidatingAdmissionPolicyStatus;
}
export interface ValidatingAdmissionPolicyBinding {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: ValidatingAdmissionPolicyBindingSpec;
}
export interface ValidatingAdmissionPolicyBindingList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<ValidatingAdmissionPolicyBinding>;
}
export interface ValidatingAdmissionPolicyBindingSpec {
  policyName: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
  validationActions: Array<string>;
}
export interface ValidatingAdmissionPolicyList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<ValidatingAdmissionPolicy>;
}
export interface ValidatingAdmissionPolicySpec {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  validations?: Array<Validation>;
  failurePolicy?: string;
  auditAnnotations?: Array<AuditAnnotation>;
  matchConditions?: Array<MatchCondition>;
  variables?: Array<Variable>;
}
export interface ValidatingAdmissionPolicyStatus {
  observedGeneration?: number;
  typeChecking?: TypeChecking;
  conditions?: Array<meta.Condition>;
}
export interface ValidatingWebhook {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: Array<RuleWithOperations>;
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: meta.LabelSelector;
  objectSelector?: meta.LabelSelector;
  sideEffects: string;
  timeoutSeconds?: number;
  admissionReviewVersions: Array<string>;
  matchConditions?: Array<MatchCondition>;
}
export interface ValidatingWebhookConfiguration {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  webhooks?: Array<ValidatingWebhook>;
}
export interface ValidatingWebhookConfigurationList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<ValidatingWebhookConfiguration>;
}
export interface Validation {
  expression: string;
  message?: string;
  reason?: string;
  messageExpression?: string;
}
export interface Variable {
  name: string;
  expression: string;
}
export interface WebhookClientConfig {
  url?: string;
  service?: ServiceReference;
  caBundle?: string;
}
