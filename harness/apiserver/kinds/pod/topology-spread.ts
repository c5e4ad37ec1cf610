import type * as core from '#api/core/v1';
import type { Cause } from '../../../api/status.ts';
import { duplicate, forbidden, invalid, notSupported, required } from '../../validation/field-error.ts';
import { validateLabelName, validateLabelSelector } from '../../validation/object-meta.ts';

/**
 * Topology spread constraints: how evenly pods are to be spread.
 *
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/apis/core/validation/validation.go
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
    causes.push(...validateMatchLabelKeys(constraint, `${at}.matchLabelKeys`));
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

function validateMatchLabelKeys(constraint: core.TopologySpreadConstraint, path: string): Cause[] {
  const { matchLabelKeys = [], labelSelector } = constraint;
  if (matchLabelKeys.length === 0) return [];
  const causes: Cause[] = labelSelector
    ? []
    : [forbidden(path, 'must not be specified when labelSelector is not set')];
  const selected = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  for (const { key } of labelSelector?.matchExpressions ?? []) selected.add(key);
  matchLabelKeys.forEach((key, i) => {
    causes.push(...validateLabelName(key, `${path}[${i}]`));
    if (selected.has(key)) {
      causes.push(invalid(`${path}[${i}]`, key, 'exists in both matchLabelKeys and labelSelector'));
    }
  });
  return causes;
}
