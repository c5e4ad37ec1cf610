import type * as core from '#api/core/v1';
import { isValidCIDR, isValidIP } from '../../api/ip.ts';
import {
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidPortName,
  isValidPortNum,
} from '../../api/names.ts';
import type { Service } from '../../api/objects.ts';
import type { Cause } from '../../api/status.ts';
import {
  duplicate,
  forbidden,
  invalid,
  invalidEach,
  notSupported,
  required,
} from '../validation/field-error.ts';
import { validateLabels } from '../validation/object-meta.ts';
import { whySpecialIP } from '../validation/special-ip.ts';
import { type GoStruct, inGoNames } from './pod/go-names.ts';
import { validateClusterIPs, validateClusterIPsUpdate } from './service-cluster-ips.ts';
import {
  isExternallyAccessible,
  isHeadless,
  needsHealthCheckNodePort,
  needsNodePort,
} from './service-type.ts';

/**
 * Returns all violations of a Service's spec. Addresses that are already in `old` can stay in a non-canonical form,
 * because they were accepted under older rules.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateService
 */
export function validateServiceSpec({ spec }: Service, old?: core.ServiceSpec): Cause[] {
  const { ports = [], selector, externalIPs = [] } = spec;
  const names = new Set<string>();
  return [
    ...(ports.length === 0 && !isHeadless(spec) && spec.type !== 'ExternalName'
      ? [required('spec.ports')]
      : []),
    ...validateForType(spec),
    ...ports.flatMap((port, i) =>
      validatePort(port, `spec.ports[${i}]`, { nameless: ports.length > 1, names }),
    ),
    ...validateLabels(selector, 'spec.selector'),
    ...validateSessionAffinity(spec),
    ...validateClusterIPs(spec, old),
    ...externalIPs.flatMap((ip, i) => validateExternalIP(ip, `spec.externalIPs[${i}]`, old?.externalIPs)),
    ...validateType(spec),
    ...validateDistinctPorts(ports),
    ...validateLoadBalancer(spec, old),
    ...validateTrafficPolicies(spec),
    ...validateTrafficDistribution(spec),
  ];
}

/** Returns the violations of the change from `old`, besides those of `object` itself. */
export function validateServiceSpecUpdate({ spec }: Service, { spec: old }: Service): Cause[] {
  const causes = validateClusterIPsUpdate(spec, old);
  const { loadBalancerClass, healthCheckNodePort } = spec;
  if (
    spec.type === 'LoadBalancer' &&
    old.type === 'LoadBalancer' &&
    loadBalancerClass !== old.loadBalancerClass
  ) {
    causes.push(invalid('spec.loadBalancerClass', loadBalancerClass, 'may not change once set'));
  }
  const checked = needsHealthCheckNodePort(spec) && needsHealthCheckNodePort(old);
  if (checked && healthCheckNodePort !== old.healthCheckNodePort) {
    causes.push(forbidden('spec.healthCheckNodePort', 'field is immutable'));
  }
  return causes;
}

function validateForType(spec: core.ServiceSpec): Cause[] {
  const causes: Cause[] = [];
  if (needsNodePort(spec) && isHeadless(spec)) {
    causes.push(invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${spec.type} services`));
  }
  if (spec.type === 'ExternalName') causes.push(...validateExternalName(spec));
  return causes;
}

function validateExternalName(spec: core.ServiceSpec): Cause[] {
  const causes: Cause[] = [];
  for (const field of ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const) {
    if (spec[field]?.length)
      causes.push(forbidden(`spec.${field}`, 'may not be set for ExternalName services'));
  }
  // A fully qualified name can end in a dot.
  const name = spec.externalName?.replace(/\.$/, '');
  if (!name) causes.push(required('spec.externalName'));
  else causes.push(...invalidEach('spec.externalName', name, isDNS1123Subdomain(name)));
  return causes;
}

interface PortContext {
  /** Is a port without a name an error? It is if there are several ports. */
  readonly nameless: boolean;
  /** The names seen so far; the port adds its own. */
  readonly names: Set<string>;
}

/** Upstream: validateServicePort */
function validatePort(port: core.ServicePort, path: string, { nameless, names }: PortContext): Cause[] {
  const { name, protocol, targetPort = 0, appProtocol } = port;
  const causes: Cause[] = [];
  if (name) {
    causes.push(...invalidEach(`${path}.name`, name, isDNS1123Label(name)));
    if (names.has(name)) causes.push(duplicate(`${path}.name`, name));
    names.add(name);
  } else if (nameless) {
    causes.push(required(`${path}.name`));
  }
  causes.push(...invalidEach(`${path}.port`, port.port ?? 0, isValidPortNum(port.port ?? 0)));
  if (!protocol) causes.push(required(`${path}.protocol`));
  else if (!PROTOCOLS.includes(protocol)) causes.push(notSupported(`${path}.protocol`, protocol, PROTOCOLS));
  const reasons = typeof targetPort === 'number' ? isValidPortNum(targetPort) : isValidPortName(targetPort);
  causes.push(...invalidEach(`${path}.targetPort`, targetPort, reasons));
  if (appProtocol !== undefined) {
    causes.push(...invalidEach(`${path}.appProtocol`, appProtocol, isQualifiedName(appProtocol)));
  }
  return causes;
}

function validateSessionAffinity({ sessionAffinity, sessionAffinityConfig }: core.ServiceSpec): Cause[] {
  const path = 'spec.sessionAffinityConfig';
  switch (sessionAffinity) {
    case undefined:
    case '':
      return [required('spec.sessionAffinity')];
    case 'ClientIP': {
      const why = 'when session affinity type is ClientIP';
      if (!sessionAffinityConfig) return [required(path, why)];
      const { clientIP } = sessionAffinityConfig;
      if (!clientIP) return [required(`${path}.clientIP`, why)];
      const { timeoutSeconds } = clientIP;
      if (timeoutSeconds === undefined) return [required(`${path}.clientIP.timeoutSeconds`, why)];
      if (timeoutSeconds > 0 && timeoutSeconds <= AFFINITY_SECONDS_MAX) return [];
      const detail = `must be greater than 0 and less than ${AFFINITY_SECONDS_MAX}`;
      return [invalid(`${path}.clientIP.timeoutSeconds`, timeoutSeconds, detail)];
    }
    case 'None':
      if (!sessionAffinityConfig) return [];
      return [forbidden(path, 'must not be set when session affinity is None')];
    default:
      return [notSupported('spec.sessionAffinity', sessionAffinity, ['ClientIP', 'None'])];
  }
}

/** One day. Upstream: MaxClientIPServiceAffinitySeconds */
const AFFINITY_SECONDS_MAX = 24 * 60 * 60;

function validateExternalIP(ip: string, path: string, old: readonly string[] = []): Cause[] {
  const reasons = isValidIP(ip, old);
  return invalidEach(path, ip, reasons.length > 0 ? reasons : whySpecialIP(ip));
}

function validateType({ type, ports = [] }: core.ServiceSpec): Cause[] {
  if (!type) return [required('spec.type')];
  if (!TYPES.includes(type)) return [notSupported('spec.type', type, TYPES)];
  if (type !== 'ClusterIP') return [];
  return ports.flatMap(({ nodePort }, i) =>
    nodePort ? [forbidden(`spec.ports[${i}].nodePort`, "may not be used when `type` is 'ClusterIP'")] : [],
  );
}

/** Ports can share a number if their protocols differ: DNS uses 53 over UDP and TCP. */
function validateDistinctPorts(ports: readonly core.ServicePort[]): Cause[] {
  const seen = new Set<string>();
  const isRepeated = (key: string) => seen.has(key) || !seen.add(key);
  return [
    ...ports.flatMap(({ protocol, nodePort }, i) =>
      nodePort && isRepeated(`node ${protocol} ${nodePort}`)
        ? [duplicate(`spec.ports[${i}].nodePort`, nodePort)]
        : [],
    ),
    ...ports.flatMap(({ protocol, port }, i) =>
      isRepeated(`${protocol} ${port}`)
        ? [duplicate(`spec.ports[${i}]`, inGoNames({ protocol, port }, PORT))]
        : [],
    ),
  ];
}

/** Upstream: ServicePort */
const PORT: GoStruct = {
  Name: ['name', ''],
  Protocol: ['protocol', ''],
  AppProtocol: ['appProtocol', null],
  Port: ['port', 0],
  TargetPort: ['targetPort', 0],
  NodePort: ['nodePort', 0],
};

function validateLoadBalancer(spec: core.ServiceSpec, old: core.ServiceSpec | undefined): Cause[] {
  const { loadBalancerSourceRanges = [], allocateLoadBalancerNodePorts, loadBalancerClass } = spec;
  const only = "may only be used when `type` is 'LoadBalancer'";
  const causes: Cause[] = [];
  const rangesPath = 'spec.LoadBalancerSourceRanges';
  if (loadBalancerSourceRanges.length > 0 && spec.type !== 'LoadBalancer') {
    causes.push(forbidden(rangesPath, only));
  }
  // Spaces around a range are accepted because the field was an annotation before.
  const known = old?.loadBalancerSourceRanges?.map((range) => range.trim());
  loadBalancerSourceRanges.forEach((range, i) => {
    const cidr = range.trim();
    causes.push(...invalidEach(`${rangesPath}[${i}]`, cidr, isValidCIDR(cidr, known)));
  });
  if (spec.type === 'LoadBalancer') {
    if (allocateLoadBalancerNodePorts === undefined) causes.push(required('allocateLoadBalancerNodePorts'));
    if (loadBalancerClass === undefined) return causes;
    const reasons = isQualifiedName(loadBalancerClass);
    return [...causes, ...invalidEach('spec.loadBalancerClass', loadBalancerClass, reasons)];
  }
  if (allocateLoadBalancerNodePorts !== undefined) {
    causes.push(forbidden('spec.allocateLoadBalancerNodePorts', only));
  }
  if (loadBalancerClass !== undefined) causes.push(forbidden('spec.loadBalancerClass', only));
  return causes;
}

/** Upstream: validateServiceExternalTrafficPolicy, validateServiceInternalTrafficFieldsValue */
function validateTrafficPolicies(spec: core.ServiceSpec): Cause[] {
  const { externalTrafficPolicy: external, internalTrafficPolicy: internal, healthCheckNodePort } = spec;
  const causes: Cause[] = [];
  const externalPath = 'spec.externalTrafficPolicy';
  if (!isExternallyAccessible(spec)) {
    const detail = 'may only be set for externally-accessible services';
    if (external) causes.push(invalid(externalPath, external, detail));
  } else if (!external) {
    causes.push(required(externalPath));
  } else if (!POLICIES.includes(external)) {
    causes.push(notSupported(externalPath, external, POLICIES));
  }

  const checkPath = 'spec.healthCheckNodePort';
  if (!needsHealthCheckNodePort(spec)) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    if (healthCheckNodePort) causes.push(invalid(checkPath, healthCheckNodePort, detail));
  } else if (!healthCheckNodePort) {
    causes.push(required(checkPath));
  } else {
    causes.push(...invalidEach(checkPath, healthCheckNodePort, isValidPortNum(healthCheckNodePort)));
  }

  const internalPath = 'spec.internalTrafficPolicy';
  if (internal === undefined) {
    if (needsNodePort(spec) || spec.type === 'ClusterIP') causes.push(required(internalPath));
  } else if (!POLICIES.includes(internal)) {
    causes.push(notSupported(internalPath, internal, POLICIES));
  }
  return causes;
}

/** Upstream: validateServiceTrafficDistribution */
function validateTrafficDistribution({ trafficDistribution }: core.ServiceSpec): Cause[] {
  if (trafficDistribution === undefined || DISTRIBUTIONS.includes(trafficDistribution)) return [];
  return [notSupported('spec.trafficDistribution', trafficDistribution, DISTRIBUTIONS)];
}

const DISTRIBUTIONS = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const POLICIES = ['Cluster', 'Local'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
