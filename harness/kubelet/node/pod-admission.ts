import type { Pod } from '../../api/objects.ts';
import { hasEnded } from '../../api/predicates.ts';
import type { KubeletParts } from '../kubelet-parts.ts';
import type { NodeAgent } from './node-agent.ts';

/**
 * Takes pods, or refuses those that the node cannot have.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go HandlePodAdditions, rejectPod, filterOutInactivePods
 *
 * Differs: when the kubelet starts, pods that it had taken before come first; upstream goes by their age alone, and may refuse
 * one that runs because of one that came meanwhile.
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
   * Asks the node about a pod that came.
   *
   * @param all all pods of the node, this one too
   * @returns false when it was refused: then that is told, and nothing of it is to be started
   */
  take(pod: Pod, all: readonly Pod[]): boolean {
    const { workers, statuses, context } = this.#parts;
    // What is to end anyway takes no more than it has.
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

  /** The pod is gone. */
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

  /** Whether it takes anything of the node. One that was refused does not, whether the API knows it yet or not. */
  #isActive(pod: Pod): boolean {
    const { workers, statuses } = this.#parts;
    const { uid } = pod.metadata;
    if (workers.knows(uid) && !workers.couldHaveRunningContainers(uid)) return false;
    const known = statuses.get(uid);
    const ended = hasEnded(pod) || (known !== undefined && hasEnded({ status: known as Pod['status'] }));
    return !ended || workers.isTerminationRequested(uid);
  }
}

/** Whether a pod is taken before another, if both come at once. */
function precedes(a: Pod, b: Pod): boolean {
  const rank = ({ status, metadata }: Pod): readonly string[] => [
    status.startTime === undefined ? 'new' : 'had',
    metadata.creationTimestamp ?? '',
    metadata.namespace ?? '',
    metadata.name,
  ];
  return rank(a).join('\n') < rank(b).join('\n');
}
