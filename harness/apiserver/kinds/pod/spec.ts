import type * as core from '#api/core/v1';
import { isValidIP } from '../../../api/ip.ts';
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName } from '../../../api/names.ts';
import type { Cause } from '../../../api/status.ts';
import {
  duplicate,
  forbidden,
  invalid,
  invalidEach,
  required,
  tooLong,
} from '../../validation/field-error.ts';
import { validateLabels } from '../../validation/object-meta.ts';
import { validateAffinity } from './affinity.ts';
import { validateAllContainers } from './containers.ts';
import { validateDNSConfig } from './dns-config.ts';
import { validateFileKeyRefVolumes } from './env.ts';
import { oneOf } from './one-of.ts';
import { validatePodResources } from './pod-level-resources.ts';
import { validateResourceRequirements } from './resources.ts';
import { validatePodSecurityContext } from './security-context.ts';
import { validateTolerations } from './tolerations.ts';
import { validateTopologySpreadConstraints } from './topology-spread.ts';
import { validateVolumes } from './volumes.ts';

/** The place of a spec. */
interface PodSpecPlace {
  /** Is it in a pod, not in a template? @defaultValue false */
  readonly inPod?: boolean;
}

/**
 * Returns all violations of a spec of a pod or of a template, after defaulting.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidatePodSpec
 *
 * Differs: resourceClaims and the rules of `os` are not validated.
 */
export function validatePodSpec(spec: core.PodSpec, path: string, place: PodSpecPlace = {}): Cause[] {
  const { causes, valid } = validateVolumes(spec.volumes ?? [], `${path}.volumes`, place);
  const { terminationGracePeriodSeconds: grace } = spec;
  const context = {
    volumes: valid,
    // A missing grace period has a separate error.
    gracePeriodSeconds: grace ?? Number.POSITIVE_INFINITY,
    restartPolicy: spec.restartPolicy,
    hostUsers: spec.hostUsers ?? true,
  };
  return [
    ...(grace === undefined ? [required(`${path}.terminationGracePeriodSeconds`)] : []),
    ...causes,
    ...validateAllContainers(spec, context, path),
    ...validatePodResources(spec, `${path}.resources`),
    ...validateHostPorts(spec, path, place),
    ...oneOf(spec.restartPolicy, ['Always', 'OnFailure', 'Never'], `${path}.restartPolicy`),
    ...oneOf(spec.dnsPolicy, DNS_POLICIES, `${path}.dnsPolicy`),
    ...validateLabels(spec.nodeSelector, `${path}.nodeSelector`),
    ...validatePodSecurityContext(spec, `${path}.securityContext`),
    ...(spec.affinity ? validateAffinity(spec.affinity, `${path}.affinity`) : []),
    ...validateDNSConfig(spec, `${path}.dnsConfig`),
    ...validateGates(spec, path),
    ...validateTopologySpreadConstraints(
      spec.topologySpreadConstraints ?? [],
      `${path}.topologySpreadConstraints`,
    ),
    ...validateHostUsers(spec, path),
    ...validateHostnameOverride(spec, `${path}.hostnameOverride`),
    ...validateName(spec, 'serviceAccountName', path),
    ...validateName(spec, 'nodeName', path),
    ...validateDeadline(spec, `${path}.activeDeadlineSeconds`),
    ...validateLabel(spec, 'hostname', path),
    ...validateLabel(spec, 'subdomain', path),
    ...validateTolerations(spec.tolerations ?? [], `${path}.tolerations`),
    ...validateHostAliases(spec.hostAliases ?? [], `${path}.hostAliases`),
    ...validateName(spec, 'priorityClassName', path),
    ...validateName(spec, 'runtimeClassName', path),
    ...validatePreemptionPolicy(spec, `${path}.preemptionPolicy`),
    ...(spec.overhead ? validateResourceRequirements({ limits: spec.overhead }, `${path}.overhead`) : []),
    ...validateOS(spec, `${path}.os`),
    ...validateFileKeyRefVolumes(spec, path),
  ];
}

const INT32_MAX = 2 ** 31 - 1;
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/**
 * Validates host ports on the host network: they equal the container ports. A template can omit them: the pod
 * defaults them.
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

/** Validates the scheduling gates and the readiness gates. */
function validateGates(spec: core.PodSpec, path: string): Cause[] {
  const causes = (spec.readinessGates ?? []).flatMap(({ conditionType = '' }, i) =>
    invalidEach(`${path}.readinessGates[${i}].conditionType`, conditionType, isQualifiedName(conditionType)),
  );
  const gates = new Set<string>();
  spec.schedulingGates?.forEach(({ name = '' }, i) => {
    const at = `${path}.schedulingGates[${i}]`;
    causes.push(...invalidEach(at, name, isQualifiedName(name)));
    if (gates.has(name)) causes.push(duplicate(at, name));
    gates.add(name);
  });
  return causes;
}

/**
 * Rejects other host namespaces for a pod with its own user namespace.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateHostUsers. Two of its paths begin
 * with a capital
 */
function validateHostUsers(spec: core.PodSpec, path: string): Cause[] {
  if (spec.hostUsers ?? true) return [];
  const detail = 'when `hostUsers` is false';
  const devices = (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(({ volumeDevices = [] }, i) =>
      volumeDevices.length > 0 ? [forbidden(`${path}.${list}[${i}].volumeDevices`, detail)] : [],
    ),
  );
  return [
    ...(spec.hostNetwork ? [forbidden(`${path}.hostNetwork`, detail)] : []),
    ...(spec.hostPID ? [forbidden(`${path}.HostPID`, detail)] : []),
    ...(spec.hostIPC ? [forbidden(`${path}.HostIPC`, detail)] : []),
    ...devices,
  ];
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validatePodHostName */
function validateHostnameOverride(spec: core.PodSpec, path: string): Cause[] {
  const { hostnameOverride: name, setHostnameAsFQDN, hostNetwork } = spec;
  if (name === undefined) return [];
  const causes: Cause[] = [];
  if (setHostnameAsFQDN) causes.push(forbidden(path, 'may not be specified when setHostnameAsFQDN is true'));
  if (hostNetwork) causes.push(forbidden(path, 'may not be specified when hostNetwork is true'));
  if (Buffer.byteLength(name) > HOSTNAME_BYTES_MAX) causes.push(tooLong(path, HOSTNAME_BYTES_MAX));
  return [...causes, ...invalidEach(path, name, isDNS1123Subdomain(name))];
}

/** The limit of the Linux kernel. */
const HOSTNAME_BYTES_MAX = 64;

function validateDeadline({ activeDeadlineSeconds: seconds }: core.PodSpec, path: string): Cause[] {
  if (seconds === undefined || (seconds >= 1 && seconds <= INT32_MAX)) return [];
  return [invalid(path, seconds, `must be between 1 and ${INT32_MAX}, inclusive`)];
}

function validateHostAliases(aliases: readonly core.HostAlias[], path: string): Cause[] {
  return aliases.flatMap(({ ip = '', hostnames = [] }, i) => [
    ...invalidEach(`${path}[${i}].ip`, ip, isValidIP(ip)),
    ...hostnames.flatMap((name, h) =>
      invalidEach(`${path}[${i}].hostnames[${h}]`, name, isDNS1123Subdomain(name)),
    ),
  ]);
}

function validatePreemptionPolicy({ preemptionPolicy: policy }: core.PodSpec, path: string): Cause[] {
  return policy === undefined ? [] : oneOf(policy, ['PreemptLowerPriority', 'Never'], path);
}

function validateOS({ os }: core.PodSpec, path: string): Cause[] {
  if (!os) return [];
  return os.name ? oneOf(os.name, ['linux', 'windows'], path) : [required(`${path}.name`)];
}

/** Validates the name of a referenced object. */
function validateName(
  spec: core.PodSpec,
  field: 'serviceAccountName' | 'nodeName' | 'priorityClassName' | 'runtimeClassName',
  path: string,
): Cause[] {
  const name = spec[field];
  if (field === 'runtimeClassName' ? name === undefined : !name) return [];
  return invalidEach(`${path}.${field}`, name, isDNS1123Subdomain(name ?? ''));
}

/** Validates a DNS name of the pod itself. */
function validateLabel(spec: core.PodSpec, field: 'hostname' | 'subdomain', path: string): Cause[] {
  const name = spec[field];
  return name ? invalidEach(`${path}.${field}`, name, isDNS1123Label(name)) : [];
}
