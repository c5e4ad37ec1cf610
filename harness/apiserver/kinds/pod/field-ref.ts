import type * as core from '#api/core/v1';
import { isQualifiedName } from '../../../api/names.ts';
import type { Cause } from '../../../api/status.ts';
import { invalid, invalidEach, notSupported, required } from '../../validation/field-error.ts';
import { quantityOf } from './quantities.ts';

/**
 * Validates a field of the downward API, which exposes fields of the pod as variables or files.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateObjectFieldSelector,
 * validateContainerResourceFieldSelector
 *
 * @param supported the field paths that can be read in this place, sorted
 */
export function validateFieldRef(
  ref: core.ObjectFieldSelector,
  supported: readonly string[],
  path: string,
): Cause[] {
  const { apiVersion, fieldPath } = ref;
  if (!apiVersion) return [required(`${path}.apiVersion`)];
  if (!fieldPath) return [required(`${path}.fieldPath`)];
  const refused = (why: string): Cause[] => [
    invalid(`${path}.fieldPath`, fieldPath, `error converting fieldPath: ${why}`),
  ];
  if (apiVersion !== 'v1') return refused(`unsupported pod version: ${apiVersion}`);
  const [map, key] = subscripted(fieldPath);
  if (map === undefined || key === undefined) {
    if (!CONVERTIBLE.has(fieldPath)) return refused(`field label not supported: ${fieldPath}`);
    // Old clients use this name for the node.
    const read = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
    return supported.includes(read) ? [] : [notSupported(`${path}.fieldPath`, read, supported)];
  }
  // Annotation keys can have capitals, label keys cannot.
  if (map === 'metadata.annotations')
    return invalidEach(path, key.toLowerCase(), isQualifiedName(key.toLowerCase()));
  if (map === 'metadata.labels') return invalidEach(path, key, isQualifiedName(key));
  return refused(`field label does not support subscript: ${fieldPath}`);
}

/**
 * Splits a field path with a key: `metadata.labels['app']`. Empty for other paths.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/fieldpath/fieldpath.go SplitMaybeSubscriptedPath
 */
function subscripted(path: string): [map?: string, key?: string] {
  const opening = path.indexOf("['");
  const closing = path.length - 2;
  if (opening < 1 || closing < opening + 2 || !path.endsWith("']")) return [];
  return [path.slice(0, opening), path.slice(opening + 2, closing)];
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/pods/helpers.go ConvertDownwardAPIFieldLabel */
const CONVERTIBLE = new Set([
  ...['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'],
  ...['spec.nodeName', 'spec.restartPolicy', 'spec.serviceAccountName', 'spec.schedulerName', 'spec.host'],
  ...['status.phase', 'status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'],
]);

/** @param options.inVolume true in a volume, which belongs to no container and so must name one */
export function validateResourceFieldRef(
  ref: core.ResourceFieldSelector,
  options: { readonly inVolume: boolean },
  path: string,
): Cause[] {
  const { containerName, resource, divisor } = ref;
  const causes: Cause[] = [];
  if (options.inVolume && !containerName) causes.push(required(`${path}.containerName`));
  else if (!resource) causes.push(required(`${path}.resource`));
  else if (!RESOURCES.includes(resource) && !HUGE_PAGES.test(resource)) {
    causes.push(notSupported(`${path}.resource`, resource, RESOURCES));
  }
  return [...causes, ...validateDivisor(resource ?? '', divisor, `${path}.divisor`)];
}

function validateDivisor(resource: string, divisor: unknown, path: string): Cause[] {
  const quantity = divisor === undefined ? undefined : quantityOf(divisor);
  const isHuge = HUGE_PAGES.test(resource);
  if (quantity === undefined || quantity.isZero() || !(isHuge || RESOURCES.includes(resource))) return [];
  const isCPU = resource.endsWith('.cpu');
  const supported = isCPU ? CPU_DIVISORS : BYTES_DIVISORS;
  if (supported.includes(quantity.toString())) return [];
  const name = isCPU ? 'cpu' : resource.endsWith('.memory') ? 'memory' : 'local ephemeral storage';
  const listed = isCPU ? CPU_DIVISORS.join(' and ') : BYTES_DIVISORS.join(', ');
  const what = isHuge ? 'hugepages' : name;
  return [invalid(path, resource, `only divisor's values ${listed} are supported with the ${what} resource`)];
}

const HUGE_PAGES = /^(limits|requests)\.hugepages-/;
const CPU_DIVISORS = ['1m', '1'];
const BYTES_DIVISORS = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
const RESOURCES = [
  ...['limits.cpu', 'limits.ephemeral-storage', 'limits.memory'],
  ...['requests.cpu', 'requests.ephemeral-storage', 'requests.memory'],
];
