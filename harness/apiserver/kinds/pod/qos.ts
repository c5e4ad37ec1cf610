import type * as core from '#api/core/v1';
import type { Quantity } from '../../../api/quantity.ts';
import { quantityOf } from './quantities.ts';

type QOSClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

/**
 * Only cpu and memory count: those of the pod as a whole where it has any, else those of its containers and init
 * containers. An amount of 0 counts as none.
 *
 * The quality of service that a pod's requests and limits earn it: who is evicted first when a node runs
 * short.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/helper/qos/qos.go ComputePodQOS
 *
 * @returns `BestEffort` when nothing is asked for or limited; `Guaranteed` when the pod, or every container, limits both
 *   and asks for as much as it limits, in all; `Burstable` otherwise
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

/** Adds what `list` has of cpu and memory to `totals`; returns of how many of the two it has any. */
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
