import type * as core from '#api/core/v1';
import type * as networking from '#api/networking/v1';
import { isIP, isValidIP } from '../../api/ip.ts';
import {
  isDNS1123Label,
  isDNS1123Subdomain,
  isValidPathSegmentName,
  isValidPortName,
  isValidPortNum,
  isWildcardDNS1123Subdomain,
} from '../../api/names.ts';
import type { Ingress } from '../../api/objects.ts';
import { ingresses } from '../../api/plain-resources.ts';
import type { Cause } from '../../api/status.ts';
import { declareKind } from '../declare/declare-kind.ts';
import { each, fields, named, optional, type Rule, required } from '../declare/rules.ts';
import { invalid, invalidEach, required as missing, notSupported } from '../validation/field-error.ts';

/** The annotation that named the controller of an Ingress before the field existed. */
const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

const host: Rule<string> = (value, path) => {
  if (!value) return [];
  const check = value.includes('*') ? isWildcardDNS1123Subdomain : isDNS1123Subdomain;
  return invalidEach(path, value, check(value));
};

const notIP: Rule<string> = (value, path) =>
  value && isIP(value) ? [invalid(path, value, 'must be a DNS name, not an IP address')] : [];

/** Upstream: validateIngressTypedLocalObjectReference */
const resourceRef = fields<core.TypedLocalObjectReference>({
  apiGroup: named(isDNS1123Subdomain),
  kind: required(named(isValidPathSegmentName)),
  name: required(named(isValidPathSegmentName)),
});

/** Upstream: validateIngressBackend */
const backend: Rule<networking.IngressBackend> = ({ resource, service } = {}, path) => {
  if (resource && service) return [invalid(path, '', 'cannot set both resource and service backends')];
  if (resource) return resourceRef(resource, `${path}.resource`);
  if (!service) return [invalid(path, '', 'resource or service backend is required')];
  const { name, number } = service.port ?? {};
  const at = `${path}.service`;
  const causes = [...required(named(isDNS1123Label))(service.name, `${at}.name`)];
  if (name && number) causes.push(invalid(path, '', 'cannot set both port name & port number'));
  else if (name) causes.push(...invalidEach(`${at}.port.name`, name, isValidPortName(name)));
  else if (number) causes.push(...invalidEach(`${at}.port.number`, number, isValidPortNum(number)));
  else causes.push(missing(path, 'port name or number is required'));
  return causes;
};

/** Upstream: validateHTTPIngressPath */
const httpPath: Rule<networking.HTTPIngressPath> = (value, path) => {
  const { pathType, path: text = '' } = value ?? {};
  if (pathType === undefined || pathType === null) {
    return [missing(`${path}.pathType`, 'pathType must be specified')];
  }
  const at = `${path}.path`;
  const causes: Cause[] = [];
  const isExact = pathType === 'Exact' || pathType === 'Prefix';
  if (!isExact && pathType !== 'ImplementationSpecific') {
    const supported = ['Exact', 'ImplementationSpecific', 'Prefix'];
    causes.push(notSupported(`${path}.pathType`, pathType, supported));
  } else if ((isExact || text) && !text.startsWith('/')) {
    causes.push(invalid(at, text, 'must be an absolute path'));
  }
  if (isExact) {
    for (const part of ['//', '/./', '/../', '%2f', '%2F']) {
      if (text.includes(part)) causes.push(invalid(at, text, `must not contain '${part}'`));
    }
    for (const end of ['/..', '/.']) {
      if (text.endsWith(end)) causes.push(invalid(at, text, `cannot end with '${end}'`));
    }
  }
  return [...causes, ...backend(value?.backend, `${path}.backend`)];
};

/** Upstream: ValidateIngressSpec */
const spec: Rule<networking.IngressSpec> = (value = {}, path) => {
  if (value.rules?.length || value.defaultBackend) return specFields(value, path);
  const unserved = invalid(path, value.rules, 'either `defaultBackend` or `rules` must be specified');
  return [unserved, ...specFields(value, path)];
};

const specFields = fields<networking.IngressSpec>({
  defaultBackend: optional(backend),
  rules: each(
    fields<networking.IngressRule>({
      host: (value, path) => [...notIP(value, path), ...host(value, path)],
      http: optional(fields<networking.HTTPIngressRuleValue>({ paths: required(each(httpPath)) })),
    }),
  ),
  tls: each(fields<networking.IngressTLS>({ hosts: each(host), secretName: named(isDNS1123Subdomain) })),
  ingressClassName: named(isDNS1123Subdomain),
});

/**
 * The kind Ingress.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/networking/ingress/strategy.go,
 * pkg/apis/networking/validation/validation.go ValidateIngressCreate
 *
 * Differs: upstream accepts invalid values that were stored before a rule existed; no stored object here has one.
 */
export const ingress = declareKind<Ingress>({
  resource: ingresses,
  generationOf: ({ spec }) => spec,
  warningsOnCreate: ({ metadata, spec }) =>
    metadata.annotations?.[CLASS_ANNOTATION] !== undefined && spec.ingressClassName === undefined
      ? [`annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`]
      : [],

  rules: [fields<Ingress>({ spec })],
  createRules: [
    ({ metadata, spec: { ingressClassName } }) => {
      const annotated = metadata.annotations?.[CLASS_ANNOTATION];
      if (annotated === undefined || ingressClassName === undefined) return [];
      if (annotated === ingressClassName) return [];
      const detail = 'must match `ingressClassName` when both are specified';
      return [invalid(`annotations.${CLASS_ANNOTATION}`, annotated, detail)];
    },
  ],
  statusRules: [({ status }) => addresses(status.loadBalancer, 'status.loadBalancer')],
});

const addresses = fields<networking.IngressLoadBalancerStatus>({
  ingress: each(
    fields<networking.IngressLoadBalancerIngress>({
      ip: named(isValidIP),
      hostname: (value, path) => [...named(isDNS1123Subdomain)(value, path), ...notIP(value, path)],
    }),
  ),
});
