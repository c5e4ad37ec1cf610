import type { Job, KubeObject, Pod } from '../../api/objects.ts';
import { jobs } from '../../api/plain-resources.ts';
import { pods, type Resource } from '../../api/resource.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { Violation } from '../../testing/holds.ts';
import type { ObjectHistories, ObjectHistory } from '../../testing/rig/object-history.ts';
import type { Observed } from '../../testing/rig/observations.ts';
import type { ClusterRun } from '../../testing/rig/play.ts';
import type { RecordedRequest } from '../../testing/rig/recorder.ts';
import { PROCESS } from './operations.ts';
import type { Snapshot } from './oracle/obligations.ts';
import { jobOf } from './oracle/pods.ts';

/** The record of one run, which the laws read. */
export interface JobHistory extends ClusterRun {
  readonly pods: ObjectHistories<Pod>;
  readonly jobs: ObjectHistories<Job>;
  /** The requests of the controller, except writes of Events. */
  readonly requests: readonly RecordedRequest[];
  /**
   * Returns the revisions that the controller had observed when the work in progress at `atMs` started: that work uses
   * a state at least as new.
   */
  knowledge(atMs: number): Known;
  /** Whether any fault struck. */
  readonly hasFaults: boolean;
  /** The time after the last fault and the last operation, in virtual ms. */
  readonly healedMs: number;
  /** The first time without obligations and without a request in flight; undefined if that never happened. */
  readonly restedMs: number | undefined;
  /** The end of the run, in virtual ms. */
  readonly leftMs: number;
  /** The state at the end of the run. */
  readonly left: Snapshot;
}

/** The observed revisions of a controller. */
export type Known = Observed<'pods' | 'jobs'>;

/** A law: returns every violation in a history. */
export type JobLaw = (history: JobHistory) => readonly Violation[];

/** A write of the controller to a pod, and the Job that owned the pod before or after it. */
export interface PodWrite extends JournalEntry<Pod> {
  readonly job: ObjectHistory<Job> | undefined;
}

const podWriteCache = new WeakMap<JobHistory, readonly PodWrite[]>();
const jobWriteCache = new WeakMap<JobHistory, readonly JournalEntry<Job>[]>();

/** Returns the controller's writes to pods, oldest first. */
export function podWrites(history: JobHistory): readonly PodWrite[] {
  let writes = podWriteCache.get(history);
  if (!writes) {
    writes = ownWrites(history, pods).map((entry) => ({
      ...entry,
      job: history.jobs.of(jobOf(entry.object) ?? jobOf(entry.previous)),
    }));
    podWriteCache.set(history, writes);
  }
  return writes;
}

/** Returns the controller's writes to Jobs, oldest first. */
export function jobWrites(history: JobHistory): readonly JournalEntry<Job>[] {
  let writes = jobWriteCache.get(history);
  if (!writes) {
    writes = ownWrites(history, jobs);
    jobWriteCache.set(history, writes);
  }
  return writes;
}

function ownWrites<T extends KubeObject>(
  { journal }: JobHistory,
  resource: Resource<T>,
): readonly JournalEntry<T>[] {
  return journal.filter(
    (entry): entry is JournalEntry<never> =>
      entry.actor === PROCESS && entry.resource.plural === resource.plural,
  );
}

/** Returns a violation of this write. */
export function violation(
  { atMs, object }: Pick<JournalEntry, 'atMs' | 'object'>,
  message: string,
): Violation {
  return { atMs, message, object: object.metadata.name };
}

/** Returns every version of a Job that the controller can have used for a write at this time and revision. */
export function versionsFor(
  history: JobHistory,
  job: ObjectHistory<Job>,
  { atMs, revision }: Pick<JournalEntry, 'atMs' | 'revision'>,
): readonly (Job | undefined)[] {
  return job.between(history.knowledge(atMs).jobs, revision);
}

/** The name of an object. */
export function nameOf({ metadata }: Pick<KubeObject, 'metadata'>): string {
  return metadata.name;
}
