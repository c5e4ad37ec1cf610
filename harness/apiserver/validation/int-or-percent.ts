import type { IntOrString } from '../../api/intstr.ts';
import type { Cause } from '../../api/status.ts';
import { invalid } from './field-error.ts';
import { validateNonnegativeField } from './object-meta.ts';

/**
 * Rejects negative numbers and strings that are not a percentage. Upstream: ValidatePositiveIntOrPercent
 *
 * For fields that accept a number or a percentage: maxSurge, maxUnavailable, minAvailable.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/apps/validation/validation.go
 */
export function validatePositiveIntOrPercent(value: IntOrString, path: string): Cause[] {
  if (typeof value === 'number') return validateNonnegativeField(value, path);
  return PERCENT.test(value) ? [] : [invalid(path, value, NOT_A_PERCENTAGE)];
}

/** Rejects percentages above 100; numbers have no upper bound. Upstream: IsNotMoreThan100Percent */
export function validateNotMoreThan100Percent(value: IntOrString, path: string): Cause[] {
  const percent = percentOf(value);
  return percent !== undefined && percent > 100
    ? [invalid(path, value, 'must not be greater than 100%')]
    : [];
}

/** Reports whether the value is 0 or 0%. Any other string counts as 0, too. Upstream: getIntOrPercentValue */
export function isZero(value: IntOrString): boolean {
  return (typeof value === 'number' ? value : (percentOf(value) ?? 0)) === 0;
}

function percentOf(value: IntOrString): number | undefined {
  return typeof value === 'string' && PERCENT.test(value) ? Number(value.slice(0, -1)) : undefined;
}

const PERCENT = /^[0-9]+%$/;

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/validation.go IsValidPercent */
const NOT_A_PERCENTAGE =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
