// Derived from the Go types of networking/v1 at v0.36.3 by harness/api/table/derive.ts: change that instead.
import type * as core from '../core/v1.d.ts';
import type * as meta from '../meta/v1.d.ts';
export interface HTTPIngressPath {
  path?: string;
  pathType: string;
  backend: IngressBackend;
}
export interface HTTPIngressRuleValue {
  paths: Array<HTTPIngressPath>;
}
export interface IPAddress {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec: IPAddressSpec;
}
export interface IPAddressList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<IPAddress>;
}
export interface IPAddressSpec {
  parentRef: ParentReference;
}
export interface IPBlock {
  cidr: string;
  except?: Array<string>;
}
export interface Ingress {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: IngressSpec;
  status?: IngressStatus;
}
export interface IngressBackend {
  service?: IngressServiceBackend;
  resource?: core.TypedLocalObjectReference;
}
export interface IngressClass {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: IngressClassSpec;
}
export interface IngressClassList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<IngressClass>;
}
export interface IngressClassParametersReference {
  apiGroup?: string;
  kind: string;
  name: string;
  scope?: string;
  namespace?: string;
}
export interface IngressClassSpec {
  controller?: string;
  parameters?: IngressClassParametersReference;
}
export interface IngressList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<Ingress>;
}
export interface IngressLoadBalancerIngress {
  ip?: string;
  hostname?: string;
  ports?: Array<IngressPortStatus>;
}
export interface IngressLoadBalancerStatus {
  ingress?: Array<IngressLoadBalancerIngress>;
}
export interface IngressPortStatus {
  port: number;
  protocol: string;
  error?: string;
}
export interface IngressRule {
  host?: string;
  http?: HTTPIngressRuleValue;
}
export interface IngressRuleValue {
  http?: HTTPIngressRuleValue;
}
export interface IngressServiceBackend {
  name: string;
  port?: ServiceBackendPort;
}
export interface IngressSpec {
  ingressClassName?: string;
  defaultBackend?: IngressBackend;
  tls?: Array<IngressTLS>;
  rules?: Array<IngressRule>;
}
export interface IngressStatus {
  loadBalancer?: IngressLoadBalancerStatus;
}
export interface IngressTLS {
  hosts?: Array<string>;
  secretName?: string;
}
export interface NetworkPolicy {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: NetworkPolicySpec;
}
export interface NetworkPolicyEgressRule {
  ports?: Array<NetworkPolicyPort>;
  to?: Array<NetworkPolicyPeer>;
}
export interface NetworkPolicyIngressRule {
  ports?: Array<NetworkPolicyPort>;
  from?: Array<NetworkPolicyPeer>;
}
export interface NetworkPolicyList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<NetworkPolicy>;
}
export interface NetworkPolicyPeer {
  podSelector?: meta.LabelSelector;
  namespaceSelector?: meta.LabelSelector;
  ipBlock?: IPBlock;
}
export interface NetworkPolicyPort {
  protocol?: string;
  port?: number | string;
  endPort?: number;
}
export interface NetworkPolicySpec {
  podSelector?: meta.LabelSelector;
  ingress?: Array<NetworkPolicyIngressRule>;
  egress?: Array<NetworkPolicyEgressRule>;
  policyTypes?: Array<string>;
}
export interface ParentReference {
  group?: string;
  resource: string;
  namespace?: string;
  name: string;
}
export interface ServiceBackendPort {
  name?: string;
  number?: number;
}
export interface ServiceCIDR {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ObjectMeta;
  spec?: ServiceCIDRSpec;
  status?: ServiceCIDRStatus;
}
export interface ServiceCIDRList {
  kind?: string;
  apiVersion?: string;
  metadata?: meta.ListMeta;
  items: Array<ServiceCIDR>;
}
export interface ServiceCIDRSpec {
  cidrs?: Array<string>;
}
export interface ServiceCIDRStatus {
  conditions?: Array<meta.Condition>;
}
