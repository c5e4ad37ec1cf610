import type { Pod } from '../api/objects.ts';
import type { PodIdentity } from './labels.ts';
import type { AdjustStatus } from './pod-syncer.ts';
import type { RuntimePod } from './runtime-pods.ts';

/** An update for the worker of a pod. */
export interface PodUpdate {
  /** `create`: the pod is new. `update`: it has changed. `sync`: it is due for a sync. `kill`: it must terminate. */
  readonly type: 'create' | 'update' | 'sync' | 'kill';
  /** Absent for a pod that only the runtime knows. */
  readonly pod?: Pod;
  readonly mirrorPod?: Pod | undefined;
  /** The pod as the runtime lists it, if it is otherwise unknown. */
  readonly runtimePod?: RuntimePod;
  readonly kill?: KillOptions;
}

/** Options for the termination of a pod by its node. */
interface KillOptions {
  /** @defaultValue the grace period of the pod */
  readonly graceSeconds?: number;
  /** Whether its containers are removed instead of being kept for inspection. @defaultValue false */
  readonly evict?: boolean;
  readonly adjust?: AdjustStatus;
}

/** The progress of a pod, which never goes backwards. */
export type PodWorkerState = 'sync' | 'terminating' | 'terminated' | 'finished';

/** The state of a pod's worker, for housekeeping. */
export interface KnownPod {
  readonly state: PodWorkerState;
  /** Whether the pod is no longer desired. */
  readonly orphan: boolean;
}

/**
 * The state of the work on one pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod_workers.go podSyncStatus
 */
export interface PodWorker extends PodIdentity {
  state: PodWorkerState;
  /** The next update. A later update replaces it until the work on it begins. */
  pending?: PodUpdate | undefined;
  /** The update that the worker last began to work on. */
  active?: PodUpdate | undefined;
  /** Whether the worker has begun to work on any update. Before that, the pod has no containers. */
  started: boolean;
  working: boolean;
  /** Whether the termination has begun, so that no container may start. */
  startedTerminating: boolean;
  /**
   * Whether the pod is no longer desired. A terminating pod that is still desired has ended or failed, and stays for
   * inspection.
   */
  deleted: boolean;
  evicted: boolean;
  observedRuntime: boolean;
  /** Whether the pod was added again under the same UID while it terminated. */
  restartRequested: boolean;
  /** The grace period in seconds; 0 until the pod terminates. */
  graceSeconds: number;
  adjust?: AdjustStatus | undefined;
  /** Aborts the current operation. */
  abort?: AbortController | undefined;
  /** The stamp after its last sync: the next sync needs a later observation. */
  lastSync: number;
  readonly onKilled: (() => void)[];
}

/** Returns the worker of a new pod. */
export function newPodWorker(pod: PodIdentity, state: PodWorkerState): PodWorker {
  return {
    ...pod,
    state,
    started: false,
    working: false,
    startedTerminating: state !== 'sync',
    deleted: false,
    evicted: false,
    observedRuntime: false,
    restartRequested: false,
    graceSeconds: 0,
    lastSync: 0,
    onKilled: [],
  };
}

/**
 * Returns the grace period of a pod in seconds. It only gets shorter: a later request for a longer one has no effect.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod_workers.go calculateEffectiveGracePeriod
 */
export function effectiveGraceSeconds(
  before: number,
  { metadata, spec }: Pick<Pod, 'metadata' | 'spec'>,
  kill: KillOptions = {},
): number {
  const asked = [metadata.deletionGracePeriodSeconds, kill.graceSeconds].filter((each) => each !== undefined);
  const known = before === 0 ? asked : [before, ...asked];
  const seconds = known.length > 0 ? Math.min(...known) : (spec.terminationGracePeriodSeconds ?? 0);
  return Math.max(1, seconds);
}

/** Returns the identity of the pod in an update. */
export function identityOf({ pod, runtimePod }: PodUpdate): PodIdentity {
  if (pod) {
    const { uid, name, namespace = '' } = pod.metadata;
    return { uid, name, namespace };
  }
  const { uid, name, namespace } = runtimePod as PodIdentity;
  return { uid, name, namespace };
}

/** Returns the update with the last known pod, if the update has none of its own. */
export function withPod(update: PodUpdate, last: PodUpdate | undefined): PodUpdate {
  const pod = update.pod ?? last?.pod;
  return pod ? { ...update, pod } : update;
}
