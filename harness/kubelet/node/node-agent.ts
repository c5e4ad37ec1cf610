import type { Pod } from '../../api/objects.ts';

/**
 * The node-related part of a kubelet: it reports the Node, protects it from running out of resources, and rejects pods
 * that the node cannot admit.
 */
export interface NodeAgent {
  /** Collects the information that `admit` needs. Resolves early when the kubelet stops. */
  start(): Promise<void>;

  /** Runs until the kubelet stops. */
  run(): Promise<void>;

  /**
   * Returns why a new pod cannot be admitted. Called once per pod; at the start of the kubelet for every existing pod,
   * the oldest first.
   *
   * @param others pods admitted before that have not ended
   * @returns undefined when the pod is admitted
   */
  admit(pod: Pod, others: readonly Pod[]): PodRejection | undefined;
}

/**
 * The reason why a node rejects a pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/lifecycle/interfaces.go PodAdmitResult
 */
export interface PodRejection {
  /** The text for `status.reason`: `OutOfcpu`. */
  readonly reason: string;
  /** Human-readable: `Node didn't have enough resource: cpu, requested: 1000, used: 3500, capacity: 4000`. */
  readonly message: string;
}
