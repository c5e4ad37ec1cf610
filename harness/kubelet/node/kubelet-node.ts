import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import type { OomKill } from '../../contracts/node/index.ts';
import type { KubeletParts } from '../kubelet-parts.ts';
import type { PodSyncer } from '../pod-syncer.ts';
import type { NodeAgent, PodRejection } from './node-agent.ts';
import { describeNode, nodeDescription } from './node-description.ts';
import { type NodeSources, observeNode } from './node-observation.ts';
import type { AdmissionInput, Eviction, NodeParts } from './node-parts.ts';
import { type NodeUsage, observeUsage } from './pod-usage.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go evictionMonitoringPeriod */
const PERIOD_MS = 10_000;
/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/eviction/eviction_manager.go podCleanupTimeout, podCleanupPollFreq */
const CLEANUP = { withinMs: 30_000, pollMs: 1_000 };
const RETRY_MS = 1_000;
/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/cm/node_container_manager_linux.go enforceNodeAllocatableCgroups */
const ENFORCED = 'Updated Node Allocatable limit across pods';

/** Assembles the agent of a node. */
export function newNodeAgent(parts: KubeletParts, syncer: PodSyncer, made: NodeParts): NodeAgent {
  return new KubeletNode(parts, syncer, made);
}

class KubeletNode implements NodeAgent {
  readonly #parts: KubeletParts;
  readonly #made: NodeParts;
  readonly #evictions: ReturnType<NodeParts['newEvictionManager']>;
  readonly #sources: NodeSources;
  #node: AdmissionInput['node'] | undefined;
  /** The number of reported {@link OomKill}s. */
  #oomKills = 0;

  constructor(parts: KubeletParts, syncer: PodSyncer, made: NodeParts) {
    const { context, runtimeState, images, volumes } = parts;
    const { clock } = context;
    this.#parts = parts;
    this.#made = made;
    this.#evictions = made.newEvictionManager({
      clock,
      activePods: () => this.#activePods(),
      observe: (pods) => this.#observe(pods),
      async reclaim() {
        await syncer.garbageCollect();
        await images.deleteUnusedImages();
      },
      evict: (eviction) => this.#evict(eviction),
      warn: (reason, message) => this.#event('Warning', reason, message),
    });
    this.#sources = {
      runtimeErrors: () => (runtimeState.isKnown ? runtimeState.runtimeErrors() : undefined),
      networkErrors: () => runtimeState.networkErrors(),
      pressure: () => this.#evictions.pressure,
      volumesInUse: () => volumes.volumesInUse(),
    };
  }

  async start(): Promise<void> {
    const { node, host, clock, signal } = this.#parts.context;
    while (!signal.aborted) {
      const observation = await observeNode({ node, host, nowMs: () => clock.now() }, this.#sources);
      this.#node = { metadata: { ...nodeDescription(node) }, status: describeNode(undefined, observation) };
      if (observation.machine) return this.#event('Normal', 'NodeAllocatableEnforced', ENFORCED);
      await clock.sleep(RETRY_MS, signal).catch(() => {});
    }
  }

  async run(): Promise<void> {
    await Promise.all([this.#made.runNode(this.#parts.context, this.#sources), this.#watchPressure()]);
  }

  admit(pod: Pod, others: readonly Pod[]): PodRejection | undefined {
    if (!this.#node) return { reason: 'InvalidNodeInfo', message: 'Kubelet cannot get node info.' };
    // Pressure that is not known yet rejects no pod: a running pod must keep running.
    const pressure = this.#evictions.pressure ?? new Set();
    return this.#made.admitPod(pod, { node: this.#node, others, pressure });
  }

  async #watchPressure(): Promise<void> {
    const { clock, signal, log } = this.#parts.context;
    while (!signal.aborted) {
      const evicted = await this.#evictions.synchronize().catch((error: unknown) => {
        log(String(error));
        return [];
      });
      if (evicted.length > 0) await this.#cleanedUp(evicted);
      else await clock.sleep(PERIOD_MS, signal).catch(() => {});
    }
  }

  /** Waits until the evicted pods have stopped: their effect must show before the next eviction. */
  async #cleanedUp(pods: readonly Pod[]): Promise<void> {
    const { context, workers } = this.#parts;
    const { clock, signal } = context;
    const untilMs = clock.monotonicMs() + CLEANUP.withinMs;
    do await clock.sleep(CLEANUP.pollMs, signal).catch(() => {});
    while (
      !signal.aborted &&
      clock.monotonicMs() < untilMs &&
      pods.some(({ metadata }) => workers.couldHaveRunningContainers(metadata.uid))
    );
  }

  /** Records an event about the node. */
  #event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const { recorder, node } = this.#parts.context;
    recorder.event({ kind: 'Node', name: node, uid: node }, type, reason, message);
  }

  async #observe(pods: readonly Pod[]): Promise<NodeUsage> {
    const usage = await observeUsage(this.#parts.context.host, pods);
    this.#reportOomKills(usage.oomKills);
    return usage;
  }

  /**
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/oom/oom_watcher_linux.go realWatcher.Start. A kubelet that starts
   * reads the whole log of the kernel, so it reports earlier kills again.
   *
   * Differs: the kubelet reads the log with each observation, every ten seconds.
   */
  #reportOomKills(all: readonly OomKill[]): void {
    // The list is shorter than before if the machine has booted.
    const reported = this.#oomKills <= all.length ? this.#oomKills : 0;
    this.#oomKills = all.length;
    for (const { process, pid } of all.slice(reported)) {
      const message = `System OOM encountered, victim process: ${process}, pid: ${pid}`;
      this.#event('Warning', 'SystemOOM', message);
    }
  }

  #activePods(): readonly Pod[] {
    const { pods, workers } = this.#parts;
    return pods
      .list()
      .filter(({ metadata: { uid } }) => workers.knows(uid) && workers.couldHaveRunningContainers(uid));
  }

  async #evict({ pod, graceSeconds, message, condition }: Eviction): Promise<void> {
    const { workers, context } = this.#parts;
    context.recorder.event(pod, 'Warning', 'Evicted', message);
    const adjust = (status: core.PodStatus): core.PodStatus => ({
      ...status,
      phase: 'Failed',
      reason: 'Evicted',
      message,
      conditions: [
        ...(status.conditions ?? []).filter(({ type }) => type !== condition?.type),
        ...(condition ? [condition] : []),
      ],
    });
    await workers.killPod(pod, { graceSeconds, evict: true, adjust });
  }
}
