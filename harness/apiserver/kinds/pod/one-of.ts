import type { Cause } from '../../../api/status.ts';
import { notSupported, required } from '../../validation/field-error.ts';

/** Requires one of a few values. */
export function oneOf(value: string | undefined, supported: readonly string[], path: string): Cause[] {
  if (!value) return [required(path)];
  return supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

/** Values of `imagePullPolicy`. */
export const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
