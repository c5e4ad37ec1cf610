/** Level 3 · Whom to delete. */
import type { Pod } from '#harness';
import { isPodActive } from './claims.ts';
import { isPodReady, readySinceMs, timeMs } from './readiness.ts';

export function getDeletionCost(pod: Pod): number {
  const text = pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? '';
  const cost = /^(0|-?[1-9]\d*|-0\d*)$/.test(text) ? Number(text) : 0;
  return cost >= -(2 ** 31) && cost < 2 ** 31 ? cost : 0;
}

/** A pod, and how many active pods of its kin are on its node. */
export interface RankedPod {
  readonly pod: Pod;
  readonly rank: number;
}

export function getPodsRankedByRelatedPodsOnSameNode(
  candidates: readonly Pod[],
  related: readonly Pod[],
): RankedPod[] {
  const podsOnNode = new Map<string, number>();
  for (const { spec } of related.filter(isPodActive)) {
    const node = spec.nodeName ?? '';
    podsOnNode.set(node, (podsOnNode.get(node) ?? 0) + 1);
  }
  return candidates.map((pod) => ({ pod, rank: podsOnNode.get(pod.spec.nodeName ?? '') ?? 0 }));
}

const PHASE_ORDER: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

export function compareActivePods(a: RankedPod, b: RankedPod, nowMs: number): number {
  const [one, other] = [a.pod, b.pod];
  return (
    ascending(one, other, ({ spec }) => (spec.nodeName ? 1 : 0)) ||
    ascending(one, other, ({ status }) => PHASE_ORDER[status.phase ?? ''] ?? 0) ||
    ascending(one, other, (pod) => (isPodReady(pod) ? 1 : 0)) ||
    ascending(one, other, getDeletionCost) ||
    b.rank - a.rank ||
    compareAges(one, other, readySinceMs, nowMs) ||
    ascending(other, one, mostRestarts) ||
    ascending(other, one, mostSidecarRestarts) ||
    compareAges(one, other, ({ metadata }) => timeMs(metadata.creationTimestamp), nowMs)
  );
}

export function getPodsToDelete(
  candidates: readonly Pod[],
  related: readonly Pod[],
  count: number,
  nowMs: number,
): Pod[] {
  if (count >= candidates.length) return [...candidates];
  return getPodsRankedByRelatedPodsOnSameNode(candidates, related)
    .sort((a, b) => compareActivePods(a, b, nowMs))
    .slice(0, count)
    .map(({ pod }) => pod);
}

function ascending(one: Pod, other: Pod, value: (pod: Pod) => number): number {
  return value(one) - value(other);
}

/** The younger first, and first of all what has no time yet; ages count alike when they are of one magnitude. */
function compareAges(one: Pod, other: Pod, sinceMs: (pod: Pod) => number | undefined, nowMs: number): number {
  const [since, otherSince] = [sinceMs(one), sinceMs(other)];
  if (since === otherSince) return 0;
  if (since === undefined) return -1;
  if (otherSince === undefined) return 1;
  const difference = magnitude(nowMs - since) - magnitude(nowMs - otherSince);
  if (difference !== 0) return difference;
  // Any order will do, but always the same: as good as chance, so that no age is spared for ever.
  const [uid = '', otherUid = ''] = [one.metadata.uid, other.metadata.uid];
  return uid < otherUid ? -1 : Number(uid > otherUid);
}

/** Upstream counts ages in ns. */
function magnitude(ageMs: number): number {
  return ageMs > 0 ? Math.floor(Math.log2(ageMs * 1e6)) : -1;
}

function mostRestarts({ status }: Pod): number {
  return Math.max(0, ...(status.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}

function mostSidecarRestarts({ spec, status }: Pod): number {
  const sidecars = new Set(
    spec.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const statuses = status.initContainerStatuses?.filter(({ name }) => sidecars.has(name)) ?? [];
  return Math.max(0, ...statuses.map(({ restartCount }) => restartCount));
}
