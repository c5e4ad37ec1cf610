import type * as core from '#api/core/v1';
import type { Quantity } from '../../../api/quantity.ts';
import type { Cause } from '../../../api/status.ts';
import { withDefaults } from '../../copy-on-write.ts';
import { forbidden, invalid } from '../../validation/field-error.ts';
import { quantityOf, type ResourceList } from './quantities.ts';
import {
  isHugePages,
  isPodLevelResource,
  validatePodResourceName,
  validateResourceRequirements,
} from './resources.ts';

/**
 * Completes the pod-level resources. Limits of huge pages default to the total of the containers. Requests default to
 * the total of the containers, or to the limits. It runs after the requests of the containers have their defaults.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/defaults.go defaultHugePagePodLimits, defaultPodRequests
 */
export function setPodResourcesDefaults(spec: core.PodSpec): core.PodSpec {
  const { resources } = spec;
  if (!resources) return spec;
  const limited = withHugePagesLimits(spec, resources);
  const { limits = {}, requests = {} } = limited;
  const isLimited = Object.keys(limits).length > 0;
  const asked = listOf(aggregate(spec, 'requests'), (name) => isPodLevelResource(name) && !isHugePages(name));
  const limit = Object.fromEntries(Object.entries(limits).filter(([name]) => isPodLevelResource(name)));
  const completed = isLimited ? withDefaults(withDefaults(requests, asked), limit) : requests;
  if (completed === requests) return limited === resources ? spec : { ...spec, resources: limited };
  return { ...spec, resources: { ...limited, requests: completed } };
}

function withHugePagesLimits(
  spec: core.PodSpec,
  resources: core.ResourceRequirements,
): core.ResourceRequirements {
  const { limits = {}, requests = {} } = resources;
  if (Object.keys({ ...limits, ...requests }).length === 0) return resources;
  const isOpen = (name: string) => isHugePages(name) && requests[name] === undefined;
  const completed = withDefaults(limits, listOf(aggregate(spec, 'limits'), isOpen));
  return completed === limits ? resources : { ...resources, limits: completed };
}

function listOf(quantities: ReadonlyMap<string, Quantity>, isMeant: (name: string) => boolean): ResourceList {
  const meant = [...quantities].filter(([name]) => isMeant(name));
  return Object.fromEntries(meant.map(([name, quantity]) => [name, quantity.toString()]));
}

/**
 * Returns the resources that the containers need at the same time. This is the total of the regular containers and
 * the sidecars, or more while an init container runs with the sidecars that started before it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 staging/src/k8s.io/component-helpers/resource/helpers.go
 * AggregateContainerRequests, AggregateContainerLimits
 */
export function aggregate(spec: core.PodSpec, list: 'requests' | 'limits'): ReadonlyMap<string, Quantity> {
  const total = new Map<string, Quantity>();
  for (const { resources } of spec.containers ?? []) add(total, resources?.[list]);
  const sidecars = new Map<string, Quantity>();
  const peak = new Map<string, Quantity>();
  for (const { resources, restartPolicy } of spec.initContainers ?? []) {
    const needed = resources?.[list];
    if (restartPolicy === 'Always') add(total, needed);
    const running = restartPolicy === 'Always' ? sidecars : new Map(sidecars);
    add(running, needed);
    raise(peak, running);
  }
  raise(total, peak);
  return total;
}

function add(total: Map<string, Quantity>, list: ResourceList | undefined): void {
  for (const [name, text] of Object.entries(list ?? {})) {
    const quantity = quantityOf(text);
    if (quantity) total.set(name, total.get(name)?.add(quantity) ?? quantity);
  }
}

function raise(total: Map<string, Quantity>, other: ReadonlyMap<string, Quantity>): void {
  for (const [name, quantity] of other) {
    const known = total.get(name);
    if (!known || quantity.cmp(known) > 0) total.set(name, quantity);
  }
}

/**
 * Returns all violations of the pod-level resources, by themselves and against those of the containers.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go validatePodResources,
 * validatePodResourceConsistency
 */
export function validatePodResources(spec: core.PodSpec, path: string): Cause[] {
  const { resources } = spec;
  if (!resources) return [];
  if (spec.os?.name === 'windows') return [forbidden(path, 'may not be set for a windows pod')];
  const causes = resources.claims
    ? [forbidden(`${path}.claims`, 'claims may not be set for Resources at pod-level')]
    : [];
  return [
    ...causes,
    ...validateResourceRequirements(resources, path, validatePodResourceName),
    ...validateTotals(spec, resources, path),
    ...validateContainerLimits(spec, resources, path),
  ];
}

function validateTotals(spec: core.PodSpec, resources: core.ResourceRequirements, path: string): Cause[] {
  return (['requests', 'limits'] as const).flatMap((list) =>
    [...aggregate(spec, list)].flatMap(([name, total]) => {
      const own = quantityOf(resources[list]?.[name]);
      if (!own || total.cmp(own) <= 0 || (list === 'limits' && !isHugePages(name))) return [];
      const detail = `must be greater than or equal to aggregate container ${list} of ${total}`;
      return [invalid(`${path}.${list}[${name}]`, own.toString(), detail)];
    }),
  );
}

/** No container limit can exceed the pod's limit. Upstream's paths point to a container that does not exist. */
function validateContainerLimits(
  spec: core.PodSpec,
  { limits = {} }: core.ResourceRequirements,
  path: string,
): Cause[] {
  return (spec.containers ?? []).flatMap(({ resources }, i) =>
    Object.entries(resources?.limits ?? {}).flatMap(([name, text]) => {
      const [limit, own] = [quantityOf(text), quantityOf(limits[name])];
      if (!limit || !own || limit.cmp(own) <= 0) return [];
      const detail = `must be less than or equal to pod limits of ${own}`;
      return [invalid(`${path}.containers[${i}][${name}].limits`, limit.toString(), detail)];
    }),
  );
}
