import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';

/**
 * Returns when a pod ended, in ms since 1970. The first answer counts: the latest end of its containers and sidecars, if
 * all have one; the time of its condition `Ready: False`; the time when its deletion was requested; its creation.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/backoff_utils.go getFinishedTime
 */
export function finishTimeMs(pod: Pod): number {
  const { creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata;
  const ready = pod.status.conditions?.find(({ type, status }) => type === 'Ready' && status === 'False');
  return (
    containersEndMs(pod) ??
    parse(ready?.lastTransitionTime) ??
    (deletionTimestamp ? Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1_000 : undefined) ??
    parse(creationTimestamp) ??
    0
  );
}

function containersEndMs({ spec, status }: Pod): number | undefined {
  const sidecars = new Set(
    spec.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const sidecarStatuses = status.initContainerStatuses?.filter(({ name }) => sidecars.has(name)) ?? [];
  return latestEndMs(latestEndMs(undefined, status.containerStatuses ?? []), sidecarStatuses);
}

/** Returns the latest of a time and the ends of containers; `undefined` if one of them has not ended. */
function latestEndMs(
  beforeMs: number | undefined,
  statuses: readonly core.ContainerStatus[],
): number | undefined {
  const ends = statuses.map(({ state }) => parse(state?.terminated?.finishedAt));
  if (ends.includes(undefined)) return undefined;
  const known = [beforeMs, ...ends].filter((endMs) => endMs !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

function parse(time: string | null | undefined): number | undefined {
  return time ? Date.parse(time) : undefined;
}
