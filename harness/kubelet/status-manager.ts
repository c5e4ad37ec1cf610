import type * as core from '#api/core/v1';
import { keyOf, type Pod } from '../api/objects.ts';
import { pods } from '../api/resource.ts';
import { isConflict, isNotFound } from '../api/status.ts';
import type { Client } from '../contracts/client.ts';
import { type Clock, formatTime } from '../sim/index.ts';
import { isKubeletCondition } from './api-pod-status.ts';
import type { PodManager } from './pod-manager.ts';
import { isSameStatus } from './same-status.ts';
import { isMirrorPod, isStaticPod } from './static-pod.ts';
import { mergePodStatus, podStatusPatch } from './status-patch.ts';
import { isIllegalTransition, withUnknownEnds } from './status-rules.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/status_manager.go syncPeriod */
const SYNC_PERIOD_MS = 10_000;

/** The current status of a pod, and its version. */
interface Versioned {
  readonly pod: Pod;
  readonly status: core.PodStatus;
  readonly version: number;
  readonly podIsFinished: boolean;
}

/** Dependencies of a status manager. */
interface StatusManagerOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly pods: PodManager;
  /** Returns whether containers of the pod may run: until then, the manager does not report a terminal phase. */
  readonly couldHaveRunningContainers: (uid: string) => boolean;
  readonly onError: (error: unknown) => void;
}

/**
 * Reports the status of each pod to the API. It writes a new status immediately. Every ten seconds it compares all
 * statuses with the API, and writes a status again if another client has overwritten it.
 *
 * It also deletes pods from the API: when a pod with a deletion timestamp has ended, all its resources are released,
 * and the API has its final status.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/status_manager.go manager
 */
export class StatusManager {
  readonly #options: StatusManagerOptions;
  readonly #statuses = new Map<string, Versioned>();
  /**
   * The last version written to the API, by the UID of the pod in the API. A recreated mirror pod has a new UID, so it
   * gets the status again.
   */
  readonly #told = new Map<string, number>();
  #wake: () => void = () => {};
  #changed = false;

  constructor(options: StatusManagerOptions) {
    this.#options = options;
  }

  /** Returns the last status that was set since the kubelet started. */
  get(uid: string): core.PodStatus | undefined {
    return this.#statuses.get(uid)?.status;
  }

  /** Sets the status of a pod. Fills in the times of its conditions. Ignores a status that is an illegal transition. */
  setPodStatus(pod: Pod, status: core.PodStatus): void {
    this.#set(pod, status, { podIsFinished: false });
  }

  /**
   * Sets the final status of a pod whose containers are all gone. A container without an observed exit gets an unknown
   * exit.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/status_manager.go TerminatePod
   */
  terminatePod(pod: Pod): void {
    const old = this.get(pod.metadata.uid) ?? pod.status;
    const isOver = old.phase === 'Succeeded' || old.phase === 'Failed' || isStaticPod(pod);
    const status = { ...withUnknownEnds(pod, old), ...(isOver ? {} : { phase: 'Failed' as const }) };
    this.#set(pod, status, { podIsFinished: true });
  }

  /** Deletes all pods except these. */
  retain(uids: ReadonlySet<string>): void {
    for (const uid of this.#statuses.keys()) if (!uids.has(uid)) this.#statuses.delete(uid);
  }

  /** Writes statuses until the signal is aborted. Never rejects. */
  async run(): Promise<void> {
    const { clock, signal } = this.#options;
    let nextMs = clock.monotonicMs() + SYNC_PERIOD_MS;
    while (!signal.aborted) {
      const all = clock.monotonicMs() >= nextMs;
      if (all) nextMs = clock.monotonicMs() + SYNC_PERIOD_MS;
      this.#changed = false;
      for (const uid of all ? this.#toReconcile() : this.#toTell()) await this.#tell(uid);
      await this.#rest(nextMs - clock.monotonicMs());
    }
  }

  #set(pod: Pod, status: core.PodStatus, { podIsFinished }: Pick<Versioned, 'podIsFinished'>): void {
    const { pods: manager, clock } = this.#options;
    const { uid } = pod.metadata;
    const known = this.#statuses.get(uid);
    const old = known?.status ?? manager.mirrorOf(pod)?.status ?? pod.status;
    if (isIllegalTransition(pod, old, status)) return;
    const finished = podIsFinished || (known?.podIsFinished === true && !isStaticPod(pod));
    const now = formatTime(clock.now());
    const dated: core.PodStatus = {
      ...filledIn(status),
      conditions: (status.conditions ?? []).map((condition) => dateOf(condition, old, now)),
      startTime: old.startTime ?? now,
      observedGeneration: Math.max(old.observedGeneration ?? 0, status.observedGeneration ?? 0),
    };
    if (known && !podIsFinished && isSameStatus(known.status, dated)) {
      this.#statuses.set(uid, { ...known, pod });
      return;
    }
    const version = (known?.version ?? 0) + 1;
    this.#statuses.set(uid, { pod, status: dated, version, podIsFinished: finished });
    this.#changed = true;
    this.#wake();
  }

  #rest(ms: number): Promise<void> {
    if (ms <= 0 || this.#changed) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Returns the UIDs of pods whose newest status is not in the API. */
  #toTell(): string[] {
    return [...this.#statuses.keys()].filter((uid) => this.#isUntold(uid));
  }

  /** Returns the UIDs of these pods, and of pods whose status differs in the API or that can be deleted from it. */
  #toReconcile(): string[] {
    const { pods: manager } = this.#options;
    const inAPI = new Set([...this.#statuses.keys()].map((uid) => this.#uidInAPI(uid)));
    for (const uid of this.#told.keys()) if (!inAPI.has(uid)) this.#told.delete(uid);
    return [...this.#statuses].flatMap(([uid, { status, podIsFinished }]) => {
      const statusUID = this.#uidInAPI(uid);
      if (statusUID === undefined) return [];
      const pod = manager.get(uid);
      const api = pod && isStaticPod(pod) ? manager.mirrorOf(pod) : pod;
      const differs = api !== undefined && !isSameStatus(api.status, status);
      return this.#isUntold(uid) || differs || (api && canBeDeleted(api, podIsFinished)) ? [uid] : [];
    });
  }

  #isUntold(uid: string): boolean {
    const statusUID = this.#uidInAPI(uid);
    return (
      statusUID !== undefined && (this.#told.get(statusUID) ?? 0) < (this.#statuses.get(uid)?.version ?? 0)
    );
  }

  /** Returns the UID of the pod in the API; undefined if the API does not have the pod. */
  #uidInAPI(uid: string): string | undefined {
    const pod = this.#statuses.get(uid)?.pod;
    return pod && isStaticPod(pod) ? this.#options.pods.mirrorOf(pod)?.metadata.uid : uid;
  }

  async #tell(uid: string): Promise<void> {
    const versioned = this.#statuses.get(uid);
    const statusUID = this.#uidInAPI(uid);
    if (!versioned || statusUID === undefined) return;
    const { client, onError, couldHaveRunningContainers } = this.#options;
    const key = keyOf(versioned.pod);
    try {
      const before = await client.get(pods, key);
      if (before.metadata.uid !== statusUID) {
        // Another pod has the name now, so this pod no longer exists in the API.
        this.#statuses.delete(uid);
        return;
      }
      const merged = mergePodStatus(before, versioned.status, couldHaveRunningContainers(uid));
      const patch = podStatusPatch(before, merged);
      const pod = patch
        ? await client.patch(pods, key, { type: 'strategic', body: patch }, { subresource: 'status' })
        : before;
      this.#told.set(statusUID, versioned.version);
      if (!canBeDeleted(pod, versioned.podIsFinished)) return;
      await client.delete(pods, key, { gracePeriodSeconds: 0, preconditions: { uid: statusUID } });
      this.#statuses.delete(uid);
    } catch (error) {
      // The pod is deleted. A conflict means that the name belongs to a pod with another UID.
      if (!isNotFound(error) && !isConflict(error)) onError(error);
    }
  }
}

/**
 * Returns whether the pod can be deleted from the API: it has a deletion timestamp and a terminal phase, and all work
 * on it is finished.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/status_manager.go canBeDeleted
 */
function canBeDeleted(pod: Pod, podIsFinished: boolean): boolean {
  const { phase } = pod.status;
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  return pod.metadata.deletionTimestamp !== undefined && !isMirrorPod(pod) && isOver && podIsFinished;
}

/** Sets the transition time of a condition: it changes only with the status of the condition. */
function dateOf(condition: core.PodCondition, old: core.PodStatus, now: string): core.PodCondition {
  if (!isKubeletCondition(condition) && condition.type !== 'DisruptionTarget') return condition;
  const before = old.conditions?.find(({ type }) => type === condition.type);
  const lastTransitionTime = before?.status === condition.status ? (before.lastTransitionTime ?? now) : now;
  return { lastProbeTime: null, ...condition, lastTransitionTime };
}

/** Fills in the fields that the API sets by default, so that the status can be compared with the API's. */
function filledIn(status: core.PodStatus): core.PodStatus {
  const { initContainerStatuses, containerStatuses, ephemeralContainerStatuses } = status;
  const filled = (each: core.ContainerStatus): core.ContainerStatus => ({ lastState: {}, ...each });
  return {
    ...status,
    ...(initContainerStatuses ? { initContainerStatuses: initContainerStatuses.map(filled) } : {}),
    ...(containerStatuses ? { containerStatuses: containerStatuses.map(filled) } : {}),
    ...(ephemeralContainerStatuses
      ? { ephemeralContainerStatuses: ephemeralContainerStatuses.map(filled) }
      : {}),
  };
}
