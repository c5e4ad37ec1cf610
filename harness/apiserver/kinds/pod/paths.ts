import type { Cause } from '../../../api/status.ts';
import { invalid } from '../../validation/field-error.ts';

/**
 * Rejects a path with an element `..`, which would lead out of its directory.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validatePathNoBacksteps
 */
export function validatePathNoBacksteps(target: string, path: string): Cause[] {
  return target.split('/').includes('..') ? [invalid(path, target, "must not contain '..'")] : [];
}

/** Requires a relative path without an element `..`. Upstream: validateLocalDescendingPath */
export function validateLocalDescendingPath(target: string, path: string): Cause[] {
  const causes = target.startsWith('/') ? [invalid(path, target, 'must be a relative path')] : [];
  return [...causes, ...validatePathNoBacksteps(target, path)];
}

/** Also rejects a path that starts with `..`: the kubelet reserves such names for its own files. */
export function validateLocalNonReservedPath(target: string, path: string): Cause[] {
  const causes = validateLocalDescendingPath(target, path);
  if (target.startsWith('..') && !target.startsWith('../')) {
    causes.push(invalid(path, target, "must not start with '..'"));
  }
  return causes;
}
