import type { Cause } from '../../../api/status.ts';
import { invalid } from '../../validation/field-error.ts';

/**
 * No element is `..`.
 *
 * Paths of files: they must not lead out of where they belong.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validatePathNoBacksteps
 */
export function validatePathNoBacksteps(target: string, path: string): Cause[] {
  return target.split('/').includes('..') ? [invalid(path, target, "must not contain '..'")] : [];
}

/** Relative, and no element is `..`. Upstream: validateLocalDescendingPath */
export function validateLocalDescendingPath(target: string, path: string): Cause[] {
  const causes = target.startsWith('/') ? [invalid(path, target, 'must be a relative path')] : [];
  return [...causes, ...validatePathNoBacksteps(target, path)];
}

/** Nor does it begin with `..`: the kubelet keeps its own files under such names. */
export function validateLocalNonReservedPath(target: string, path: string): Cause[] {
  const causes = validateLocalDescendingPath(target, path);
  if (target.startsWith('..') && !target.startsWith('../')) {
    causes.push(invalid(path, target, "must not start with '..'"));
  }
  return causes;
}
