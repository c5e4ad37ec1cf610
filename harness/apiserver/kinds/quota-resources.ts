import { isQualifiedName } from '../../api/names.ts';
import type { Cause } from '../../api/status.ts';
import { invalid, invalidEach } from '../validation/field-error.ts';
import { COUNTED, isHugePages } from './pod/resources.ts';

/** Compute resources that a quota can limit without a prefix. */
const COMPUTED = ['cpu', 'memory', 'ephemeral-storage'];
const PREFIXED = ['requests', 'limits'].flatMap((prefix) => COMPUTED.map((name) => `${prefix}.${name}`));
const QUOTA_RESOURCES = new Set([...COMPUTED, ...PREFIXED, 'requests.storage', ...COUNTED]);

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/helper/helpers.go IsStandardQuotaResourceName */
export function isStandardQuotaResource(name: string): boolean {
  return QUOTA_RESOURCES.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateResourceName */
export function validateResourceName(name: string, path: string): Cause[] {
  const causes = invalidEach(path, name, isQualifiedName(name));
  if (causes.length > 0 || name.includes('/')) return causes;
  if (isStandardQuotaResource(name) || name === 'storage') return [];
  return [invalid(path, name, 'must be a standard resource type or fully qualified')];
}

/** Upstream: ValidateResourceQuotaResourceName */
export function validateQuotaResourceName(name: string, path: string): Cause[] {
  const causes = validateResourceName(name, path);
  if (name.includes('/') || isStandardQuotaResource(name)) return causes;
  return [...causes, invalid(path, name, 'must be a standard resource for quota')];
}

/** Does the quota limit this resource of pods? */
export function isOfPods(name: string): boolean {
  const bare = name.replace(/^(?:requests|limits)\./, '');
  return name === 'pods' || bare === 'cpu' || bare === 'memory';
}
