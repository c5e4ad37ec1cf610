import type * as core from '#api/core/v1';
import { semanticEqual } from '../../../api/semantic-equality.ts';
import type { Cause } from '../../../api/status.ts';
import { without } from '../../copy-on-write.ts';
import { forbidden, invalid, required } from '../../validation/field-error.ts';
import { withOld } from '../with-field.ts';
import { validateImageIsTrimmed } from './containers.ts';
import { differences } from './differences.ts';
import { maskGatedPodChanges, validateGatedPodUpdate } from './gated-pod.ts';
import { validateTolerations } from './tolerations.ts';

/**
 * Returns the violations of a change of a pod's spec, besides those of the new spec itself. Few fields can change,
 * because the pod may be running.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidatePodUpdate
 */
export function validatePodSpecUpdate(spec: core.PodSpec, old: core.PodSpec): Cause[] {
  const causes: Cause[] = [];
  for (const list of ['containers', 'initContainers'] as const) {
    const containers = spec[list] ?? [];
    if (containers.length !== (old[list] ?? []).length) {
      return [...causes, forbidden(`spec.${list}`, 'pod updates may not add or remove containers')];
    }
    containers.forEach((container, i) => {
      const at = `spec.${list}[${i}]`;
      if (!container.image) causes.push(required(`${at}.image`));
      causes.push(...validateImageIsTrimmed(container, at));
    });
  }
  const deadline = validateActiveDeadlineUpdate(spec.activeDeadlineSeconds, old.activeDeadlineSeconds);
  causes.push(...deadline.causes);
  if (deadline.stop) return causes;
  causes.push(
    ...validateOnlyAddedTolerations(spec.tolerations ?? [], old.tolerations ?? []),
    ...validateOnlyDeletedSchedulingGates(spec.schedulingGates ?? [], old.schedulingGates ?? []),
  );
  if (spec === old || semanticEqual(spec, old)) return causes;
  const isGated = (old.schedulingGates ?? []).length > 0;
  if (isGated) causes.push(...validateGatedPodUpdate(spec, old));
  const masked = maskMutableFields(isGated ? maskGatedPodChanges(spec, old) : spec, old);
  if (!semanticEqual(masked, old)) {
    // Differs: upstream appends a unified diff of the two specs as JSON with Go field names; ours lists the fields.
    causes.push(forbidden('spec', `${IMMUTABLE}\n${differences(old, masked)}`));
  }
  return causes;
}

const MUTABLE_FIELDS = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];
const IMMUTABLE = `pod updates may not change fields other than ${MUTABLE_FIELDS.join(',')}`;

/** Returns `spec` with the old values of the fields that are mutable or already validated. */
function maskMutableFields(spec: core.PodSpec, old: core.PodSpec): core.PodSpec {
  const keepImages = (containers: readonly core.Container[] = [], before: readonly core.Container[] = []) =>
    containers.map((container, i) => withOld(container, before[i] ?? container, 'image'));
  let masked: core.PodSpec = {
    ...spec,
    containers: keepImages(spec.containers, old.containers),
    initContainers: keepImages(spec.initContainers, old.initContainers),
  };
  masked = withOld(masked, old, 'activeDeadlineSeconds', 'schedulingGates', 'tolerations');
  const wasNegative = (old.terminationGracePeriodSeconds ?? 0) < 0;
  if (wasNegative && spec.terminationGracePeriodSeconds === 1) {
    masked = withOld(masked, old, 'terminationGracePeriodSeconds');
  }
  return masked;
}

/** Lets a deadline be set or lowered. */
function validateActiveDeadlineUpdate(
  seconds: number | undefined,
  old: number | undefined,
): { causes: Cause[]; stop: boolean } {
  const path = 'spec.activeDeadlineSeconds';
  if (seconds === undefined) {
    if (old === undefined) return { causes: [], stop: false };
    const detail = 'must not update from a positive integer to nil value';
    return { causes: [invalid(path, undefined, detail)], stop: false };
  }
  if (seconds < 0 || seconds > INT32_MAX) {
    return { causes: [invalid(path, seconds, `must be between 0 and ${INT32_MAX}, inclusive`)], stop: true };
  }
  if (old !== undefined && old < seconds) {
    return { causes: [invalid(path, seconds, 'must be less than or equal to previous value')], stop: true };
  }
  return { causes: [], stop: false };
}

const INT32_MAX = 2 ** 31 - 1;

function validateOnlyAddedTolerations(
  tolerations: readonly core.Toleration[],
  old: readonly core.Toleration[],
): Cause[] {
  const isKept = (before: core.Toleration) =>
    tolerations.some((now) =>
      semanticEqual(without(now, 'tolerationSeconds'), without(before, 'tolerationSeconds')),
    );
  if (!old.every(isKept)) {
    const detail = 'existing toleration can not be modified except its tolerationSeconds';
    return [forbidden('spec.tolerations', detail)];
  }
  return validateTolerations(tolerations, 'spec.tolerations');
}

function validateOnlyDeletedSchedulingGates(
  gates: readonly core.PodSchedulingGate[],
  old: readonly core.PodSchedulingGate[],
): Cause[] {
  return gates.flatMap(({ name }, i) => {
    if (old.some((gate) => gate.name === name)) return [];
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [forbidden(`spec.schedulingGates[${i}].name`, detail)];
  });
}
