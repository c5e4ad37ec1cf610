import type * as core from '#api/core/v1';
import type { Quantity } from '../../../api/quantity.ts';
import { quantityOf } from './quantities.ts';

type QOSClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

/**
 * Computes the quality of service class of a pod from its requests and limits. When a node runs out of memory, pods
 * of a lower class are evicted first.
 *
 * Only cpu and memory count: those of the pod if it has pod-level resources, else those of its containers and init
 * containers. An amount of 0 counts as absent.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/helper/qos/qos.go ComputePodQOS
 *
 * @returns `BestEffort` without requests and limits; `Guaranteed` when the pod, or every container, limits both
 * resources and its total requests equal its limits; `Burstable` otherwise
 */
export function computePodQOS(spec: core.PodSpec): QOSClass {
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let everyContainerLimitsBoth = true;
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  for (const { resources } of spec.resources ? [spec] : containers) {
    sum(requests, resources?.requests);
    const limited = sum(limits, resources?.limits);
    if (limited < COMPUTE_RESOURCES.length) everyContainerLimitsBoth = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const isGuaranteed =
    everyContainerLimitsBoth &&
    requests.size === limits.size &&
    [...requests].every(([name, request]) => limits.get(name)?.cmp(request) === 0);
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

const COMPUTE_RESOURCES = ['cpu', 'memory'];

/** Adds the cpu and memory of `list` to `totals`; returns for how many of the two the amount is not 0. */
function sum(totals: Map<string, Quantity>, list: Readonly<Record<string, string>> | undefined): number {
  let found = 0;
  for (const name of COMPUTE_RESOURCES) {
    const quantity = list?.[name] === undefined ? undefined : quantityOf(list[name]);
    if (quantity === undefined || quantity.sign() <= 0) continue;
    totals.set(name, totals.get(name)?.add(quantity) ?? quantity);
    found++;
  }
  return found;
}
