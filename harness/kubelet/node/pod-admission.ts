import type { Pod } from '../../api/objects.ts';
import { hasEnded } from '../../api/predicates.ts';
import type { KubeletParts } from '../kubelet-parts.ts';
import type { NodeAgent } from './node-agent.ts';

/**
 * Admits pods, or rejects pods that the node cannot run.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go HandlePodAdditions, rejectPod; kubelet_pods.go
 * filterOutInactivePods
 *
 * Differs: when the kubelet restarts, pods that it had admitted before come first. Upstream sorts by age alone, and may
 * reject a running pod because of a pod added meanwhile.
 */
export class PodAdmission {
  readonly #parts: KubeletParts;
  readonly #agent: NodeAgent;
  readonly #taken = new Set<string>();

  constructor(parts: KubeletParts, agent: NodeAgent) {
    this.#parts = parts;
    this.#agent = agent;
  }

  /**
   * Decides about a new pod.
   *
   * @param all all pods of the node, including this one
   * @returns false if the pod is rejected: the rejection is reported, and the caller must not start the pod
   */
  take(pod: Pod, all: readonly Pod[]): boolean {
    const { workers, statuses, context } = this.#parts;
    // A terminating pod needs no further resources.
    const isOver = workers.isTerminationRequested(pod.metadata.uid) || hasEnded(pod);
    const rejection = isOver ? undefined : this.#agent.admit(pod, this.#others(pod, all));
    if (!rejection) {
      this.#taken.add(pod.metadata.uid);
      return true;
    }
    const { reason, message } = rejection;
    context.recorder.event(pod, 'Warning', reason, message);
    const { qosClass } = pod.status;
    statuses.setPodStatus(pod, {
      ...(qosClass ? { qosClass } : {}),
      phase: 'Failed',
      reason,
      message: `Pod was rejected: ${message}`,
    });
    return false;
  }

  /** Forgets a deleted pod. */
  forget({ metadata }: Pod): void {
    this.#taken.delete(metadata.uid);
  }

  #others(pod: Pod, all: readonly Pod[]): readonly Pod[] {
    return all.filter(
      (other) =>
        other !== pod &&
        this.#isActive(other) &&
        (this.#taken.has(other.metadata.uid) || precedes(other, pod)),
    );
  }

  /**
   * Returns whether the pod uses resources of the node. A rejected pod does not, even if the API does not have its
   * status yet.
   */
  #isActive(pod: Pod): boolean {
    const { workers, statuses } = this.#parts;
    const { uid } = pod.metadata;
    if (workers.knows(uid) && !workers.couldHaveRunningContainers(uid)) return false;
    const known = statuses.get(uid);
    const ended = hasEnded(pod) || (known !== undefined && hasEnded({ status: known as Pod['status'] }));
    return !ended || workers.isTerminationRequested(uid);
  }
}

/** Returns whether pod `a` is admitted before pod `b` if both are added together. */
function precedes(a: Pod, b: Pod): boolean {
  const rank = ({ status, metadata }: Pod): readonly string[] => [
    status.startTime === undefined ? 'new' : 'had',
    metadata.creationTimestamp ?? '',
    metadata.namespace ?? '',
    metadata.name,
  ];
  return rank(a).join('\n') < rank(b).join('\n');
}
