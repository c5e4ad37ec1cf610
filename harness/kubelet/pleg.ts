import { formatDuration } from '../api/duration.ts';
import type { Clock } from '../sim/index.ts';
import type { PodCache } from './pod-cache.ts';
import { nothingOf } from './pod-cache.ts';
import type { RuntimePodStatus } from './pod-status.ts';
import type { RuntimePod, RuntimePods } from './runtime-pods.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go genericPlegRelistPeriod, genericPlegRelistThreshold */
const RELIST_PERIOD_MS = 1_000;
const RELIST_THRESHOLD_MS = 180_000;

/** Something became of a container or a sandbox of a pod. */
export interface PodLifecycleEvent {
  readonly uid: string;
  /** `died` also for one that is gone and was not seen to have exited. `removed` is nothing to act on. */
  readonly type: 'started' | 'died' | 'changed' | 'removed';
  /** As the runtime knows it. */
  readonly id: string;
}

/** What a PLEG needs. */
export interface PlegOptions {
  readonly runtimePods: Pick<RuntimePods, 'list' | 'statusOf'>;
  readonly cache: PodCache;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told after the cache has it. */
  readonly onEvent: (event: PodLifecycleEvent) => void;
  /** Told when the runtime cannot be listed, or a pod cannot be inspected: that pod is looked at again next time. */
  readonly onError: (error: unknown) => void;
}

/**
 * The pod lifecycle event generator: it looks at all pods of the runtime once a second, and tells what became of them since.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pleg/generic.go GenericPLEG
 */
export class Pleg {
  readonly #options: PlegOptions;
  readonly #requests = new Set<string>();
  readonly #again = new Set<string>();
  #seen = new Map<string, RuntimePod>();
  #lastRelistMs: number | undefined;
  #wake: () => void = () => {};

  constructor(options: PlegOptions) {
    this.#options = options;
  }

  /** Looks until the signal is aborted. Never rejects. */
  async run(): Promise<void> {
    const { clock, signal } = this.#options;
    while (!signal.aborted) {
      await this.#relist();
      const next = clock.now() + RELIST_PERIOD_MS;
      for (;;) {
        for (const uid of this.#requests) await this.#relistPod(uid);
        const leftMs = next - clock.now();
        if (leftMs <= 0 || signal.aborted) break;
        await this.#rest(leftMs);
      }
    }
  }

  /** Looks at one pod soon: something was done to it. */
  requestRelist(uid: string): void {
    this.#requests.add(uid);
    this.#wake();
  }

  /** Why the node cannot be called healthy; undefined when it can. */
  healthError(): string | undefined {
    const { clock } = this.#options;
    if (this.#lastRelistMs === undefined) return 'pleg has yet to be successful';
    const agoMs = clock.now() - this.#lastRelistMs;
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
    const [stamp, startedMs] = [cache.stamp(), clock.now()];
    try {
      const pods = new Map((await runtimePods.list()).map((pod) => [pod.uid, pod]));
      // Only now: a runtime that does not answer is not seen active.
      this.#lastRelistMs = startedMs;
      for (const uid of new Set([...this.#seen.keys(), ...pods.keys()])) {
        await this.#reconcile(uid, pods.get(uid), stamp);
      }
      cache.seenAll(stamp);
    } catch (error) {
      onError(error);
    }
  }

  async #relistPod(uid: string): Promise<void> {
    this.#requests.delete(uid);
    const stamp = this.#options.cache.stamp();
    try {
      const [pod] = await this.#options.runtimePods.list(uid);
      this.#again.add(uid);
      await this.#reconcile(uid, pod, stamp);
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Takes what there is of a pod now; tells what is not as it was when it was last seen. */
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
        // What became of it is told when it can be seen: an event that is told now would be told once.
        cache.set(uid, cache.last(uid) ?? nothingOf(pod), stamp, error);
        this.#again.add(uid);
        onError(error);
        return;
      }
    }
    for (const event of events) onEvent(event);
  }

  /**
   * A pod that has stopped keeps the addresses that it had. Whether it has stopped, its status says: the list that it was found in
   * is older.
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
