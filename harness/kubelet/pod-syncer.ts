import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import type { RuntimePodStatus } from './pod-status.ts';
import type { RuntimePod } from './runtime-pods.ts';

/**
 * The operations of a kubelet on its pods, which a kata implements. The given pod workers never make two calls at once
 * for the same UID. The order of the calls is sync, …, sync, terminating, terminated.
 *
 * A rejected call is repeated: when the back-off expires, if the error is a back-off, otherwise after ten seconds or
 * more.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod_workers.go podSyncer
 */
export interface PodSyncer {
  /**
   * Moves the pod towards its spec. Called whenever something has changed, and at least once every 90 seconds.
   *
   * @returns `ended` when the pod has ended by itself and can be torn down; `changed` when the call has changed
   * something, so that the kubelet reads the pod again; `unchanged` when nothing was necessary
   */
  syncPod(sync: PodSync): Promise<SyncOutcome>;

  /**
   * Stops all containers of the pod. When it resolves, none runs any more, and the status manager has the final state.
   */
  syncTerminatingPod(sync: TerminatingPodSync): Promise<void>;

  /**
   * Stops the containers of a pod that only the runtime knows: without a spec, and without an API object for its
   * status.
   */
  syncTerminatingRuntimePod(pod: RuntimePod): Promise<void>;

  /** Releases the resources of a pod that has stopped, and allows its deletion from the API. */
  syncTerminatedPod(sync: PodSync): Promise<void>;

  /** Reconciles the running, the known and the desired pods. Called every two seconds. @throws cri.CriError */
  handlePodCleanups(): Promise<void>;

  /** Removes dead containers and sandboxes that are no longer needed. Called every minute. @throws cri.CriError */
  garbageCollect(): Promise<void>;
}

/** The outcome of a sync: see {@link PodSyncer.syncPod}. */
export type SyncOutcome = 'changed' | 'unchanged' | 'ended';

/** The input of a sync. */
export interface PodSync {
  readonly pod: Pod;
  /** The mirror pod of a static pod, if it exists in the API. */
  readonly mirrorPod: Pod | undefined;
  /** The state of the pod in the runtime, observed after its last sync ended. */
  readonly podStatus: RuntimePodStatus;
  /** Aborted when the sync is obsolete: the pod must terminate, or terminate sooner. */
  readonly signal: AbortSignal;
}

/** The input of a termination. */
export interface TerminatingPodSync extends PodSync {
  /** The maximum time that its containers have to stop, in seconds. At least 1. */
  readonly graceSeconds: number;
  /** Adds the reason to the status if the node has decided to stop the pod: `Evicted`. */
  readonly adjust: AdjustStatus | undefined;
}

/** Adds to a pod's status the part that only the caller of the kill knows. */
export type AdjustStatus = (status: core.PodStatus) => core.PodStatus;
