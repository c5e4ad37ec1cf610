import type * as core from '#api/core/v1';
import { isQualifiedName } from '../../../api/names.ts';
import type { Quantity } from '../../../api/quantity.ts';
import type { Cause } from '../../../api/status.ts';
import {
  duplicate,
  forbidden,
  invalid,
  invalidEach,
  notSupported,
  required,
} from '../../validation/field-error.ts';
import { oneOf } from './one-of.ts';
import { quantityOf, type ResourceList } from './quantities.ts';

/**
 * Validates the requests and limits of a container.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateResourceRequirements
 *
 * Differs: `resources.claims` are not validated.
 *
 * @param validateName validates a resource name @defaultValue the rule for containers
 */
export function validateResourceRequirements(
  requirements: core.ResourceRequirements,
  path: string,
  validateName: NameRule = validateContainerResourceName,
): Cause[] {
  const { limits = {}, requests = {} } = requirements;
  const limitQuantities = new Map<string, Quantity>();
  const causes = validateList(limits, `${path}.limits`, { validateName, quantities: limitQuantities });
  const requestQuantities = new Map<string, Quantity>();
  causes.push(...validateList(requests, `${path}.requests`, { validateName, quantities: requestQuantities }));

  for (const [name, request] of requestQuantities) {
    const limit = limitQuantities.get(name);
    if (!limit) {
      if (isOvercommitAllowed(name)) continue;
      causes.push(required(`${path}.limits`, 'Limit must be set for non overcommitable resources'));
    } else if (request.cmp(limit) !== 0 && !isOvercommitAllowed(name)) {
      const detail = `must be equal to ${name} limit of ${limit}`;
      causes.push(invalid(`${path}.requests`, request.toString(), detail));
    } else if (request.cmp(limit) > 0) {
      const detail = `must be less than or equal to ${name} limit of ${limit}`;
      causes.push(invalid(`${path}.requests`, request.toString(), detail));
    }
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.some((name) => name === 'cpu' || name === 'memory')) {
    causes.push(forbidden(path, 'HugePages require cpu or memory'));
  }
  return causes;
}

type NameRule = (name: string, path: string) => Cause[];

/** Validates the names and amounts of one list, and stores the parsed amounts in `quantities`. */
function validateList(
  list: ResourceList,
  path: string,
  { validateName, quantities }: { validateName: NameRule; quantities: Map<string, Quantity> },
): Cause[] {
  return Object.entries(list).flatMap(([name, text]) => {
    const at = `${path}[${name}]`;
    const causes = [...validateName(name, at), ...validateResourceQuantity(name, text, at)];
    const quantity = quantityOf(text);
    if (!quantity) return causes;
    quantities.set(name, quantity);
    if (isHugePages(name) && !isMultipleOf(quantity, name.slice(HUGE_PAGES_PREFIX.length))) {
      const detail = `${quantity} is not positive integer multiple of ${name}`;
      causes.push(invalid(at, quantity.toString(), detail));
    }
    return causes;
  });
}

/**
 * Validates the resize policy: which resources can change in place, and whether that restarts the container.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateResizePolicy, where all errors but
 * that of a duplicate carry the path of the list
 *
 * @param restartPolicy the pod's policy: a container that never restarts cannot restart for a resize
 */
export function validateResizePolicy(
  policies: readonly core.ContainerResizePolicy[],
  restartPolicy: string | undefined,
  path: string,
): Cause[] {
  const names = new Set<string>();
  return policies.flatMap((policy, i) => {
    const causes = names.has(policy.resourceName) ? [duplicate(`${path}[${i}]`, policy.resourceName)] : [];
    names.add(policy.resourceName);
    causes.push(
      ...oneOf(policy.resourceName, ['cpu', 'memory'], path),
      ...oneOf(policy.restartPolicy, ['NotRequired', 'RestartContainer'], path),
    );
    if (restartPolicy === 'Never' && policy.restartPolicy !== 'NotRequired') {
      const detail = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
      causes.push(invalid(path, policy.restartPolicy ?? '', detail));
    }
    return causes;
  });
}

/**
 * Validates an amount of the resource `name`: it is not negative, and an integer if the resource is indivisible.
 * Decoding already rejects an invalid quantity.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go
 * ValidateResourceQuantityValue
 */
export function validateResourceQuantity(name: string, text: unknown, path: string): Cause[] {
  const quantity = quantityOf(text);
  if (!quantity) return [];
  const causes: Cause[] = [];
  if (quantity.sign() < 0) {
    causes.push(invalid(path, quantity.toString(), 'must be greater than or equal to 0'));
  }
  const isWhole = quantity.nanos % NANOS_PER_UNIT === 0n;
  if (!isWhole && (isExtendedResource(name) || COUNTED.has(name))) {
    causes.push(invalid(path, quantity.toString(), 'must be an integer'));
  }
  return causes;
}

const NANOS_PER_UNIT = 10n ** 9n;

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/helper/helpers.go IsIntegerResourceName */
export const COUNTED: ReadonlySet<string> = new Set([
  ...['pods', 'resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'configmaps'],
  ...['persistentvolumeclaims', 'services.nodeports', 'services.loadbalancers'],
]);

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validateContainerResourceName */
export function validateContainerResourceName(name: string, path: string): Cause[] {
  const causes = invalidEach(path, name, isQualifiedName(name));
  if (name.includes('/')) {
    const isKnown = isNativeResource(name) || isExtendedResource(name);
    return isKnown
      ? causes
      : [...causes, invalid(path, name, "doesn't follow extended resource name standard")];
  }
  if (CONTAINER_RESOURCES.has(name) || isHugePages(name)) return causes;
  if (causes.length === 0 && !COUNTED.has(name) && name !== 'storage') {
    causes.push(invalid(path, name, 'must be a standard resource type or fully qualified'));
  }
  return [...causes, invalid(path, name, 'must be a standard resource for containers')];
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validatePodResourceName */
export function validatePodResourceName(name: string, path: string): Cause[] {
  const causes = invalidEach(path, name, isQualifiedName(name));
  if (causes.length > 0) return causes;
  const isStandard = CONTAINER_RESOURCES.has(name) || COUNTED.has(name) || name === 'storage';
  if (!name.includes('/') && !isHugePages(name) && !isStandard) {
    return [invalid(path, name, 'must be a standard resource type or fully qualified')];
  }
  return isPodLevelResource(name) ? [] : [notSupported(path, name, ['cpu', HUGE_PAGES_PREFIX, 'memory'])];
}

const CONTAINER_RESOURCES = new Set(['cpu', 'memory', 'ephemeral-storage']);
const HUGE_PAGES_PREFIX = 'hugepages-';

/** Is it an amount of huge pages of one size? */
export const isHugePages = (name: string): boolean => name.startsWith(HUGE_PAGES_PREFIX);

/**
 * Can a pod request it as a pod-level resource?
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 staging/src/k8s.io/component-helpers/resource/helpers.go
 * IsSupportedPodLevelResource
 */
export const isPodLevelResource = (name: string): boolean =>
  name === 'cpu' || name === 'memory' || isHugePages(name);

export const isNativeResource = (name: string): boolean =>
  !name.includes('/') || name.includes('kubernetes.io/');

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/helper/helpers.go IsExtendedResourceName */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false;
  // The name must also be valid in a quota.
  return isQualifiedName(`requests.${name}`).length === 0;
}

/** Can the node overcommit the resource? CPU time and memory can be shared; huge pages and devices cannot. */
export const isOvercommitAllowed = (name: string): boolean => isNativeResource(name) && !isHugePages(name);

function isMultipleOf(quantity: Quantity, pageSize: string): boolean {
  const page = quantityOf(pageSize);
  if (!page || page.sign() <= 0 || quantity.sign() < 0) return false;
  return quantity.nanos % page.nanos === 0n;
}
