/** Level 2 · Taints that follow the conditions of a node. */
import { matchTaint, TAINTS, type TaintChanges } from '#given/61-node-lifecycle';
import type { core, Node } from '#harness';

/** The key of the taint, by condition and status. */
const KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: TAINTS.notReady, Unknown: TAINTS.unreachable },
  MemoryPressure: { True: TAINTS.memoryPressure },
  DiskPressure: { True: TAINTS.diskPressure },
  PIDPressure: { True: TAINTS.pidPressure },
  NetworkUnavailable: { True: TAINTS.networkUnavailable },
};

export function taintsByCondition({ spec, status }: Node): core.Taint[] {
  const keys = (status.conditions ?? []).map(({ type, status: value }) => KEYS[type]?.[value]);
  if (spec.unschedulable) keys.push(TAINTS.unschedulable);
  return keys.filter((key) => key !== undefined).map((key) => ({ key, effect: 'NoSchedule' }));
}

export function taintChanges(
  { spec: { taints = [] } }: Node,
  wanted: readonly core.Taint[],
  managed: readonly core.Taint[],
): TaintChanges {
  const isIn = (some: readonly core.Taint[], taint: core.Taint): boolean =>
    some.some((one) => matchTaint(one, taint));
  return {
    add: wanted.filter((taint) => !isIn(taints, taint)),
    remove: taints.filter((taint) => isIn(managed, taint) && !isIn(wanted, taint)),
  };
}
