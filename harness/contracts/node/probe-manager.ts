import type { Pod } from '../../api/objects.ts';
import type { Clock, Random } from '../../sim/index.ts';
import type { EventRecorder } from '../event-recorder.ts';
import type { RuntimeService } from './cri/runtime-service.ts';
import type { NodeNetwork } from './host.ts';

/** The purpose of a probe. */
export type ProbeType = 'liveness' | 'readiness' | 'startup';

/** The result of a container's probe. `Unknown`: the probe has no result yet. */
export type ProbeResult = 'Success' | 'Failure' | 'Unknown';

/** A changed result. */
export interface ProbeUpdate {
  readonly podUID: string;
  /** As in a container's status: `containerd://…`. */
  readonly containerID: string;
  readonly type: ProbeType;
  readonly result: ProbeResult;
}

/**
 * Runs the probes of all pods on a node, and stores their results. It neither kills containers nor writes statuses: the
 * kubelet does so when it is notified of a result. Kata 42 implements this port.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go Manager, results/results_manager.go
 * Manager
 */
export interface ProbeManager {
  /**
   * Starts to probe a pod: one worker for each probe of its containers and sidecars. A worker survives restarts of its
   * container. Repeated calls are safe: existing workers are left alone, and ended or stopped workers are not
   * restarted. After `signal` is aborted it starts no workers.
   */
  addPod(pod: Pod): void;

  /**
   * Stops the liveness and startup probes of the containers of a terminating pod, and deletes their results. Readiness
   * probes continue. All probes of its sidecars continue, too, because sidecars outlive the containers.
   */
  stopLivenessAndStartup(pod: Pod): void;

  /**
   * Stops all probes of the pod, and deletes their results. A running probe may still finish, but its result is
   * ignored.
   */
  removePod(pod: Pod): void;

  /** Removes all pods except those with these UIDs. */
  cleanupPods(desired: ReadonlySet<string>): void;

  /**
   * Returns the status with `ready` and `started` of each container set from the probes. A container without a
   * readiness probe is ready while it runs. A container without a startup probe has started as soon as it runs. A
   * container is not ready before it has started, nor while its readiness has no result. In the latter case it is
   * probed at once, before its period ends.
   *
   * @param pod with its status from the API, which shows whether a container was ready before the kubelet restarted
   * @param status computed from the runtime's containers; for a container that existed before, `started` may be its
   * previous value
   * @returns a new status; the argument stays unchanged
   */
  updatePodStatus(pod: Pod, status: Pod['status']): Pod['status'];

  /** Returns the last result of a container; undefined before the first result, and after its deletion. */
  result(type: ProbeType, containerID: string): ProbeResult | undefined;
}

/** Options of a probe manager. */
export interface ProbeManagerOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly recorder: EventRecorder;
  /** Aborted when the kubelet stops: all probes end. */
  readonly signal: AbortSignal;
  readonly runtime: Pick<RuntimeService, 'execSync'>;
  readonly network: NodeNetwork;
  /**
   * Returns the last status that the kubelet computed for a pod, including the result of
   * {@link ProbeManager.updatePodStatus}; undefined before the first.
   */
  readonly statusOf: (podUID: string) => Pod['status'] | undefined;
  /**
   * Called for each result that differs from the one before, including the first, in order. It is not called when
   * results are deleted. It may remove pods; the kubelet makes its next status only later.
   */
  readonly onUpdate: (update: ProbeUpdate) => void;
}

/** Creates the probe manager of a starting kubelet. */
export type NewProbeManager = (options: ProbeManagerOptions) => ProbeManager;
