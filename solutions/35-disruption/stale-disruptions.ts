import { withCondition } from '#given/35-disruption';
import {
  type ComponentContext,
  formatTime,
  hasEnded,
  keyOf,
  keyToString,
  messageOf,
  type Pod,
  pods,
  type RateLimitingWorkQueue,
  type SharedInformer,
} from '#harness';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/disruption/disruption.go stalePodDisruptionTimeout */
const STALE_MS = 120_000;

/**
 * Resets the condition DisruptionTarget of pods that were never deleted. Otherwise a later failure of such a pod would
 * count as a disruption.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/disruption/disruption.go syncStalePodDisruption
 */
export class StaleDisruptions {
  readonly #context: ComponentContext;
  readonly #queue: RateLimitingWorkQueue<string>;
  readonly #pods: SharedInformer<Pod>;

  constructor(context: ComponentContext) {
    this.#context = context;
    this.#queue = context.newWorkQueue<string>();
    this.#pods = context.informers.forResource(pods);
    const note = (pod: Pod): void => {
      if (this.#leftMs(pod) !== undefined) this.#enqueue(pod);
    };
    this.#pods.addEventHandler({ onAdd: note, onUpdate: (_old, pod) => note(pod) });
  }

  /** Runs until the signal aborts. */
  async run(): Promise<void> {
    const { runWorkers, log } = this.#context;
    await runWorkers({
      queue: this.#queue,
      workers: 1,
      sync: (key) => this.#sync(key),
      onError: (error, key) =>
        log(`error syncing pod ${key} to clear its DisruptionTarget condition: ${messageOf(error)}`),
    });
  }

  #enqueue(pod: Pod): void {
    this.#queue.addAfter(keyToString(keyOf(pod)), this.#leftMs(pod) ?? 0);
  }

  async #sync(key: string): Promise<void> {
    const { client, clock, signal } = this.#context;
    const pod = this.#pods.indexer.getByKey(key);
    const leftMs = pod && this.#leftMs(pod);
    if (!pod || leftMs === undefined) return;
    if (leftMs > 0) return this.#enqueue(pod);
    const { generation: observedGeneration = 0 } = pod.metadata;
    const reset = { type: 'DisruptionTarget', status: 'False', lastProbeTime: null, observedGeneration };
    const conditions = withCondition(pod.status.conditions, reset, formatTime(clock.now()));
    await client.updateStatus(pods, { ...pod, status: { ...pod.status, conditions } }, { signal });
  }

  /**
   * Returns the time until the condition is stale; undefined if it is absent or has to stay. The kubelet may set it long
   * before it ends a pod.
   *
   * Upstream: nonTerminatingPodHasStaleDisruptionCondition
   */
  #leftMs(pod: Pod): number | undefined {
    if (pod.metadata.deletionTimestamp !== undefined || hasEnded(pod)) return undefined;
    const condition = pod.status.conditions?.find(({ type }) => type === 'DisruptionTarget');
    if (condition?.status !== 'True' || condition.reason === 'TerminationByKubelet') return undefined;
    const sinceMs = Date.parse(condition.lastTransitionTime ?? '1970-01-01T00:00:00Z');
    return Math.max(0, sinceMs + STALE_MS - this.#context.clock.now());
  }
}
