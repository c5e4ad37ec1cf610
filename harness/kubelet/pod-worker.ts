import type { Pod } from '../api/objects.ts';
import type { PodIdentity } from './labels.ts';
import type { AdjustStatus } from './pod-syncer.ts';
import type { RuntimePod } from './runtime-pods.ts';

/** What a worker is told about its pod. */
export interface PodUpdate {
  /** `create`: it is new. `update`: it has changed. `sync`: it is time to look at it. `kill`: it is to end. */
  readonly type: 'create' | 'update' | 'sync' | 'kill';
  /** Absent for a pod that only the runtime knows. */
  readonly pod?: Pod;
  readonly mirrorPod?: Pod | undefined;
  /** What runs of it, if it is not known otherwise. */
  readonly runtimePod?: RuntimePod;
  readonly kill?: KillOptions;
}

/** How a pod is ended by its node. */
export interface KillOptions {
  /** @defaultValue as the pod says */
  readonly graceSeconds?: number;
  /** Its containers are not kept for later inspection. @defaultValue false */
  readonly evict?: boolean;
  readonly adjust?: AdjustStatus;
}

/** How far a pod is on its way: never backwards. */
export type PodWorkerState = 'sync' | 'terminating' | 'terminated' | 'finished';

/** What a pod's worker is about, for housekeeping. */
export interface KnownPod {
  readonly state: PodWorkerState;
  /** It is not needed any more. */
  readonly orphan: boolean;
}

/**
 * What is known of the work on one pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod_workers.go podSyncStatus
 */
export interface PodWorker extends PodIdentity {
  state: PodWorkerState;
  /** What it will be told next. What comes before it is told, takes its place. */
  pending?: PodUpdate | undefined;
  /** What it was told last. */
  active?: PodUpdate | undefined;
  /** Was it ever told anything? Before that nothing of it can run. */
  started: boolean;
  working: boolean;
  /** Its teardown has begun, so that nothing of it may be started. */
  startedTerminating: boolean;
  /** It is not wanted any more; absent that, it has ended or failed, and stays to be looked at. */
  deleted: boolean;
  evicted: boolean;
  observedRuntime: boolean;
  /** It came again under the same uid while it ended. */
  restartRequested: boolean;
  /** 0 until it is to end. */
  graceSeconds: number;
  adjust?: AdjustStatus | undefined;
  /** Aborts what is being done now. */
  abort?: AbortController | undefined;
  /** After its last sync: only what is observed later counts. */
  lastSync: number;
  readonly onKilled: (() => void)[];
}

/** A worker of a pod that came now. */
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
 * How long the pod has to end. It only gets shorter: a later request for more time has no effect.
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

/** Which pod an update is about. */
export function identityOf({ pod, runtimePod }: PodUpdate): PodIdentity {
  if (pod) {
    const { uid, name, namespace = '' } = pod.metadata;
    return { uid, name, namespace };
  }
  const { uid, name, namespace } = runtimePod as PodIdentity;
  return { uid, name, namespace };
}

/** The update with the pod's spec as it is known; it may have come with what runs alone. */
export function withPod(update: PodUpdate, last: PodUpdate | undefined): PodUpdate {
  const pod = update.pod ?? last?.pod;
  return pod ? { ...update, pod } : update;
}
