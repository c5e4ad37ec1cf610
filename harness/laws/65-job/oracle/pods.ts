import { labelSelectorAsSelector } from '../../../api/label-selector.ts';
import type { Job, Pod } from '../../../api/objects.ts';
import { controllerOf, hasEnded } from '../../../api/predicates.ts';
import { INDEX, TRACKING } from '../operations.ts';

/*
 * The oracle of the laws: the meaning of pods and conditions. It shares no code with the solutions.
 */

/** Tests whether a pod has neither ended nor is being deleted. */
export function isActive(pod: Pod): boolean {
  return !pod.metadata.deletionTimestamp && !hasEnded(pod);
}

/** Tests whether a pod is being deleted and has not ended. */
export function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !hasEnded(pod);
}

/** Tests whether the pod has the finalizer of Jobs. */
export function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(TRACKING) ?? false;
}

/** Returns the uid of the Job that controls the pod; undefined without one. */
export function jobOf(pod: Pod | undefined): string | undefined {
  const owner = pod && controllerOf(pod);
  return owner?.kind === 'Job' ? owner.uid : undefined;
}

/** Returns the completion index of a pod; undefined without one. */
export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[INDEX];
  return text === undefined ? undefined : Number(text);
}

/** Tests whether the Job selects the pod. */
export function selects({ metadata, spec }: Job, pod: Pod): boolean {
  if (!spec.selector || metadata.namespace !== pod.metadata.namespace) return false;
  return labelSelectorAsSelector(spec.selector).matches(pod.metadata.labels);
}

/** Tests whether the condition of the Job is True. */
export function isTrue({ status }: Job, type: string): boolean {
  return status.conditions?.some((each) => each.type === type && each.status === 'True') ?? false;
}

/** Tests whether the Job is complete or failed. */
export function isFinished(job: Job): boolean {
  return isTrue(job, 'Complete') || isTrue(job, 'Failed');
}

/** Tests whether the Job will complete or fail, or has done so. */
export function isEnding(job: Job): boolean {
  return isFinished(job) || isTrue(job, 'FailureTarget') || isTrue(job, 'SuccessCriteriaMet');
}

/** Tests whether this controller is responsible for the Job. */
export function isManaged({ spec }: Job): boolean {
  return spec.managedBy === undefined || spec.managedBy === 'kubernetes.io/job-controller';
}

/** Tests whether the Job replaces a pod only after it has ended. */
export function replacesOnlyEnded({ spec }: Job): boolean {
  return spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined;
}

/** Tests whether a pod counts as failed: it failed, or it is being deleted and the Job does not wait for its end. */
export function isFailed(job: Job, pod: Pod): boolean {
  if (pod.status.phase === 'Failed') return true;
  return !replacesOnlyEnded(job) && isTerminating(pod);
}

/** Tests whether the pod has an index that the Job does not have. Such a pod is not counted. */
export function isOutOfRange({ spec }: Job, pod: Pod): boolean {
  if (spec.completionMode !== 'Indexed') return false;
  const index = indexOf(pod);
  return index === undefined || index >= (spec.completions ?? 0);
}

/** The UIDs in a status whose pods still have the finalizer. */
export function uncounted({ status }: Job): { succeeded: readonly string[]; failed: readonly string[] } {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  return { succeeded, failed };
}

/** Parses a list of indexes: `1,3-5`. @returns undefined if it is not in the API's form */
export function parseIndexes(text = ''): readonly number[] | undefined {
  if (text === '') return [];
  const all: number[] = [];
  for (const part of text.split(',')) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (!match) return undefined;
    const [first, last] = [Number(match[1]), Number(match[2] ?? match[1])];
    if (first <= (all.at(-1) ?? -1) || last < first) return undefined;
    for (let index = first; index <= last; index++) all.push(index);
  }
  return all;
}

/** Formats indexes: three or more neighbours as a range, two of them with a comma. */
export function formatIndexes(indexes: readonly number[]): string {
  const runs: number[][] = [];
  for (const index of indexes.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last.at(-1) === index - 1) last.push(index);
    else runs.push([index]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join(','))).join(',');
}
