/** Level 3 · Which pods are deleted. */
import {
  getDeletionCost,
  getPodsRankedByRelatedPodsOnSameNode,
  type RankedPod,
  readySinceMs,
} from '#given/23-replicaset';
import { isReady, type Pod } from '#harness';

const PHASE_ORDER: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

export function compareActivePods(a: RankedPod, b: RankedPod, nowMs: number): number {
  const [one, other] = [a.pod, b.pod];
  return (
    ascending(one, other, ({ spec }) => (spec.nodeName ? 1 : 0)) ||
    ascending(one, other, ({ status }) => PHASE_ORDER[status.phase ?? ''] ?? 0) ||
    ascending(one, other, (pod) => (isReady(pod) ? 1 : 0)) ||
    ascending(one, other, getDeletionCost) ||
    b.rank - a.rank ||
    compareAges(one, other, readySinceMs, nowMs) ||
    ascending(other, one, mostRestarts) ||
    ascending(other, one, mostSidecarRestarts) ||
    compareAges(one, other, createdMs, nowMs)
  );
}

export function getPodsToDelete(
  candidates: readonly Pod[],
  related: readonly Pod[],
  count: number,
  nowMs: number,
): Pod[] {
  return getPodsRankedByRelatedPodsOnSameNode(candidates, related)
    .sort((a, b) => compareActivePods(a, b, nowMs))
    .slice(0, count)
    .map(({ pod }) => pod);
}

function ascending(one: Pod, other: Pod, value: (pod: Pod) => number): number {
  return value(one) - value(other);
}

/**
 * The younger pod goes first; a pod without a time goes before all others. Ages of the same magnitude are equal, and
 * then the uid decides.
 */
function compareAges(one: Pod, other: Pod, sinceMs: (pod: Pod) => number | undefined, nowMs: number): number {
  const [since, otherSince] = [sinceMs(one), sinceMs(other)];
  if (since === otherSince) return 0;
  if (since === undefined) return -1;
  if (otherSince === undefined) return 1;
  const difference = magnitude(nowMs - since) - magnitude(nowMs - otherSince);
  if (difference !== 0) return difference;
  // Any fixed order would do: it must only not protect the oldest pods forever.
  const [uid = '', otherUid = ''] = [one.metadata.uid, other.metadata.uid];
  return uid < otherUid ? -1 : Number(uid > otherUid);
}

/** Like upstream, measures ages in ns. */
function magnitude(ageMs: number): number {
  return ageMs > 0 ? Math.floor(Math.log2(ageMs * 1e6)) : -1;
}

function createdMs({ metadata }: Pod): number | undefined {
  return metadata.creationTimestamp ? Date.parse(metadata.creationTimestamp) : undefined;
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
