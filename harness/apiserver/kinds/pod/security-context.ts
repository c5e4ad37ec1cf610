import type * as core from '#api/core/v1';
import type { Cause } from '../../../api/status.ts';
import { invalid, notSupported, required } from '../../validation/field-error.ts';
import { validateAppArmorProfile } from './app-armor.ts';
import { inGoNames, PROFILE, SECURITY_CONTEXT } from './go-names.ts';
import { validateLocalDescendingPath } from './paths.ts';

/**
 * Validates the security context of a pod, with `hostPID` and `shareProcessNamespace` of its spec.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateSecurityContext,
 * validatePodSpecSecurityContext
 *
 * Differs: sysctls and Windows options are not validated.
 */
export function validatePodSecurityContext(spec: core.PodSpec, path: string): Cause[] {
  const context = spec.securityContext ?? {};
  const causes = [
    ...validateID(context.fsGroup, `${path}.fsGroup`),
    ...validateID(context.runAsUser, `${path}.runAsUser`),
    ...validateID(context.runAsGroup, `${path}.runAsGroup`),
    ...(context.supplementalGroups ?? []).flatMap((id, i) =>
      validateID(id, `${path}.supplementalGroups[${i}]`),
    ),
  ];
  if (spec.shareProcessNamespace && spec.hostPID) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    causes.push(invalid(`${path}.shareProcessNamespace`, true, detail));
  }
  return [
    ...causes,
    ...oneOfGiven(context.fsGroupChangePolicy, FS_GROUP_POLICIES, `${path}.fsGroupChangePolicy`),
    ...validateSeccompProfile(context.seccompProfile, `${path}.seccompProfile`),
    ...validateAppArmorProfile(context.appArmorProfile, `${path}.appArmorProfile`),
    ...oneOfGiven(context.supplementalGroupsPolicy, ['Merge', 'Strict'], `${path}.supplementalGroupsPolicy`),
    // MountOption requires the feature gate SELinuxMount.
    ...oneOfGiven(context.seLinuxChangePolicy, ['Recursive'], `${path}.seLinuxChangePolicy`),
  ];
}

function oneOfGiven(value: string | undefined, supported: readonly string[], path: string): Cause[] {
  return value === undefined || supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

/**
 * Validates the security context of a container.
 *
 * @param pod a container can see all of /proc only if the pod has its own user namespace
 */
export function validateSecurityContext(
  context: core.SecurityContext,
  pod: { readonly hostUsers: boolean },
  path: string,
): Cause[] {
  const { privileged, allowPrivilegeEscalation, capabilities } = context;
  const causes = [
    ...validateID(context.runAsUser, `${path}.runAsUser`),
    ...validateID(context.runAsGroup, `${path}.runAsGroup`),
    ...oneOfGiven(context.procMount, ['Default', 'Unmasked'], `${path}.procMount`),
    ...(context.procMount === 'Unmasked' && pod.hostUsers
      ? [invalid(`${path}.procMount`, 'Unmasked', '`hostUsers` must be false to use `Unmasked`')]
      : []),
    ...validateSeccompProfile(context.seccompProfile, `${path}.seccompProfile`),
  ];
  if (allowPrivilegeEscalation === false) {
    const refuse = (what: string) =>
      causes.push(
        invalid(
          path,
          inGoNames(context, SECURITY_CONTEXT),
          `cannot set \`allowPrivilegeEscalation\` to false and ${what}`,
        ),
      );
    if (privileged) refuse('`privileged` to true');
    if (capabilities?.add?.includes('CAP_SYS_ADMIN')) refuse('`capabilities.Add` CAP_SYS_ADMIN');
  }
  return [...causes, ...validateAppArmorProfile(context.appArmorProfile, `${path}.appArmorProfile`)];
}

const FS_GROUP_POLICIES = ['Always', 'OnRootMismatch'];
const SECCOMP_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function validateID(id: number | undefined, path: string): Cause[] {
  if (id === undefined || (id >= 0 && id <= 2147483647)) return [];
  return [invalid(path, id, 'must be between 0 and 2147483647, inclusive')];
}

function validateSeccompProfile(profile: core.SeccompProfile | undefined, path: string): Cause[] {
  if (!profile) return [];
  const { type, localhostProfile } = profile;
  const causes: Cause[] = [];
  if (!type) causes.push(required(`${path}.type`, 'type is required when seccompProfile is set'));
  else if (!SECCOMP_TYPES.includes(type)) causes.push(notSupported(`${path}.type`, type, SECCOMP_TYPES));
  const at = `${path}.localhostProfile`;
  if (type !== 'Localhost') {
    if (localhostProfile === undefined) return causes;
    return [
      ...causes,
      invalid(at, inGoNames(profile, PROFILE), 'can only be set when seccomp type is Localhost'),
    ];
  }
  if (localhostProfile === undefined) {
    return [...causes, required(at, 'must be set when seccomp type is Localhost')];
  }
  return [...causes, ...validateLocalDescendingPath(localhostProfile, at)];
}
