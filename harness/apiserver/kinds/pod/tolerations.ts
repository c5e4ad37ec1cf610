import type * as core from '#api/core/v1';
import { isValidLabelValue } from '../../../api/names.ts';
import type { Cause } from '../../../api/status.ts';
import { duplicate, invalid, notSupported, required } from '../../validation/field-error.ts';
import { validateLabelName } from '../../validation/object-meta.ts';
import { inGoNames, TAINT } from './go-names.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const OPERATORS = ['Equal', 'Exists'];
const COMPARISONS = ['Lt', 'Gt'];

/**
 * Validates the tolerations of a pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go ValidateTolerations,
 * validateNodeTaints
 */
export function validateTolerations(tolerations: readonly core.Toleration[], path: string): Cause[] {
  return tolerations.flatMap((toleration, i) => validateToleration(toleration, `${path}[${i}]`));
}

function validateToleration(toleration: core.Toleration, path: string): Cause[] {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
  const causes = key ? validateLabelName(key, `${path}.key`) : [];
  if (!key && operator !== 'Exists') {
    const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    causes.push(invalid(`${path}.operator`, operator, detail));
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    causes.push(
      invalid(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"),
    );
  }
  // Upstream reports the value as the invalid operator.
  if (operator === '' || operator === 'Equal') {
    const reasons = isValidLabelValue(value);
    if (reasons.length > 0) causes.push(invalid(`${path}.operator`, value, reasons.join(';')));
  } else if (operator === 'Exists') {
    if (value)
      causes.push(invalid(`${path}.operator`, value, "value must be empty when `operator` is 'Exists'"));
  } else {
    // Lt and Gt are listed in the error although their feature gate is off here.
    const supported = COMPARISONS.includes(operator) ? [...OPERATORS, ...COMPARISONS] : OPERATORS;
    causes.push(notSupported(`${path}.operator`, operator, supported));
  }
  if (effect && !EFFECTS.includes(effect)) causes.push(notSupported(`${path}.effect`, effect, EFFECTS));
  return causes;
}

/** Validates the taints of a node. Key and effect identify a taint. */
export function validateTaints(taints: readonly core.Taint[], path: string): Cause[] {
  const causes: Cause[] = [];
  const seen = new Set<string>();
  taints.forEach((taint, i) => {
    const at = `${path}[${i}]`;
    const { key = '', value = '', effect = '' } = taint;
    causes.push(...validateLabelName(key, `${at}.key`));
    const reasons = isValidLabelValue(value);
    if (reasons.length > 0) causes.push(invalid(`${at}.value`, value, reasons.join(';')));
    if (!effect) causes.push(required(`${at}.effect`));
    else if (!EFFECTS.includes(effect)) causes.push(notSupported(`${at}.effect`, effect, EFFECTS));
    const identity = `${key}:${effect}`;
    if (seen.has(identity)) {
      const cause = duplicate(at, inGoNames(taint, TAINT));
      causes.push({ ...cause, message: `${cause.message}: taints must be unique by key and effect pair` });
    }
    seen.add(identity);
  });
  return causes;
}
