import type * as core from '#api/core/v1';
import type { Cause } from '../../../api/status.ts';
import { duplicate, invalid, notSupported, required } from '../../validation/field-error.ts';
import { validateLabelSelector } from '../../validation/object-meta.ts';
import { validateLabelKeys } from './match-label-keys.ts';

/**
 * Validates topology spread constraints, which say how evenly pods are spread.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go
 * validateTopologySpreadConstraints
 */
export function validateTopologySpreadConstraints(
  constraints: readonly core.TopologySpreadConstraint[],
  path: string,
): Cause[] {
  return constraints.flatMap((constraint, i) => {
    const at = `${path}[${i}]`;
    const { maxSkew = 0, topologyKey, whenUnsatisfiable = '', labelSelector } = constraint;
    const causes: Cause[] = [];
    if (maxSkew <= 0) causes.push(invalid(`${at}.maxSkew`, maxSkew, 'must be greater than zero'));
    if (!topologyKey) causes.push(required(`${at}.topologyKey`, 'can not be empty'));
    if (!ACTIONS.includes(whenUnsatisfiable)) {
      causes.push(notSupported(`${at}.whenUnsatisfiable`, whenUnsatisfiable, ACTIONS));
    }
    const isRepeated = constraints
      .slice(i + 1)
      .some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable);
    if (isRepeated) {
      causes.push(
        duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${whenUnsatisfiable}}`),
      );
    }
    causes.push(...validateMinDomains(constraint, `${at}.minDomains`));
    for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      const policy = constraint[field];
      if (policy === undefined || POLICIES.includes(policy)) continue;
      causes.push(notSupported(`${at}.${field}`, policy, POLICIES));
    }
    causes.push(...validateLabelKeys(constraint, at));
    causes.push(...validateLabelSelector(labelSelector, `${at}.labelSelector`));
    return causes;
  });
}

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const POLICIES = ['Honor', 'Ignore'];

function validateMinDomains(constraint: core.TopologySpreadConstraint, path: string): Cause[] {
  const { minDomains, whenUnsatisfiable } = constraint;
  if (minDomains === undefined) return [];
  const causes = minDomains <= 0 ? [invalid(path, minDomains, 'must be greater than zero')] : [];
  if (whenUnsatisfiable !== 'DoNotSchedule') {
    const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
    causes.push(invalid(path, minDomains, detail));
  }
  return causes;
}
