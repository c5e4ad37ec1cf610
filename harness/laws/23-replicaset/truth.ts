import { labelSelectorAsSelector, type Selector, selectorFromSet } from '../../api/label-selector.ts';
import type { Pod, ReplicaSet } from '../../api/objects.ts';
import { controllerOf, isReady } from '../../api/predicates.ts';

/**
 * Neither ended nor going.
 *
 * What is true of pods and ReplicaSets, for laws to compare with: written by itself, so that no solution is measured by
 * its own measure.
 */
export function isActive({ metadata, status }: Pod): boolean {
  return !metadata.deletionTimestamp && status.phase !== 'Succeeded' && status.phase !== 'Failed';
}

const selectors = new WeakMap<ReplicaSet['spec'], Selector>();

/** Is the pod in the ReplicaSet's namespace, with labels that it selects? */
export function selects({ metadata, spec }: ReplicaSet, pod: Pod): boolean {
  let selector = selectors.get(spec);
  if (!selector) {
    selector = labelSelectorAsSelector(spec.selector);
    selectors.set(spec, selector);
  }
  return metadata.namespace === pod.metadata.namespace && selector.matches(pod.metadata.labels);
}

/** Does the pod count for this ReplicaSet: active, selected, and its own? */
export function counts(rs: ReplicaSet, pod: Pod): boolean {
  return isActive(pod) && controllerOf(pod)?.uid === rs.metadata.uid && selects(rs, pod);
}

/** Does it count, or would it once it is adopted? Who looked before, and adopts now, takes it for its own. */
export function mayCount(rs: ReplicaSet, pod: Pod): boolean {
  return counts(rs, pod) || (isActive(pod) && controllerOf(pod) === undefined && selects(rs, pod));
}

/** Has the pod all labels of the template? */
export function isFullyLabeled({ spec }: ReplicaSet, pod: Pod): boolean {
  return selectorFromSet(spec.template.metadata?.labels).matches(pod.metadata.labels);
}

/** Since when it has been ready, in ms since 1970; absent when it is not, or nobody knows. */
export function readySinceMs(pod: Pod): number | undefined {
  return isReady(pod) ? msOf(readyCondition(pod)?.lastTransitionTime ?? undefined) : undefined;
}

/**
 * Has the pod been ready for `minReadySeconds`?
 *
 * @param nowMs in ms since 1970
 */
export function isAvailable({ spec }: ReplicaSet, pod: Pod, nowMs: number): boolean {
  const { minReadySeconds = 0 } = spec;
  const since = readySinceMs(pod);
  return (
    isReady(pod) &&
    (minReadySeconds === 0 || (since !== undefined && since + minReadySeconds * 1_000 <= nowMs))
  );
}

/**
 * Must `a` be deleted before `b`? Upstream's order, without the rule by which it breaks a tie.
 *
 * @param rank how many active pods of the same kin are on a node
 * @param nowMs ms since 1970
 */
export function goesBefore(a: Pod, b: Pod, rank: (node: string) => number, nowMs: number): boolean {
  for (const [x, y] of [
    [a.spec.nodeName ? 1 : 0, b.spec.nodeName ? 1 : 0],
    [phaseOrder(a), phaseOrder(b)],
    [isReady(a) ? 1 : 0, isReady(b) ? 1 : 0],
    [costOf(a), costOf(b)],
    [-rank(a.spec.nodeName ?? ''), -rank(b.spec.nodeName ?? '')],
    agesOf(readySinceMs(a), readySinceMs(b), nowMs),
    [-restartsOf(a), -restartsOf(b)],
    agesOf(msOf(a.metadata.creationTimestamp), msOf(b.metadata.creationTimestamp), nowMs),
  ] as const) {
    // Two ages of one magnitude are as good as any: what would come after them does not count.
    if (x === undefined || y === undefined) return false;
    if (x !== y) return x < y;
  }
  return false;
}

/** Equal times compare as equal, times of one magnitude as neither: that is what is not known. */
function agesOf(a: number | undefined, b: number | undefined, nowMs: number): readonly [number?, number?] {
  if (a === b) return [0, 0];
  const [x, y] = [magnitudeOf(a, nowMs), magnitudeOf(b, nowMs)];
  return x === y ? [] : [x, y];
}

function magnitudeOf(sinceMs: number | undefined, nowMs: number): number {
  if (sinceMs === undefined) return -2;
  return sinceMs < nowMs ? Math.floor(Math.log2((nowMs - sinceMs) * 1_000_000)) : -1;
}

function phaseOrder({ status }: Pod): number {
  return status.phase === 'Running' ? 2 : status.phase === 'Unknown' ? 1 : 0;
}

function costOf({ metadata }: Pod): number {
  return Number(metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0);
}

function restartsOf({ status }: Pod): number {
  return (status.containerStatuses ?? []).reduce((most, { restartCount }) => Math.max(most, restartCount), 0);
}

function readyCondition({ status }: Pod) {
  return status.conditions?.find(({ type }) => type === 'Ready');
}

function msOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}
