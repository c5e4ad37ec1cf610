import type { Pod } from '../../api/objects.ts';

/**
 * What a kubelet does for its node, beside its pods: it tells of the node, keeps it from running short, and refuses pods that it
 * cannot have.
 */
export interface NodeAgent {
  /** Finds out what it has to know before it can be asked. Resolves early when the kubelet is to stop. */
  start(): Promise<void>;

  /** Does it until the kubelet is to stop. */
  run(): Promise<void>;

  /**
   * Whether a pod that came can be had. It is asked once a pod, also for each that is there when the kubelet starts, the oldest
   * first.
   *
   * @param others those that were taken before and have not ended
   * @returns why not; undefined when it is taken
   */
  admit(pod: Pod, others: readonly Pod[]): PodRejection | undefined;
}

/** Why a node does not take a pod. Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/lifecycle/interfaces.go PodAdmitResult */
export interface PodRejection {
  /** For `status.reason`: `OutOfcpu`. */
  readonly reason: string;
  /** For people: `Node didn't have enough resource: cpu, requested: 1000, used: 3500, capacity: 4000`. */
  readonly message: string;
}
