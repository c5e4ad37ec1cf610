import {
  defaultEvictionHard,
  type EvictionManagerOptions,
  type EvictionThreshold,
  isCriticalPod,
  localStorageMessage,
  type NodePressure,
  type NodeUsage,
  resourceOf,
} from '#given/41-kubelet';
import type { core, Pod } from '#harness';
import { evictionMessage, pressureOf, rankForEviction, thresholdsMet } from './eviction.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/eviction/eviction_manager.go immediateEvictionGracePeriodSeconds */
const IMMEDIATE_GRACE_SECONDS = 1;
/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/apis/config/v1beta1/defaults.go EvictionPressureTransitionPeriod */
const TRANSITION_MS = 300_000;

export class EvictionManager {
  readonly #options: EvictionManagerOptions;
  readonly #thresholds: readonly EvictionThreshold[];
  /** The time since which each threshold has been met without interruption. */
  #metSince = new Map<EvictionThreshold, number>();
  /** The thresholds that cause evictions until the minimum reclaim is available again. */
  #unresolved: readonly EvictionThreshold[] = [];
  readonly #lastSeenMs = new Map<NodePressure, number>();
  #hasObserved = false;

  constructor(options: EvictionManagerOptions) {
    this.#options = options;
    this.#thresholds = options.thresholds ?? defaultEvictionHard;
  }

  get pressure(): ReadonlySet<NodePressure> | undefined {
    if (!this.#hasObserved) return undefined;
    const nowMs = this.#options.clock.now();
    const lasting = [...this.#lastSeenMs].filter(([, atMs]) => nowMs - atMs < TRANSITION_MS);
    return new Set(lasting.map(([pressure]) => pressure));
  }

  async synchronize(): Promise<readonly Pod[]> {
    const { activePods, observe } = this.#options;
    const pods = activePods();
    const usage = await observe(pods);
    const due = this.#note(usage);
    const own = await this.#evictForOwnLimits(pods, usage);
    if (own.length > 0) return own;
    // Memory first: a full disk only blocks writes.
    const first = due.find(({ signal }) => signal === 'memory.available') ?? due[0];
    if (!first) return [];
    const resource = resourceOf(first.signal);
    this.#options.warn('EvictionThresholdMet', `Attempting to reclaim ${resource}`);
    if (pressureOf(first.signal) === 'DiskPressure' && (await this.#reclaimed())) return [];
    return this.#evictOne(first, due, pods, usage);
  }

  /** Records the observations. Returns the thresholds that require an eviction. */
  #note({ observations }: NodeUsage): readonly EvictionThreshold[] {
    const nowMs = this.#options.clock.now();
    const met = thresholdsMet(this.#thresholds, observations);
    const lasting = thresholdsMet(this.#unresolved, observations, { enforceMinReclaim: true });
    const all = this.#thresholds.filter((each) => met.includes(each) || lasting.includes(each));
    this.#metSince = new Map(all.map((each) => [each, this.#metSince.get(each) ?? nowMs]));
    for (const { signal } of all) this.#lastSeenMs.set(pressureOf(signal), nowMs);
    this.#hasObserved = true;
    this.#unresolved = all.filter(
      (each) => nowMs - (this.#metSince.get(each) ?? nowMs) >= (each.gracePeriodMs ?? 0),
    );
    return this.#unresolved;
  }

  async #reclaimed(): Promise<boolean> {
    const { reclaim, observe } = this.#options;
    await reclaim();
    const { observations } = await observe([]);
    return thresholdsMet(this.#thresholds, observations, { enforceMinReclaim: true }).length === 0;
  }

  async #evictForOwnLimits(pods: readonly Pod[], usage: NodeUsage): Promise<readonly Pod[]> {
    const evicted: Pod[] = [];
    for (const pod of pods) {
      const used = usage.pods.get(pod.metadata.uid);
      const message = used && localStorageMessage(pod, used);
      if (message === undefined || isCriticalPod(pod)) continue;
      await this.#options.evict({ pod, graceSeconds: IMMEDIATE_GRACE_SECONDS, message });
      evicted.push(pod);
    }
    return evicted;
  }

  /** Evicts one pod at a time, because one may be enough. */
  async #evictOne(
    threshold: EvictionThreshold,
    thresholds: readonly EvictionThreshold[],
    pods: readonly Pod[],
    { pods: usages, observations }: NodeUsage,
  ): Promise<readonly Pod[]> {
    const resource = resourceOf(threshold.signal);
    const pod = rankForEviction(resource, pods, usages).find((each) => !isCriticalPod(each));
    if (!pod) return [];
    const message = evictionMessage(resource, pod, { usages, thresholds, observations });
    const { generation } = pod.metadata;
    const condition: core.PodCondition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'TerminationByKubelet',
      message,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
    };
    await this.#options.evict({ pod, graceSeconds: this.#graceOf(threshold, pod), message, condition });
    return [pod];
  }

  #graceOf({ gracePeriodMs = 0 }: EvictionThreshold, { spec }: Pod): number {
    if (gracePeriodMs === 0) return IMMEDIATE_GRACE_SECONDS;
    const { maxPodGracePeriodSeconds = 0 } = this.#options;
    return Math.min(maxPodGracePeriodSeconds, spec.terminationGracePeriodSeconds ?? maxPodGracePeriodSeconds);
  }
}
