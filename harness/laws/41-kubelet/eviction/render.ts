import type { EvictionThreshold } from '../../../kubelet/node/thresholds.ts';
import type { EvictedPodPlan, EvictionScenario, Pass } from './scenario.ts';

const MIB = 1024 ** 2;

/** Describes a scenario of an eviction manager, one line per threshold, pod and call. */
export function describeEviction({
  thresholds,
  maxPodGracePeriodSeconds,
  pods,
  passes,
}: EvictionScenario): readonly string[] {
  return [
    ...thresholds.map((each) => `threshold ${describeThreshold(each)}`),
    `maxPodGracePeriodSeconds ${maxPodGracePeriodSeconds}`,
    ...pods.map((each, i) => `pod-${i}: ${describePod(each)}`),
    ...passes.map((each) => `${each.afterMs / 1_000} s later: ${describePass(each)}`),
  ];
}

function describeThreshold({ signal, value, gracePeriodMs, minReclaim }: EvictionThreshold): string {
  return [
    `${signal} below ${describeValue(value)}`,
    ...(gracePeriodMs === undefined ? [] : [`for ${gracePeriodMs / 1_000} s`]),
    ...(minReclaim === undefined ? [] : [`minReclaim ${describeValue(minReclaim)}`]),
  ].join(', ');
}

function describeValue(value: EvictionThreshold['value']): string {
  return 'quantity' in value ? `${value.quantity / MIB}Mi` : `${value.percentage * 100} %`;
}

function describePod({
  priority,
  requestMib,
  memoryMib,
  diskMib,
  limitMib,
  isKnown,
  graceSeconds,
}: EvictedPodPlan): string {
  return [
    isKnown ? `uses ${memoryMib}Mi of memory and ${diskMib}Mi of disk` : 'has an unknown usage',
    ...(requestMib === undefined ? [] : [`requests ${requestMib}Mi of memory`]),
    ...(limitMib === undefined ? [] : [`its emptyDir volume has the limit ${limitMib}Mi`]),
    ...(priority === undefined ? [] : [`priority ${priority}`]),
    ...(graceSeconds === undefined ? [] : [`grace period ${graceSeconds} s`]),
  ].join(', ');
}

function describePass(pass: Pass): string {
  const { memoryMib, diskPercent, pidsPercent, unusedPercent, isPartial, fails, arrives } = pass;
  const arrival = arrives ? `; then a pod arrives: ${describePod(arrives)}` : '';
  if (fails) return `the node cannot be observed${arrival}`;
  const memory = isPartial ? [] : [`${memoryMib}Mi of memory`, `${pidsPercent} % of the process IDs`];
  return `${[...memory, `${diskPercent} % of the disk`].join(', ')} are available, and the kubelet can reclaim ${unusedPercent} % of the disk${arrival}`;
}
