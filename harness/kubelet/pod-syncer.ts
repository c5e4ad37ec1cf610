import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import type { RuntimePodStatus } from './pod-status.ts';
import type { RuntimePod } from './runtime-pods.ts';

/**
 * What a kubelet does with its pods: the part of it that a kata builds. All that drives it is given: it is called for one pod
 * at a time, never twice at once for the same uid, in the order sync, …, sync, terminating, terminated.
 *
 * A call that rejects is made again: after a back-off's expiry, if that is why, and else after ten seconds or more.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod_workers.go podSyncer
 */
export interface PodSyncer {
  /**
   * Brings the pod nearer to what its spec says. It is called whenever something has changed, and at least once a minute.
   *
   * @returns `ended` when the pod has ended by itself and may be torn down; `changed` when something was done, so that it is to
   * be looked at again; `unchanged` when there was nothing to do
   */
  syncPod(sync: PodSync): Promise<SyncOutcome>;

  /** Stops all that runs of the pod. When it resolves, nothing runs any more, and its end is told to the status manager. */
  syncTerminatingPod(sync: TerminatingPodSync): Promise<void>;

  /** Stops the containers of a pod that only the runtime knows: it has no spec, and no object in the API to write a status to. */
  syncTerminatingRuntimePod(pod: RuntimePod): Promise<void>;

  /** Nothing of the pod runs any more: gives back what it had, and lets it leave the API. */
  syncTerminatedPod(sync: PodSync): Promise<void>;

  /** Every two seconds: brings what runs, what is worked on and what is wanted together. @throws cri.CriError */
  handlePodCleanups(): Promise<void>;

  /** Every minute: removes dead containers and sandboxes that are of no use any more. @throws cri.CriError */
  garbageCollect(): Promise<void>;
}

/** What came of a sync: see {@link PodSyncer.syncPod}. */
export type SyncOutcome = 'changed' | 'unchanged' | 'ended';

/** A pod that is to be synced. */
export interface PodSync {
  readonly pod: Pod;
  /** Of a static pod: what stands for it in the API, if it is there. */
  readonly mirrorPod: Pod | undefined;
  /** What the runtime has of it: observed after the last sync of it had ended. */
  readonly podStatus: RuntimePodStatus;
  /** Aborted when there is no point in going on: the pod is to end, or to end sooner. */
  readonly signal: AbortSignal;
}

/** A pod that is to end. */
export interface TerminatingPodSync extends PodSync {
  /** How long its containers have, at most. Not less than 1. */
  readonly graceSeconds: number;
  /** What is to be said of it besides, if the node has decided that it ends: `Evicted`. */
  readonly adjust: AdjustStatus | undefined;
}

/** Says of a pod's status what only its killer knows. */
export type AdjustStatus = (status: core.PodStatus) => core.PodStatus;
