import { deepEqual } from '../api/freeze.ts';
import type { Pod } from '../api/objects.ts';
import { noteCaught } from '../contracts/caught.ts';
import type { NodeComponentContext } from '../contracts/component.ts';
import type { KubeletConfiguration, ProbeUpdate } from '../contracts/node/index.ts';
import { NotImplemented } from '../contracts/todo.ts';
import type { StatusDecisions } from './api-pod-status.ts';
import { AssignedPods } from './assigned-pods.ts';
import { deadContainers } from './dead-containers.ts';
import { KubeletParts } from './kubelet-parts.ts';
import { messageOf } from './message-of.ts';
import type { NodeAgent } from './node/node-agent.ts';
import { PodAdmission } from './node/pod-admission.ts';
import type { PodLifecycleEvent } from './pleg.ts';
import type { PodSyncer } from './pod-syncer.ts';
import { isMirrorPod, isStaticPod } from './static-pod.ts';
import { StaticPods } from './static-pods.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go housekeepingPeriod, ContainerGCPeriod, ImageGCPeriod */
const HOUSEKEEPING_MS = 2_000;
const CONTAINER_GC_MS = 60_000;
const IMAGE_GC_MS = 300_000;

/**
 * The delays while the runtime does not answer.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go syncLoop
 */
const RUNTIME_BACKOFF_MS = { base: 100, max: 5_000, factor: 2 };

/** The functions of a kata, and the configuration of the kubelet. */
interface KubeletOptions {
  /** Creates the functions that work on pods. */
  readonly syncer: (parts: KubeletParts) => PodSyncer;
  readonly decisions: StatusDecisions;
  /** @defaultValue the cluster's: `context.kubeletConfiguration` */
  readonly configuration?: KubeletConfiguration;
  /** Creates the agent of the node. @defaultValue none: the kubelet admits every pod and reports no Node */
  readonly node?: (parts: KubeletParts, syncer: PodSyncer) => NodeAgent;
}

/**
 * Runs a kubelet until its signal is aborted. It notifies the worker of a pod when the API, the runtime or a probe
 * reports a change, and when the next sync is due.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go Run, syncLoopIteration
 *
 * @throws NotImplemented when an unimplemented stub was called to sync a pod
 *
 * Differs: a pod is synced at its due time, not at the next tick of a second.
 */
export async function runKubelet(context: NodeComponentContext, options: KubeletOptions): Promise<void> {
  const loop = new SyncLoop(context, options);
  await loop.run();
}

class SyncLoop {
  readonly #context: NodeComponentContext;
  readonly #parts: KubeletParts;
  readonly #syncer: PodSyncer;
  readonly #agent: NodeAgent | undefined;
  readonly #admission: PodAdmission | undefined;
  readonly #assigned: AssignedPods;
  readonly #static: StaticPods;
  /** The pods of the API, as last observed. */
  readonly #known = new Map<string, Pod>();
  readonly #deadlines = new Map<string, () => void>();
  #queue: (() => void)[] = [];
  #draining = false;
  /** Removals run one after another, because two removals of the same container conflict. */
  #removals = Promise.resolve();
  #giveUp: (error: Error) => void = () => {};

  constructor(context: NodeComponentContext, { syncer, decisions, node, ...options }: KubeletOptions) {
    const { configuration = context.kubeletConfiguration } = options;
    this.#context = context;
    this.#assigned = new AssignedPods(context.node, (uid) => this.#push(() => this.#podChanged(uid)));
    this.#static = new StaticPods({
      node: context.node,
      files: context.host.files,
      directory: configuration?.staticPodPath ?? '/etc/kubernetes/manifests',
      clock: context.clock,
      signal: context.signal,
      onAdd: (pod) => this.#push(() => this.#added(pod)),
      onRemove: (pod) => this.#push(() => this.#removed(pod)),
      onError: (error) => context.log(messageOf(error)),
    });
    let made: PodSyncer | undefined;
    this.#parts = new KubeletParts(
      context,
      (parts) => {
        made = syncer(parts);
        return made;
      },
      {
        decisions,
        ...(configuration ? { configuration } : {}),
        signals: {
          onLifecycle: (event) => this.#push(() => this.#lifecycle(event)),
          onProbe: (update) => this.#push(() => this.#probed(update)),
          onDue: (uid) => this.#push(() => this.#sync(uid)),
          onSyncError: (error) => this.#failed(error),
        },
      },
    );
    this.#syncer = made as PodSyncer;
    this.#agent = node?.(this.#parts, this.#syncer);
    this.#admission = this.#agent && new PodAdmission(this.#parts, this.#agent);
  }

  async run(): Promise<void> {
    const { signal, log, clock, recorder, node } = this.#context;
    const { pleg, runtimeState, statuses, images } = this.#parts;
    const every = async (ms: number, what: () => Promise<void>): Promise<void> => {
      while (!signal.aborted) {
        await clock.sleep(ms, signal).catch(() => {});
        if (!signal.aborted)
          await what().catch((error: unknown) => {
            noteCaught(error);
            log(String(error));
          });
      }
    };
    recorder.event({ kind: 'Node', name: node, uid: node }, 'Normal', 'Starting', 'Starting kubelet.');
    await this.#agent?.start();
    const work = Promise.all([
      this.#assigned.run(this.#context),
      this.#static.run(),
      pleg.run(),
      runtimeState.run(),
      statuses.run(),
      this.#agent?.run(),
      every(HOUSEKEEPING_MS, async () => {
        if (this.#assigned.hasSynced && this.#static.hasSynced) await this.#syncer.handlePodCleanups();
      }),
      every(CONTAINER_GC_MS, () => this.#syncer.garbageCollect()),
      every(IMAGE_GC_MS, () => images.garbageCollect()),
    ]);
    const gaveUp = new Promise<never>((_, reject) => {
      this.#giveUp = reject;
    });
    await Promise.race([work, gaveUp]);
  }

  /** Failures are retried, except an unimplemented stub, which fails every time. */
  #failed(error: unknown): void {
    noteCaught(error);
    this.#context.log(String(error));
    if (error instanceof NotImplemented) this.#giveUp(error);
  }

  /** Handles events one at a time, and only while the runtime is available. */
  #push(event: () => void): void {
    this.#queue.push(event);
    void this.#drain();
  }

  async #drain(): Promise<void> {
    if (this.#draining) return;
    this.#draining = true;
    const { clock, signal } = this.#context;
    let backoffMs = RUNTIME_BACKOFF_MS.base;
    while (this.#queue.length > 0 && !signal.aborted) {
      if (this.#parts.runtimeState.runtimeErrors().length > 0) {
        await clock.sleep(backoffMs, signal).catch(() => {});
        backoffMs = Math.min(backoffMs * RUNTIME_BACKOFF_MS.factor, RUNTIME_BACKOFF_MS.max);
        continue;
      }
      backoffMs = RUNTIME_BACKOFF_MS.base;
      const queue = this.#queue;
      this.#queue = [];
      for (const event of queue) event();
    }
    this.#draining = false;
  }

  #podChanged(uid: string): void {
    const [old, pod] = [this.#known.get(uid), this.#assigned.get(uid)];
    if (!pod) {
      this.#known.delete(uid);
      if (old) this.#removed(old);
      return;
    }
    this.#known.set(uid, pod);
    this.#parts.pods.set(pod);
    this.#watchDeadline(pod);
    if (!old) this.#came(pod);
    else if (differs(old, pod)) this.#tell(pod, 'update');
    // Most changes of a status were written by this kubelet. But other components set the conditions of readiness
    // gates.
    else if (pod.spec.readinessGates?.length && !isMirrorPod(pod)) this.#tell(pod, 'sync');
  }

  #added(pod: Pod): void {
    this.#parts.pods.set(pod);
    this.#came(pod);
  }

  #came(pod: Pod): void {
    if (isMirrorPod(pod)) this.#tell(pod, 'update');
    else if (this.#admission?.take(pod, this.#all()) !== false) this.#tell(pod, 'create');
  }

  /** Returns all pods, including those that the loop has not handled yet. */
  #all(): readonly Pod[] {
    const own = this.#parts.pods.list().filter(isStaticPod);
    return [...this.#assigned.list().filter((pod) => !isMirrorPod(pod)), ...own];
  }

  #removed(pod: Pod): void {
    this.#admission?.forget(pod);
    this.#parts.pods.delete(pod);
    this.#deadlines.get(pod.metadata.uid)?.();
    this.#deadlines.delete(pod.metadata.uid);
    if (isMirrorPod(pod)) this.#tell(pod, 'update');
    else this.#parts.workers.update({ type: 'kill', pod });
  }

  /** Sends an update to the worker of a pod; for a mirror pod, to the worker of its static pod. */
  #tell(pod: Pod, type: 'create' | 'update' | 'sync'): void {
    const { pods, workers } = this.#parts;
    const own = isMirrorPod(pod) ? pods.staticPodOf(pod) : pod;
    if (own) workers.update({ type, pod: own, mirrorPod: pods.mirrorOf(own) });
  }

  #sync(uid: string): void {
    const pod = this.#parts.pods.get(uid);
    if (pod) this.#tell(pod, 'sync');
  }

  #lifecycle({ uid, type, id }: PodLifecycleEvent): void {
    if (type !== 'removed') this.#sync(uid);
    if (type === 'died') this.#removals = this.#removals.then(() => this.#removeDead(uid, id));
  }

  async #removeDead(uid: string, id: string): Promise<void> {
    const { cache, workers } = this.#parts;
    try {
      const status = cache.get(uid);
      const all = workers.shouldPodContentBeRemoved(uid);
      if (!status) return;
      for (const each of deadContainers(status, id, { all })) await this.#parts.removeContainer(each);
    } catch {
      // The pod could not be read; garbage collection removes its dead containers.
    }
  }

  #probed({ podUID, type, result }: ProbeUpdate): void {
    const pod = this.#parts.pods.get(podUID);
    if (!pod || (type === 'liveness' && result !== 'Failure')) return;
    if (type !== 'liveness') this.#parts.onReadiness(pod);
    this.#tell(pod, 'sync');
  }

  /** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/active_deadline.go ShouldSync */
  #watchDeadline({ metadata: { uid }, spec, status }: Pod): void {
    const { activeDeadlineSeconds } = spec;
    this.#deadlines.get(uid)?.();
    if (activeDeadlineSeconds === undefined || status.startTime === undefined) return;
    const { clock } = this.#context;
    const leftMs = Date.parse(status.startTime) + activeDeadlineSeconds * 1_000 - clock.now();
    if (leftMs > 0)
      this.#deadlines.set(
        uid,
        clock.after(leftMs, () => this.#push(() => this.#sync(uid))),
      );
  }
}

/**
 * Returns whether the pods differ in a field that matters to the kubelet, other than the status.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/config/config.go podsDifferSemantically
 */
function differs(a: Pod, b: Pod): boolean {
  return !deepEqual(wanted(a), wanted(b));
}

function wanted({ spec, metadata }: Pod): unknown {
  const { labels, annotations, deletionTimestamp, deletionGracePeriodSeconds, generation } = metadata;
  return { spec, labels, annotations, deletionTimestamp, deletionGracePeriodSeconds, generation };
}
