import type { Job, Pod } from '../../../api/objects.ts';
import { isReady } from '../../../api/predicates.ts';
import { indexOf, isActive, isTerminating, jobOf, parseIndexes, uncounted } from './pods.ts';

/** The pods of a Job, by their state. */
export interface OwnPods {
  readonly all: readonly Pod[];
  readonly active: readonly Pod[];
  readonly ready: readonly Pod[];
  readonly terminating: readonly Pod[];
}

/** Returns the pods that the Job controls. */
export function podsOf({ metadata }: Job, pods: Iterable<Pod>): OwnPods {
  const all = [...pods].filter((pod) => jobOf(pod) === metadata.uid);
  const active = all.filter(isActive);
  return { all, active, ready: active.filter(isReady), terminating: all.filter(isTerminating) };
}

/** Returns the number of successes in the status, counted or not yet counted: in an Indexed Job, of the indexes that it has now. */
export function succeededOf(job: Job): number {
  const { completionMode, completions = 0 } = job.spec;
  if (completionMode === 'Indexed')
    return (parseIndexes(job.status.completedIndexes) ?? []).filter((index) => index < completions).length;
  return (job.status.succeeded ?? 0) + uncounted(job).succeeded.length;
}

/** Returns the number of failures in the status, counted or not yet counted. */
export function failedOf(job: Job): number {
  return (job.status.failed ?? 0) + uncounted(job).failed.length;
}

/** Returns the number of active pods that the Job should have, if its status is complete. */
export function wantedOf(job: Job, active: number): number {
  const { suspend, completions, parallelism = 1 } = job.spec;
  if (suspend) return 0;
  const succeeded = succeededOf(job);
  if (completions === undefined) return succeeded > 0 ? active : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

/** Returns the indexes that need a pod: neither completed nor failed, and without an active pod. */
export function pendingIndexes(job: Job, pods: readonly Pod[]): readonly number[] {
  const { completedIndexes = '', failedIndexes = '' } = job.status;
  const taken = new Set([
    ...(parseIndexes(completedIndexes) ?? []),
    ...(parseIndexes(failedIndexes) ?? []),
    ...pods.flatMap((pod) => indexOf(pod) ?? []),
  ]);
  const all = Array.from({ length: job.spec.completions ?? 0 }, (_, index) => index);
  return all.filter((index) => !taken.has(index));
}

/** Returns the sum of the container restarts of the running and pending pods. */
export function restartsOf(pods: readonly Pod[]): number {
  const live = pods.filter(({ status }) => status.phase === 'Running' || status.phase === 'Pending');
  return live.reduce(
    (sum, { status }) =>
      [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])].reduce(
        (each, { restartCount }) => each + restartCount,
        sum,
      ),
    0,
  );
}

/** Returns the time of the pod's end in ms since 1970, from its container; undefined if it is unknown. */
export function finishedMs({ status }: Pod): number | undefined {
  const times = (status.containerStatuses ?? []).map(({ state }) => state?.terminated?.finishedAt);
  if (times.length === 0 || times.some((time) => !time)) return undefined;
  return Math.max(...times.map((time) => Date.parse(time as string)));
}

/** Returns the back-off in ms after this number of consecutive failures. */
export function backoffMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(10_000 * 2 ** (failures - 1), 600_000);
}
