import { type JobState, type JobStatus, NO_VERDICTS, type Verdicts } from '#given/65-job';
import { formatTime, isReady, type Job, type Pod } from '#harness';

/** The current time of the tests, in ms since 1970. */
export const NOW_MS = Date.UTC(2026, 0, 1, 12);

/** The time of a number of seconds after {@link NOW_MS}, in the form of an object's fields. */
export const at = (seconds: number): string => formatTime(NOW_MS + seconds * 1_000);

const FINALIZER = 'batch.kubernetes.io/job-tracking';
const INDEX = 'batch.kubernetes.io/job-completion-index';

/** The parts of a pod that a test sets; the rest has defaults. */
export interface PodParts {
  readonly name?: string;
  readonly phase?: string;
  /** Whether it is being deleted. */
  readonly leaves?: boolean;
  /** Whether it has the tracking finalizer. @defaultValue true */
  readonly finalizer?: boolean;
  readonly index?: number | string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ready?: boolean;
  readonly node?: string;
  /** The end of its container, in seconds after now. @defaultValue 0, if it has ended */
  readonly endedAt?: number;
  readonly exitCode?: number;
  readonly restarts?: number;
  readonly createdAt?: number;
  readonly conditions?: Pod['status']['conditions'];
}

/** Returns a pod with these parts. Its uid is `uid-of-` and its name. */
export function aPod(parts: PodParts = {}): Pod {
  const { name = 'pi-1', phase = 'Running', leaves = false, finalizer = true, index, ready = false } = parts;
  const { node, endedAt = 0, exitCode = 1, restarts = 0, createdAt = -60, conditions = [] } = parts;
  const hasEnded = phase === 'Failed' || phase === 'Succeeded';
  const terminated = { exitCode: phase === 'Failed' ? exitCode : 0, finishedAt: at(endedAt) };
  const annotations = { ...parts.annotations, ...(index !== undefined && { [INDEX]: String(index) }) };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-of-${name}`,
      resourceVersion: '1',
      creationTimestamp: at(createdAt),
      ...(leaves && { deletionTimestamp: at(0) }),
      ...(finalizer && { finalizers: [FINALIZER] }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    spec: { containers: [{ name: 'main', image: 'busybox' }], ...(node !== undefined && { nodeName: node }) },
    status: {
      phase,
      conditions: [...conditions, ...(ready ? [{ type: 'Ready', status: 'True' }] : [])],
      containerStatuses: [
        {
          name: 'main',
          image: 'busybox',
          imageID: '',
          ready,
          restartCount: restarts,
          state: hasEnded ? { terminated } : { running: {} },
        },
      ],
    },
  };
  return pod as unknown as Pod;
}

/** Returns a Job with this spec and status. */
export function aJob(
  spec: Partial<Job['spec']> & { readonly restartPolicy?: string } = {},
  status: JobStatus = {},
  metadata: Partial<Job['metadata']> = {},
): Job {
  const { restartPolicy = 'Never', ...rest } = spec;
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'pi', namespace: 'default', uid: 'uid-of-pi', resourceVersion: '1', ...metadata },
    spec: {
      parallelism: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      podReplacementPolicy: 'TerminatingOrFailed',
      suspend: false,
      selector: { matchLabels: { app: 'pi' } },
      template: {
        metadata: { labels: { app: 'pi' } },
        spec: { restartPolicy, containers: [{ name: 'main', image: 'busybox' }] },
      },
      ...rest,
    },
    status,
  };
  return job as unknown as Job;
}

/** Returns an Indexed Job with this number of completions. */
export function anIndexedJob(
  completions: number,
  status: JobStatus = {},
  spec: Partial<Job['spec']> = {},
): Job {
  return aJob({ completionMode: 'Indexed', completions, parallelism: completions, ...spec }, status);
}

/** The parts of a {@link JobState} that a test sets. */
export interface StateParts {
  readonly job?: Job;
  readonly pods?: readonly Pod[];
  readonly counts?: Partial<JobState['counts']>;
  readonly awaited?: readonly string[];
  readonly backoff?: JobState['backoff'];
  readonly succeededIndexes?: JobState['succeededIndexes'];
  readonly verdicts?: Partial<Verdicts>;
}

/** Returns what a sync knows about this Job and these pods. Successes and failures are 0, unless the test sets them. */
export function aState(parts: StateParts = {}): JobState {
  const { job = aJob(), pods = [], counts = {}, awaited = [], backoff = { failures: 0 } } = parts;
  const active = pods.filter(
    ({ metadata, status }) =>
      metadata.deletionTimestamp === undefined && status.phase !== 'Failed' && status.phase !== 'Succeeded',
  );
  const terminating = pods.filter(
    ({ metadata, status }) =>
      metadata.deletionTimestamp !== undefined && status.phase !== 'Failed' && status.phase !== 'Succeeded',
  );
  return {
    stored: job,
    job,
    pods,
    active,
    counts: {
      active: active.length,
      ready: active.filter(isReady).length,
      terminating: terminating.length,
      succeeded: 0,
      failed: 0,
      ...counts,
    },
    awaited: new Set(awaited),
    backoff,
    succeededIndexes: parts.succeededIndexes ?? [],
    verdicts: { ...NO_VERDICTS, ...parts.verdicts },
  };
}

/** Returns the names of these pods, in their order. */
export const namesOf = (all: readonly Pod[]): string[] => all.map(({ metadata }) => metadata.name);
