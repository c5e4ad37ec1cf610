import type * as core from '#api/core/v1';
import type { Node } from '../../../api/objects.ts';

/** `not-ready:NoExecute` */
export type TaintName = string;

const PREFIX = 'node.kubernetes.io/';
export const NOT_READY = `${PREFIX}not-ready`;
export const UNREACHABLE = `${PREFIX}unreachable`;

/** The keys of the `NoSchedule` taints that follow from a node's state. */
const SCHEDULING_KEYS = [
  'not-ready',
  'unreachable',
  'memory-pressure',
  'disk-pressure',
  'pid-pressure',
  'network-unavailable',
  'unschedulable',
].map((name) => `${PREFIX}${name}`);

/** Returns the status of a condition; undefined if the node does not report it. */
export function statusOf(node: Node, type: string): string | undefined {
  return node.status.conditions?.find((condition) => condition.type === type)?.status;
}

/** Returns `key:effect`. */
export function nameOfTaint({ key, effect }: Pick<core.Taint, 'key' | 'effect'>): TaintName {
  return `${key}:${effect}`;
}

/** Returns whether the taint is one of those that the controller manages. */
export function isManaged({ key, effect }: core.Taint): boolean {
  if (effect === 'NoSchedule') return SCHEDULING_KEYS.includes(key);
  return effect === 'NoExecute' && (key === NOT_READY || key === UNREACHABLE);
}

/** Returns the names of all managed `NoSchedule` taints that the node has. */
export function schedulingTaints(node: Node): ReadonlySet<TaintName> {
  const taints = (node.spec.taints ?? []).filter(
    (taint) => taint.effect === 'NoSchedule' && isManaged(taint),
  );
  return new Set(taints.map(nameOfTaint));
}

/**
 * Returns the names of the `NoSchedule` taints that the node's conditions and `unschedulable` call for.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go
 * nodeConditionToTaintKeyStatusMap
 */
export function wantedSchedulingTaints(node: Node): ReadonlySet<TaintName> {
  const ready = statusOf(node, 'Ready');
  const isSo = [
    ready === 'False',
    ready === 'Unknown',
    statusOf(node, 'MemoryPressure') === 'True',
    statusOf(node, 'DiskPressure') === 'True',
    statusOf(node, 'PIDPressure') === 'True',
    statusOf(node, 'NetworkUnavailable') === 'True',
    node.spec.unschedulable === true,
  ];
  const keys = SCHEDULING_KEYS.filter((_, i) => isSo[i]);
  return new Set(keys.map((key) => nameOfTaint({ key, effect: 'NoSchedule' })));
}

/** Returns the key of the `NoExecute` taint that the node's condition calls for, if any. */
export function wantedExecuteKey(node: Node): string | undefined {
  const ready = statusOf(node, 'Ready');
  if (ready === 'False') return NOT_READY;
  return ready === 'Unknown' ? UNREACHABLE : undefined;
}

/** Returns the keys `not-ready` and `unreachable` among the node's `NoExecute` taints. */
export function executeKeys(node: Node): readonly string[] {
  return (node.spec.taints ?? []).flatMap((taint) =>
    taint.effect === 'NoExecute' && isManaged(taint) ? [taint.key] : [],
  );
}

/** Returns all `NoExecute` taints of the node, whoever added them. */
export function executeTaints(node: Node): readonly core.Taint[] {
  return (node.spec.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
}
