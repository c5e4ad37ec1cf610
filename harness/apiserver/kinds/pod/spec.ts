import type * as core from '#api/core/v1';
import { isValidIP } from '../../../api/ip.ts';
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName } from '../../../api/names.ts';
import type { Cause } from '../../../api/status.ts';
import { duplicate, invalid, invalidEach, required } from '../../validation/field-error.ts';
import { validateLabels } from '../../validation/object-meta.ts';
import { validateAffinity } from './affinity.ts';
import { oneOf, validateAllContainers } from './containers.ts';
import { validateDNSConfig } from './dns-config.ts';
import { validateResourceRequirements } from './resources.ts';
import { validatePodSecurityContext } from './security-context.ts';
import { validateTolerations } from './tolerations.ts';
import { validateTopologySpreadConstraints } from './topology-spread.ts';
import { validateVolumes } from './volumes.ts';

/** Where a spec stands. */
interface PodSpecPlace {
  /** In a pod itself, not in a template? @defaultValue false */
  readonly inPod?: boolean;
}

/**
 * Every rule that a spec breaks. It has its defaults already.
 *
 * A pod's spec, whether it stands in a pod or in a template.
 *
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/apis/core/validation/validation.go ValidatePodSpec
 *
 * Differs: resourceClaims, hostUsers and the rules of `os` are not looked into.
 */
export function validatePodSpec(spec: core.PodSpec, path: string, place: PodSpecPlace = {}): Cause[] {
  const gracePeriodSeconds = spec.terminationGracePeriodSeconds ?? 0;
  const { causes, valid } = validateVolumes(spec.volumes ?? [], `${path}.volumes`);
  causes.push(
    ...validateAllContainers(spec, { volumes: valid, gracePeriodSeconds }, path),
    ...validateHostPorts(spec, path, place),
    ...oneOf(spec.restartPolicy, ['Always', 'OnFailure', 'Never'], `${path}.restartPolicy`),
    ...oneOf(spec.dnsPolicy, DNS_POLICIES, `${path}.dnsPolicy`),
    ...validateLabels(spec.nodeSelector, `${path}.nodeSelector`),
    ...validatePodSecurityContext(spec, `${path}.securityContext`),
    ...validateScheduling(spec, path),
    ...validateDNSConfig(spec, `${path}.dnsConfig`),
    ...validateNames(spec, path),
  );
  const seconds = spec.activeDeadlineSeconds;
  if (seconds !== undefined && (seconds < 1 || seconds > INT32_MAX)) {
    const detail = `must be between 1 and ${INT32_MAX}, inclusive`;
    causes.push(invalid(`${path}.activeDeadlineSeconds`, seconds, detail));
  }
  spec.hostAliases?.forEach(({ ip = '', hostnames = [] }, i) => {
    const at = `${path}.hostAliases[${i}]`;
    causes.push(...invalidEach(`${at}.ip`, ip, isValidIP(ip)));
    hostnames.forEach((name, h) => {
      causes.push(...invalidEach(`${at}.hostnames[${h}]`, name, isDNS1123Subdomain(name)));
    });
  });
  if (spec.overhead) {
    causes.push(...validateResourceRequirements({ limits: spec.overhead }, `${path}.overhead`));
  }
  return causes;
}

const INT32_MAX = 2 ** 31 - 1;
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/**
 * On the host's network there is no other port. A template may leave the host's open: the pod defaults it.
 */
function validateHostPorts(spec: core.PodSpec, path: string, { inPod = false }: PodSpecPlace): Cause[] {
  if (!spec.hostNetwork) return [];
  const causes: Cause[] = [];
  spec.containers?.forEach((container, c) => {
    container.ports?.forEach(({ hostPort = 0, containerPort }, p) => {
      if (hostPort === containerPort || (hostPort === 0 && !inPod)) return;
      const detail = 'must match `containerPort` when `hostNetwork` is true';
      causes.push(invalid(`${path}.containers[${c}].ports[${p}].hostPort`, hostPort, detail));
    });
  });
  return causes;
}

/** What the scheduler reads. */
function validateScheduling(spec: core.PodSpec, path: string): Cause[] {
  const causes = spec.affinity ? validateAffinity(spec.affinity, `${path}.affinity`) : [];
  spec.readinessGates?.forEach(({ conditionType = '' }, i) => {
    const at = `${path}.readinessGates[${i}].conditionType`;
    causes.push(...invalidEach(at, conditionType, isQualifiedName(conditionType)));
  });
  const gates = new Set<string>();
  spec.schedulingGates?.forEach(({ name = '' }, i) => {
    const at = `${path}.schedulingGates[${i}]`;
    causes.push(...invalidEach(at, name, isQualifiedName(name)));
    if (gates.has(name)) causes.push(duplicate(at, name));
    gates.add(name);
  });
  const constraints = spec.topologySpreadConstraints ?? [];
  causes.push(...validateTopologySpreadConstraints(constraints, `${path}.topologySpreadConstraints`));
  if (spec.tolerations) causes.push(...validateTolerations(spec.tolerations, `${path}.tolerations`));
  const policy = spec.preemptionPolicy;
  if (policy !== undefined) {
    causes.push(...oneOf(policy, ['PreemptLowerPriority', 'Never'], `${path}.preemptionPolicy`));
  }
  return causes;
}

/** Names of other objects, and those of the pod in DNS. */
function validateNames(spec: core.PodSpec, path: string): Cause[] {
  const causes: Cause[] = [];
  for (const field of ['serviceAccountName', 'nodeName', 'priorityClassName'] as const) {
    const name = spec[field];
    if (name) causes.push(...invalidEach(`${path}.${field}`, name, isDNS1123Subdomain(name)));
  }
  for (const field of ['hostname', 'subdomain'] as const) {
    const name = spec[field];
    if (name) causes.push(...invalidEach(`${path}.${field}`, name, isDNS1123Label(name)));
  }
  const { runtimeClassName, os } = spec;
  if (runtimeClassName !== undefined) {
    const at = `${path}.runtimeClassName`;
    causes.push(...invalidEach(at, runtimeClassName, isDNS1123Subdomain(runtimeClassName)));
  }
  if (os && !os.name) causes.push(required(`${path}.os.name`, 'cannot be empty'));
  else if (os) causes.push(...oneOf(os.name, ['linux', 'windows'], `${path}.os`));
  return causes;
}
