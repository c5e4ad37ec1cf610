import type * as core from '#api/core/v1';
import { isDNS1123Label } from '../../../api/names.ts';
import type { Cause } from '../../../api/status.ts';
import {
  duplicate,
  forbidden,
  invalid,
  invalidEach,
  notFound,
  required,
} from '../../validation/field-error.ts';
import { validateEnv, validateEnvFrom } from './env.ts';
import { oneOf, PULL_POLICIES } from './one-of.ts';
import { validateContainerPorts, validateHostPortConflicts } from './ports.ts';
import { validateProbesAndHooks } from './probe.ts';
import { validateResizePolicy, validateResourceRequirements } from './resources.ts';
import { validateContainerRestartPolicy } from './restart-policy.ts';
import { validateSecurityContext } from './security-context.ts';
import { validateVolumeMounts } from './volume-mounts.ts';

/** The properties of a pod that the validation of its containers needs. */
interface PodContext {
  /** The valid volumes, by name. */
  readonly volumes: ReadonlyMap<string, core.Volume>;
  readonly gracePeriodSeconds: number;
  readonly restartPolicy: string | undefined;
  /** Do the containers share the user namespace of the host? */
  readonly hostUsers: boolean;
}

/**
 * Validates the regular, init and ephemeral containers of a pod. Their names are unique across the three lists.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateContainers and its
 * siblings
 *
 * Differs: volumeDevices are not validated.
 */
export function validateAllContainers(spec: core.PodSpec, pod: PodContext, path: string): Cause[] {
  return [
    ...validateContainers(spec.containers ?? [], pod, `${path}.containers`),
    ...validateInitContainers(spec, pod, `${path}.initContainers`),
    ...validateEphemeralContainers(spec, pod, `${path}.ephemeralContainers`),
  ];
}

function validateContainers(containers: readonly core.Container[], pod: PodContext, path: string): Cause[] {
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  const causes = containers.flatMap((container, i) => {
    const at = `${path}[${i}]`;
    const found = validateContainer(container, pod, at);
    if (names.has(container.name)) found.push(duplicate(`${at}.name`, container.name));
    names.add(container.name);
    found.push(...validateProbesAndHooks(container, pod.gracePeriodSeconds, at));
    found.push(...validateContainerRestartPolicy(container, at));
    return found;
  });
  return [...causes, ...validateHostPortConflicts(containers, path)];
}

/**
 * Validates init containers. They run one by one to completion, so they have no probes. An exception is a sidecar, an
 * init container that always restarts and keeps running.
 */
function validateInitContainers(spec: core.PodSpec, pod: PodContext, path: string): Cause[] {
  const names = new Set((spec.containers ?? []).map((container) => container.name));
  return (spec.initContainers ?? []).flatMap((container, i) => {
    const at = `${path}[${i}]`;
    const { name, restartPolicy } = container;
    const causes = validateContainer(container, pod, at);
    const isSidecar = restartPolicy === 'Always';
    causes.push(...validateContainerRestartPolicy(container, at));
    if (name && names.has(name)) causes.push(duplicate(`${at}.name`, name));
    names.add(name);
    // Init containers run one after the other, so they can share a port; upstream attributes this conflict to the
    // first container.
    causes.push(...validateHostPortConflicts([container], path));
    if (isSidecar) return [...causes, ...validateProbesAndHooks(container, pod.gracePeriodSeconds, at)];
    for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
      if (container[field] === undefined) continue;
      const detail = 'may not be set for init containers without restartPolicy=Always';
      causes.push(forbidden(`${at}.${field}`, detail));
    }
    container.resizePolicy?.forEach((policy, p) => {
      if (policy.restartPolicy !== 'RestartContainer') return;
      const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
      causes.push(invalid(`${at}.resizePolicy[${p}].restartPolicy`, policy.restartPolicy, detail));
    });
    return causes;
  });
}

function validateEphemeralContainers(spec: core.PodSpec, pod: PodContext, path: string): Cause[] {
  const others = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name);
  const names = new Set(others);
  return (spec.ephemeralContainers ?? []).flatMap((container, i) => {
    const at = `${path}[${i}]`;
    const { name, targetContainerName, volumeMounts = [] } = container;
    const causes = [...validateContainer(container, pod, at), ...validateImageIsTrimmed(container, at)];
    if (names.has(name)) causes.push(duplicate(`${at}.name`, name));
    names.add(name);
    if (targetContainerName && !others.includes(targetContainerName)) {
      causes.push(notFound(`${at}.targetContainerName`, targetContainerName));
    }
    for (const field of NOT_FOR_EPHEMERAL) {
      const value = container[field];
      const isEmpty = typeof value === 'object' && Object.keys(value).length === 0;
      if (value !== undefined && !isEmpty) causes.push(forbidden(`${at}.${field}`, EPHEMERAL));
    }
    volumeMounts.forEach((mount, m) => {
      for (const field of ['subPath', 'subPathExpr'] as const) {
        if (mount[field]) causes.push(forbidden(`${at}.volumeMounts[${m}].${field}`, EPHEMERAL));
      }
    });
    return causes;
  });
}

const EPHEMERAL = 'cannot be set for an Ephemeral Container';

/** Fields that an ephemeral container must not have: it is for debugging only, so it has no ports and no resources. */
const NOT_FOR_EPHEMERAL = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateContainerCommon */
function validateContainer(container: core.Container, pod: PodContext, path: string): Cause[] {
  const { name, image, terminationMessagePolicy, imagePullPolicy, ports, env, envFrom } = container;
  const { volumeMounts, resources, resizePolicy, securityContext } = container;
  const causes = name ? invalidEach(`${path}.name`, name, isDNS1123Label(name)) : [required(`${path}.name`)];
  if (!image) causes.push(required(`${path}.image`));
  causes.push(...oneOf(terminationMessagePolicy, MESSAGE_POLICIES, `${path}.terminationMessagePolicy`));
  if (ports) causes.push(...validateContainerPorts(ports, `${path}.ports`));
  if (env) causes.push(...validateEnv(env, `${path}.env`));
  if (envFrom) causes.push(...validateEnvFrom(envFrom, `${path}.envFrom`));
  if (volumeMounts) causes.push(...validateVolumeMounts(container, pod.volumes, `${path}.volumeMounts`));
  causes.push(...oneOf(imagePullPolicy, PULL_POLICIES, `${path}.imagePullPolicy`));
  if (resources) causes.push(...validateResourceRequirements(resources, `${path}.resources`));
  if (resizePolicy) {
    causes.push(...validateResizePolicy(resizePolicy, pod.restartPolicy, `${path}.resizePolicy`));
  }
  if (securityContext) {
    causes.push(...validateSecurityContext(securityContext, pod, `${path}.securityContext`));
  }
  return causes;
}

const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];

/**
 * Rejects an image padded with blanks in a pod. A template may have one, for users who replace a blank placeholder
 * later.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateContainerOnlyForPod
 */
export function validateImageIsTrimmed({ image = '' }: core.Container, path: string): Cause[] {
  if (image === image.trim()) return [];
  return invalidEach(`${path}.image`, image, ['must not have leading or trailing whitespace']);
}
