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

/** Does it count, or would it once it is adopted? A controller that looked before, and adopts now, takes it for its own. */
export function mayCount(rs: ReplicaSet, pod: Pod): boolean {
  return counts(rs, pod) || (isActive(pod) && controllerOf(pod) === undefined && selects(rs, pod));
}

/** Is it a pod of the ReplicaSet that is being deleted and has not ended? */
export function terminates(rs: ReplicaSet, pod: Pod): boolean {
  const { phase } = pod.status;
  const going = pod.metadata.deletionTimestamp !== undefined && phase !== 'Succeeded' && phase !== 'Failed';
  return going && controllerOf(pod)?.uid === rs.metadata.uid && selects(rs, pod);
}

/** Has the pod all labels of the template? */
export function isFullyLabeled({ spec }: ReplicaSet, pod: Pod): boolean {
  return selectorFromSet(spec.template.metadata?.labels).matches(pod.metadata.labels);
}

/** Since when it has been ready, in ms since 1970; absent when it is not, or that is not known. */
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

/** A time in ms since 1970, from and to. */
export type Span = readonly [fromMs: number, toMs: number];

/** What decides between two pods: the number of the rule, from 1 on, and by it which of them goes first. */
export interface Verdict {
  /** 10 if no rule tells them apart. */
  readonly rule: number;
  /** Negative if the first goes first; `undefined` if it changed during the span, so that what was decided is not known. */
  readonly order: number | undefined;
}

/**
 * Which of two pods must be deleted first, at whatever moment of a span it was decided? Upstream's order.
 *
 * @param rank how many active pods of the same kin are on a node
 */
export function verdict(a: Pod, b: Pod, rank: (node: string) => number, span: Span): Verdict {
  const sides = [
    [a.spec.nodeName ? 1 : 0, b.spec.nodeName ? 1 : 0],
    [phaseOrder(a), phaseOrder(b)],
    [isReady(a) ? 1 : 0, isReady(b) ? 1 : 0],
    [costOf(a), costOf(b)],
    [-rank(a.spec.nodeName ?? ''), -rank(b.spec.nodeName ?? '')],
    agesOf(a, b, readySinceMs, span),
    [-restartsOf(a.status.containerStatuses), -restartsOf(b.status.containerStatuses)],
    [-restartsOf(a.status.initContainerStatuses), -restartsOf(b.status.initContainerStatuses)],
    agesOf(a, b, ({ metadata }) => msOf(metadata.creationTimestamp), span),
  ] as const;
  const at = sides.findIndex(([x, y]) => x === undefined || x !== y);
  const [x, y] = sides[at] ?? [0, 0];
  if (x === undefined || y === undefined) return { rule: at + 1, order: undefined };
  return { rule: at < 0 ? sides.length + 1 : at + 1, order: x < y ? -1 : Number(x > y) };
}

/** Equal times compare as equal; of times of one magnitude the uids compare. None if the order changes during the span. */
function agesOf(
  a: Pod,
  b: Pod,
  sinceMs: (pod: Pod) => number | undefined,
  span: Span,
): readonly [number | string, number | string] | readonly [] {
  const [since, otherSince] = [sinceMs(a), sinceMs(b)];
  if (since === otherSince) return [0, 0];
  // The younger one may reach the magnitude of the older one within the span, and the older one may then reach the next.
  const moments = [...span, ...newMagnitudesOf(since, span), ...newMagnitudesOf(otherSince, span)];
  const sides = moments.map((nowMs) => [magnitudeOf(since, nowMs), magnitudeOf(otherSince, nowMs)] as const);
  if (sides.every(([x, y]) => x < y)) return [0, 1];
  if (sides.every(([x, y]) => x > y)) return [1, 0];
  return sides.every(([x, y]) => x === y) ? [a.metadata.uid, b.metadata.uid] : [];
}

/** The moments within a span at which an age reaches a new magnitude. */
function newMagnitudesOf(sinceMs: number | undefined, [fromMs, toMs]: Span): readonly number[] {
  if (sinceMs === undefined) return [];
  const first = magnitudeOf(sinceMs, fromMs) + 1;
  const magnitudes = Array.from({ length: magnitudeOf(sinceMs, toMs) - first + 1 }, (_, at) => first + at);
  return magnitudes.map((magnitude) => sinceMs + Math.ceil(2 ** magnitude / 1_000_000));
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

function restartsOf(statuses: Pod['status']['containerStatuses'] = []): number {
  return statuses.reduce((most, { restartCount }) => Math.max(most, restartCount), 0);
}

function readyCondition({ status }: Pod) {
  return status.conditions?.find(({ type }) => type === 'Ready');
}

function msOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}
