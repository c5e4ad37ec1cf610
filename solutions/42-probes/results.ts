import type { ProbeManagerOptions, ProbeResult, ProbeType } from '#harness';

/**
 * Level 7: the results of one type of probe, by container.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/prober/results/results_manager.go manager
 */
export class Results {
  readonly #type: ProbeType;
  readonly #onUpdate: ProbeManagerOptions['onUpdate'];
  readonly #cache = new Map<string, ProbeResult>();

  constructor(type: ProbeType, onUpdate: ProbeManagerOptions['onUpdate']) {
    this.#type = type;
    this.#onUpdate = onUpdate;
  }

  get(containerID: string): ProbeResult | undefined {
    return this.#cache.get(containerID);
  }

  set(containerID: string, result: ProbeResult, podUID: string): void {
    if (this.#cache.get(containerID) === result) return;
    this.#cache.set(containerID, result);
    this.#onUpdate({ podUID, containerID, type: this.#type, result });
  }

  remove(containerID: string): void {
    this.#cache.delete(containerID);
  }
}
