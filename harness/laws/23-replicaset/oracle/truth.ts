import { labelSelectorAsSelector, type Selector, selectorFromSet } from '../../../api/label-selector.ts';
import type { Pod, ReplicaSet } from '../../../api/objects.ts';
import { controllerOf, isReady } from '../../../api/predicates.ts';

/**
 * Tests whether a pod has neither ended nor is being deleted.
 *
 * This file is the oracle of the laws. It shares no code with the solutions.
 */
export function isActive({ metadata, status }: Pod): boolean {
  return !metadata.deletionTimestamp && status.phase !== 'Succeeded' && status.phase !== 'Failed';
}

const selectors = new WeakMap<ReplicaSet['spec'], Selector>();

/** Tests whether the pod is in the namespace of the ReplicaSet and matches its selector. */
export function selects({ metadata, spec }: ReplicaSet, pod: Pod): boolean {
  let selector = selectors.get(spec);
  if (!selector) {
    selector = labelSelectorAsSelector(spec.selector);
    selectors.set(spec, selector);
  }
  return metadata.namespace === pod.metadata.namespace && selector.matches(pod.metadata.labels);
}

/** Tests whether the pod counts for this ReplicaSet: it is active, selected and controlled by it. */
export function counts(rs: ReplicaSet, pod: Pod): boolean {
  return isActive(pod) && controllerOf(pod)?.uid === rs.metadata.uid && selects(rs, pod);
}

/** Tests whether the pod counts, or would count after an adoption that is in progress. */
export function mayCount(rs: ReplicaSet, pod: Pod): boolean {
  return counts(rs, pod) || (isActive(pod) && controllerOf(pod) === undefined && selects(rs, pod));
}

/** Tests whether the pod belongs to the ReplicaSet, is being deleted and has not ended. */
export function terminates(rs: ReplicaSet, pod: Pod): boolean {
  const { phase } = pod.status;
  const going = pod.metadata.deletionTimestamp !== undefined && phase !== 'Succeeded' && phase !== 'Failed';
  return going && controllerOf(pod)?.uid === rs.metadata.uid && selects(rs, pod);
}

/** Tests whether the pod has all labels of the template. */
export function isFullyLabeled({ spec }: ReplicaSet, pod: Pod): boolean {
  return selectorFromSet(spec.template.metadata?.labels).matches(pod.metadata.labels);
}

/** The time at which the pod became ready, in ms since 1970; undefined if it is not ready or the time is unknown. */
export function readySinceMs(pod: Pod): number | undefined {
  return isReady(pod) ? msOf(readyCondition(pod)?.lastTransitionTime ?? undefined) : undefined;
}

/**
 * Tests whether the pod has been ready for `minReadySeconds`.
 *
 * @param nowMs - in ms since 1970
 */
export function isAvailable({ spec }: ReplicaSet, pod: Pod, nowMs: number): boolean {
  const { minReadySeconds = 0 } = spec;
  const since = readySinceMs(pod);
  return (
    isReady(pod) &&
    (minReadySeconds === 0 || (since !== undefined && since + minReadySeconds * 1_000 <= nowMs))
  );
}

/** The start and the end of a period, in ms since 1970. */
export type Span = readonly [fromMs: number, toMs: number];

/** The rule that decides between two pods, and its result. */
export interface Verdict {
  /** The number of the rule, from 1; 10 if no rule finds a difference. */
  readonly rule: number;
  /** Negative if the first pod goes first; undefined if the result changed during the span. */
  readonly order: number | undefined;
}

/**
 * Decides which of two pods must be deleted first, at every moment of a span, by upstream's order.
 *
 * @param rank - the number of active related pods on a node
 * @param ignored - the number of a rule to leave out
 */
export function verdict(
  a: Pod,
  b: Pod,
  rank: (node: string) => number,
  span: Span,
  ignored?: number,
): Verdict {
  const sides = [
    [a.spec.nodeName ? 1 : 0, b.spec.nodeName ? 1 : 0],
    [phaseOrder(a), phaseOrder(b)],
    [isReady(a) ? 1 : 0, isReady(b) ? 1 : 0],
    [costOf(a), costOf(b)],
    [-rank(a.spec.nodeName ?? ''), -rank(b.spec.nodeName ?? '')],
    agesOf(a, b, readySinceMs, span),
    [-restartsOf(a.status.containerStatuses), -restartsOf(b.status.containerStatuses)],
    [-restartsOf(sidecarStatuses(a)), -restartsOf(sidecarStatuses(b))],
    agesOf(a, b, ({ metadata }) => msOf(metadata.creationTimestamp), span),
  ] as const;
  const at = sides.findIndex(([x, y], i) => i + 1 !== ignored && (x === undefined || x !== y));
  const [x, y] = sides[at] ?? [0, 0];
  if (x === undefined || y === undefined) return { rule: at + 1, order: undefined };
  return { rule: at < 0 ? sides.length + 1 : at + 1, order: x < y ? -1 : Number(x > y) };
}

/** The sort keys of two ages: uids if the ages have one magnitude. Empty if the order changes during the span. */
function agesOf(
  a: Pod,
  b: Pod,
  sinceMs: (pod: Pod) => number | undefined,
  span: Span,
): readonly [number | string, number | string] | readonly [] {
  const [since, otherSince] = [sinceMs(a), sinceMs(b)];
  if (since === otherSince) return [0, 0];
  // Within the span the younger pod can reach the magnitude of the older, and the older pod can then reach the next.
  const moments = [...span, ...newMagnitudesOf(since, span), ...newMagnitudesOf(otherSince, span)];
  const sides = moments.map((nowMs) => [magnitudeOf(since, nowMs), magnitudeOf(otherSince, nowMs)] as const);
  if (sides.every(([x, y]) => x < y)) return [0, 1];
  if (sides.every(([x, y]) => x > y)) return [1, 0];
  return sides.every(([x, y]) => x === y) ? [a.metadata.uid, b.metadata.uid] : [];
}

/** The moments within a span when an age reaches a new magnitude. */
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

/** The value of the pod-deletion-cost annotation. @defaultValue 0 */
export function costOf({ metadata }: Pod): number {
  return Number(metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0);
}

function restartsOf(statuses: Pod['status']['containerStatuses'] = []): number {
  return statuses.reduce((most, { restartCount }) => Math.max(most, restartCount), 0);
}

/** The statuses of the init containers that run as long as the pod; an ordinary init container does not count. */
function sidecarStatuses({ spec, status }: Pod): Pod['status']['containerStatuses'] {
  const isSidecar = (name: string): boolean =>
    spec.initContainers?.some((each) => each.name === name && each.restartPolicy === 'Always') ?? false;
  return status.initContainerStatuses?.filter(({ name }) => isSidecar(name));
}

function readyCondition({ status }: Pod) {
  return status.conditions?.find(({ type }) => type === 'Ready');
}

function msOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}
