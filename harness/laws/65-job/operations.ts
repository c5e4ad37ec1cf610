import type * as batch from '#api/batch/v1';
import type { Fault } from '../../faults/index.ts';

/** The process that the controller runs in. Faults, trace and journal use this name. */
export const PROCESS = 'job-controller';

/** The namespace of all objects. */
export const NAMESPACE = 'default';

/** The finalizer of the pods that the controller has not counted yet. */
export const TRACKING = 'batch.kubernetes.io/job-tracking';

/** The label and the annotation of a pod with a completion index. */
export const INDEX = 'batch.kubernetes.io/job-completion-index';

/** The names of the Jobs. */
export type JobName = 'pi' | 'sort';

/** The parts of a Job that differ between scenarios. Its pods have one container, `main`. */
export type JobShape = Omit<batch.JobSpec, 'template'> & {
  /** @defaultValue `Never` */
  readonly restartPolicy?: 'Never' | 'OnFailure';
};

/** How the nodes run pods by themselves. All times are virtual ms. */
export interface NodeBehaviour {
  /** Time until a pod runs. */
  readonly startMs: number;
  /** Time until its container ends. */
  readonly runMs: number;
  /** Time until a deleted pod has stopped. */
  readonly stopMs: number;
  /** The exit codes of the pods, in the order of their creation. After the last, the first follows. */
  readonly codes: readonly number[];
}

/** An operation or a fault, some time after the previous step. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** An operation of users and nodes. `pod` is an index, modulo the number of suitable pods. */
export type Operation =
  /** A user creates a Job, unless it exists. */
  | { readonly do: 'create'; readonly job: JobName; readonly shape: JobShape }
  /** A user changes fields of the spec. The server refuses some changes. */
  | { readonly do: 'edit'; readonly job: JobName; readonly shape: JobShape }
  /** A user annotates a Job, which changes nothing relevant. */
  | { readonly do: 'touch'; readonly job: JobName }
  /** A user deletes a Job. */
  | { readonly do: 'delete'; readonly job: JobName; readonly how: 'Background' | 'Foreground' | 'Orphan' }
  /** The garbage collector handles this many pods of deleted or terminating Jobs. */
  | { readonly do: 'collect'; readonly pods: number }
  /** A user deletes an active pod. With a node, it terminates until it is reaped. */
  | { readonly do: 'kill'; readonly pod: number }
  /** A user deletes a pod that has ended. */
  | { readonly do: 'clean-up'; readonly pod: number }
  /** A user removes the owners of an active pod, which is still selected. */
  | { readonly do: 'free'; readonly pod: number }
  /** A user creates a pod with the labels of the Job's template, without a controller, or with another one. */
  | { readonly do: 'hand-made'; readonly job: JobName; readonly isStrangers: boolean }
  /** Scheduler and kubelets: each pending pod gets a node, runs, and is ready. */
  | { readonly do: 'run' }
  /** A kubelet: the container of a running pod ends with this exit code. The pod may be evicted at that moment. */
  | { readonly do: 'end'; readonly pod: number; readonly code: number; readonly isDisrupted?: boolean }
  /** Kubelets: all running pods end with this exit code. */
  | { readonly do: 'end-all'; readonly code: number }
  /** A kubelet: the container of a running pod restarts this many times. */
  | { readonly do: 'restart'; readonly pod: number; readonly times: number }
  /** A kubelet: a running pod becomes unready, or ready again. */
  | { readonly do: 'flip'; readonly pod: number }
  /** Kubelets: terminating pods stop with this exit code, and are removed when they have no finalizer. */
  | { readonly do: 'reap'; readonly code: number }
  | { readonly do: 'nothing' };
