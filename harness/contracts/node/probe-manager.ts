import type { Pod } from '../../api/objects.ts';
import type { Clock, Random } from '../../sim/index.ts';
import type { EventRecorder } from '../event-recorder.ts';
import type { RuntimeService } from './cri/runtime-service.ts';
import type { NodeNetwork } from './host.ts';

/** The purpose of a probe. */
export type ProbeType = 'liveness' | 'readiness' | 'startup';

/** The result of a container's probe. `Unknown`: there is none yet. */
export type ProbeResult = 'Success' | 'Failure' | 'Unknown';

/** A result that changed. */
export interface ProbeUpdate {
  readonly podUID: string;
  /** As in a container's status: `containerd://…`. */
  readonly containerID: string;
  readonly type: ProbeType;
  readonly result: ProbeResult;
}

/**
 * The probes of a node: it runs those of each pod, and knows their results. It kills nothing and writes no status: the kubelet
 * does, when it is told of a result. The port that kata 42 implements.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/prober_manager.go Manager, results/results_manager.go Manager
 */
export interface ProbeManager {
  /**
   * Begins to probe a pod: one worker for each probe of its containers and of its sidecars. Each lives through restarts of its
   * container. Call it as often as you like: what a pod has already is left alone,
   * and so is what has ended or was stopped. When `signal` is aborted nothing is begun any more.
   */
  addPod(pod: Pod): void;

  /**
   * The pod is to end: the liveness and startup probes of its containers stop, and their results are forgotten. Readiness
   * probes go on; so do all probes of its sidecars, which outlive its containers.
   */
  stopLivenessAndStartup(pod: Pod): void;

  /** Stops all probes of the pod, and forgets their results. What is under way may still end, and changes nothing. */
  removePod(pod: Pod): void;

  /** Removes all pods except these, by uid. */
  cleanupPods(desired: ReadonlySet<string>): void;

  /**
   * The status with `ready` and `started` of each container as its probes have it. A container without a readiness probe is
   * ready while it runs; one without a startup probe has started as soon as it runs. A container that has not started is not
   * ready; nor is one whose readiness was not decided yet. That one is probed at once, so that it need not wait for its period.
   *
   * @param pod with the status that the API has: whether it was ready before the kubelet started
   * @param status made from the runtime's containers. For a container that was there before, `started` may be what it was
   * @returns a new status; the old one is not changed
   */
  updatePodStatus(pod: Pod, status: Pod['status']): Pod['status'];

  /** The last result of a container; undefined when there is none, and when it is forgotten. */
  result(type: ProbeType, containerID: string): ProbeResult | undefined;
}

/** What probes need. */
export interface ProbeManagerOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly recorder: EventRecorder;
  /** Aborted when the kubelet stops: all probes end. */
  readonly signal: AbortSignal;
  readonly runtime: Pick<RuntimeService, 'execSync'>;
  readonly network: NodeNetwork;
  /** The last status of a pod that the kubelet has made, with what {@link ProbeManager.updatePodStatus} put in; undefined when it has made none. */
  readonly statusOf: (podUID: string) => Pod['status'] | undefined;
  /**
   * Told of each result that is not what it was before, in the order of what happened: also of the first one. It is not told of
   * what is forgotten. It may call the manager.
   */
  readonly onUpdate: (update: ProbeUpdate) => void;
}

/** Makes the probe manager of a kubelet that starts now. */
export type NewProbeManager = (options: ProbeManagerOptions) => ProbeManager;
