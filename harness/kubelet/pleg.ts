import { formatDuration } from '../api/duration.ts';
import type { Clock } from '../sim/index.ts';
import type { PodCache } from './pod-cache.ts';
import { nothingOf } from './pod-cache.ts';
import type { RuntimePodStatus } from './pod-status.ts';
import type { RuntimePod, RuntimePods } from './runtime-pods.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go genericPlegRelistPeriod, genericPlegRelistThreshold */
const RELIST_PERIOD_MS = 1_000;
const RELIST_THRESHOLD_MS = 180_000;

/** A change of a container or a sandbox of a pod. */
export interface PodLifecycleEvent {
  readonly uid: string;
  /** `died` also covers a container that disappears without being seen to exit. `removed` needs no action. */
  readonly type: 'started' | 'died' | 'changed' | 'removed';
  /** The ID in the runtime. */
  readonly id: string;
}

/** Dependencies of a PLEG. */
interface PlegOptions {
  readonly runtimePods: Pick<RuntimePods, 'list' | 'statusOf'>;
  readonly cache: PodCache;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called after the cache is updated. */
  readonly onEvent: (event: PodLifecycleEvent) => void;
  /** Called when listing the runtime or inspecting a pod fails. The next relist inspects that pod again. */
  readonly onError: (error: unknown) => void;
}

/**
 * The pod lifecycle event generator (PLEG): it lists all pods of the runtime once a second, and emits an event for each
 * change.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pleg/generic.go GenericPLEG
 */
export class Pleg {
  readonly #options: PlegOptions;
  readonly #requests = new Set<string>();
  readonly #again = new Set<string>();
  #seen = new Map<string, RuntimePod>();
  /** The last full list, while {@link #seen} has exactly its pods. */
  #unchanged: readonly RuntimePod[] | undefined;
  #lastRelistMs: number | undefined;
  #wake: () => void = () => {};

  constructor(options: PlegOptions) {
    this.#options = options;
  }

  /** Relists until the signal is aborted. Never rejects. */
  async run(): Promise<void> {
    const { clock, signal } = this.#options;
    while (!signal.aborted) {
      await this.#relist();
      const next = clock.monotonicMs() + RELIST_PERIOD_MS;
      for (;;) {
        for (const uid of this.#requests) await this.#relistPod(uid);
        const leftMs = next - clock.monotonicMs();
        if (leftMs <= 0 || signal.aborted) break;
        await this.#rest(leftMs);
      }
    }
  }

  /** Requests a relist of one pod soon, after an operation on it. */
  requestRelist(uid: string): void {
    this.#requests.add(uid);
    this.#wake();
  }

  /** Returns why the PLEG is unhealthy; undefined when it is healthy. */
  healthError(): string | undefined {
    const { clock } = this.#options;
    if (this.#lastRelistMs === undefined) return 'pleg has yet to be successful';
    const agoMs = clock.monotonicMs() - this.#lastRelistMs;
    if (agoMs <= RELIST_THRESHOLD_MS) return undefined;
    return `pleg was last seen active ${formatDuration(agoMs)} ago; threshold is 3m0s`;
  }

  #rest(ms: number): Promise<void> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      const cancel = clock.after(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
      if (this.#requests.size > 0) this.#wake();
    });
  }

  async #relist(): Promise<void> {
    const { runtimePods, cache, clock, onError } = this.#options;
    const [stamp, startedMs] = [cache.stamp(), clock.monotonicMs()];
    try {
      const listed = await runtimePods.list();
      // Set only after the list has succeeded: a runtime that does not answer does not count as active.
      this.#lastRelistMs = startedMs;
      if (listed !== this.#unchanged || this.#again.size > 0) await this.#reconcileAll(listed, stamp);
      cache.seenAll(stamp);
    } catch (error) {
      onError(error);
    }
  }

  async #reconcileAll(listed: readonly RuntimePod[], stamp: number): Promise<void> {
    const pods = new Map(listed.map((pod) => [pod.uid, pod]));
    for (const uid of new Set([...this.#seen.keys(), ...pods.keys()])) {
      await this.#reconcile(uid, pods.get(uid), stamp);
    }
    this.#unchanged = listed;
  }

  async #relistPod(uid: string): Promise<void> {
    this.#requests.delete(uid);
    this.#unchanged = undefined;
    const stamp = this.#options.cache.stamp();
    try {
      const [pod] = await this.#options.runtimePods.list(uid);
      this.#again.add(uid);
      await this.#reconcile(uid, pod, stamp);
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Stores the current state of a pod in the cache, and emits events for the changes since the last relist. */
  async #reconcile(uid: string, pod: RuntimePod | undefined, stamp: number): Promise<void> {
    const { runtimePods, cache, onEvent, onError } = this.#options;
    const before = this.#seen.get(uid);
    const events = changes(before, pod);
    if (events.length === 0 && !this.#again.has(uid)) return;
    this.#again.delete(uid);
    if (!pod) {
      if (before) cache.set(uid, nothingOf(before), stamp);
      this.#seen.delete(uid);
    } else {
      try {
        const status = await runtimePods.statusOf(pod);
        cache.set(uid, { ...status, ips: this.#ipsOf(status) }, stamp);
        this.#seen.set(uid, pod);
      } catch (error) {
        // Each event is emitted only once, so it must wait until the pod can be inspected.
        cache.set(uid, cache.last(uid) ?? nothingOf(pod), stamp, error);
        this.#again.add(uid);
        onError(error);
        return;
      }
    }
    for (const event of events) onEvent(event);
  }

  /**
   * Returns the IPs of a pod; a stopped pod keeps its last IPs. The status decides whether the pod has stopped, because
   * the list in which the pod was found is older.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pleg/generic.go getPodIPs
   */
  #ipsOf({ uid, ips, sandboxStatuses }: RuntimePodStatus): readonly string[] {
    if (ips.length > 0 || sandboxStatuses.some(({ state }) => state === 'SANDBOX_READY')) return ips;
    return this.#options.cache.last(uid)?.ips ?? [];
  }
}

type State = 'running' | 'exited' | 'unknown' | 'gone';

function changes(before: RuntimePod | undefined, after: RuntimePod | undefined): PodLifecycleEvent[] {
  const uid = (after ?? before)?.uid as string;
  const [old, now] = [statesOf(before), statesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((id) => {
    const [was, is] = [old.get(id) ?? 'gone', now.get(id) ?? 'gone'];
    return was === is ? [] : typesOf(was, is).map((type) => ({ uid, type, id }));
  });
}

function typesOf(was: State, is: State): PodLifecycleEvent['type'][] {
  if (is === 'running') return ['started'];
  if (is === 'exited') return ['died'];
  if (is === 'unknown') return ['changed'];
  return was === 'exited' ? ['removed'] : ['died', 'removed'];
}

function statesOf(pod: RuntimePod | undefined): Map<string, State> {
  const sandboxes = (pod?.sandboxes ?? []).map(
    ({ id, state }) => [id, state === 'SANDBOX_READY' ? 'running' : 'exited'] as const,
  );
  const containers = (pod?.containers ?? []).map(({ id, state }) => [id, CONTAINER_STATES[state]] as const);
  return new Map<string, State>([...sandboxes, ...containers]);
}

const CONTAINER_STATES = {
  CONTAINER_CREATED: 'unknown',
  CONTAINER_RUNNING: 'running',
  CONTAINER_EXITED: 'exited',
  CONTAINER_UNKNOWN: 'unknown',
} as const;
