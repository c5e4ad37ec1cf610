import type * as meta from '#api/meta/v1';
import type { Cause } from '../../api/status.ts';
import { duplicate, invalid, notSupported, required, tooLong } from './field-error.ts';
import { validateLabelName } from './object-meta.ts';

/**
 * Returns the violations in a list of conditions: each type must be unique, and each condition complete.
 *
 * For kinds that use the common `Condition`.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/validation/validation.go ValidateConditions
 */
export function validateConditions(conditions: readonly meta.Condition[], path: string): Cause[] {
  const types = new Set<string>();
  return conditions.flatMap((condition, i) => {
    const causes = types.has(condition.type) ? [duplicate(`${path}[${i}].type`, condition.type)] : [];
    types.add(condition.type);
    return [...causes, ...validateCondition(condition, `${path}[${i}]`)];
  });
}

function validateCondition(condition: meta.Condition, path: string): Cause[] {
  const { type = '', status = '', reason = '', message = '', observedGeneration = 0 } = condition;
  const causes = validateLabelName(type, `${path}.type`);
  if (!STATUSES.includes(status)) causes.push(notSupported(`${path}.status`, status, STATUSES));
  if (observedGeneration < 0) {
    const detail = 'must be greater than or equal to zero';
    causes.push(invalid(`${path}.observedGeneration`, observedGeneration, detail));
  }
  if (!condition.lastTransitionTime) causes.push(required(`${path}.lastTransitionTime`));
  if (!reason) causes.push(required(`${path}.reason`));
  else if (!REASON.test(reason)) causes.push(invalid(`${path}.reason`, reason, NOT_A_REASON));
  if (Buffer.byteLength(reason) > 1024) causes.push(tooLong(`${path}.reason`, 1024));
  if (Buffer.byteLength(message) > 32 * 1024) causes.push(tooLong(`${path}.message`, 32 * 1024));
  return causes;
}

const STATUSES = ['False', 'True', 'Unknown'];

const REASON_TEXT = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const REASON = new RegExp(`^${REASON_TEXT}$`);
const NOT_A_REASON = `a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${REASON_TEXT}')`;
