import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import type { NodeComponentContext } from '../contracts/component-context.ts';
import { CriError } from '../contracts/node/cri/index.ts';
import { ImageError, type ProbeManager, type VolumeManager } from '../contracts/node/index.ts';
import { findContainerStatus, formatPod } from './containers.ts';
import type { CriConfigs } from './cri-configs.ts';
import type { BackoffError } from './decisions.ts';
import { interruptible } from './interruptible.ts';
import { notesIn, podIn } from './labels.ts';
import type { LifecycleHandlers } from './lifecycle-handlers.ts';
import { messageOf } from './message-of.ts';
import { POD_LOGS_DIRECTORY, PODS_DIRECTORY, podDirectory, podLogsDirectory } from './paths.ts';
import type { PodManager } from './pod-manager.ts';
import type { RuntimePodStatus } from './pod-status.ts';
import type { ContainerOfPod, ContainerStart, PodSets, ReadySandbox } from './pod-work.ts';
import { NetworkNotReady, type PodWorkers } from './pod-workers.ts';
import type { ReasonCache } from './reason-cache.ts';
import { criId, type RuntimePods } from './runtime-pods.ts';
import type { RuntimeState } from './runtime-state.ts';
import type { StatusManager } from './status-manager.ts';
import { ContainerBackOff, type PodSyncResult, SyncError } from './sync-result.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go podVolumesExist, SyncTerminatedPod */
const UNMOUNT_POLL_MS = 100;

/** The parts of a kubelet that {@link PodSteps} uses. */
interface StepParts {
  readonly context: NodeComponentContext;
  readonly pods: PodManager;
  readonly reasons: ReasonCache;
  readonly runtimePods: RuntimePods;
  readonly runtimeState: RuntimeState;
  readonly workers: PodWorkers;
  readonly statuses: StatusManager;
  readonly volumes: VolumeManager;
  readonly probes: ProbeManager;
  readonly configs: CriConfigs;
  readonly lifecycle: LifecycleHandlers;
  onPodSandboxReady(pod: Pod): void;
  readPodStatus(pod: Pod): Promise<RuntimePodStatus>;
  removeContainer(id: string): Promise<void>;
  containerEvent(
    pod: Pod,
    container: string,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
  ): void;
}

/** The routine steps of a pod sync, with the events about their failures. A kata gets them ready-made. */
export class PodSteps {
  readonly #parts: StepParts;

  constructor(parts: StepParts) {
    this.#parts = parts;
  }

  /**
   * Requires a network for the pod.
   *
   * @throws NetworkNotReady when the pod needs a network and the node's is not ready
   */
  mustHaveNetwork(pod: Pod): void {
    const { runtimeState, context } = this.#parts;
    const errors = runtimeState.networkErrors();
    if (errors.length === 0 || pod.spec.hostNetwork) return;
    const message = `network is not ready: ${errors.join(', ')}`;
    context.recorder.event(pod, 'Warning', 'NetworkNotReady', message);
    throw new NetworkNotReady(message);
  }

  /**
   * Creates the directory of the pod, and waits until its volumes are mounted.
   *
   * @throws Error with the names of the volumes that are not mounted; `signal.reason`
   */
  async mountVolumes(pod: Pod, signal: AbortSignal): Promise<void> {
    const { volumes, context } = this.#parts;
    await context.host.files.mkdirAll(podDirectory(pod.metadata.uid));
    await interruptible(signal, volumes.waitForAttachAndMount(pod)).catch((error: unknown) => {
      // The mount operations have already reported the timeout.
      if (!signal.aborted && !messageOf(error).endsWith('context deadline exceeded')) {
        const message = `Unable to attach or mount volumes: ${messageOf(error)}`;
        context.recorder.event(pod, 'Warning', 'FailedMount', message);
      }
      throw error;
    });
  }

  /**
   * Creates a sandbox, and reports that the pod is ready to start containers.
   *
   * @param result receives the success or the failure; nothing if the pod is terminating and needs no sandbox
   * @returns undefined when it failed
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go SyncPod, kuberuntime_sandbox.go
   * createPodSandbox
   */
  async createSandbox(pod: Pod, attempt: number, result: PodSyncResult): Promise<ReadySandbox | undefined> {
    const { context, configs, workers } = this.#parts;
    const { host, recorder } = context;
    const failed = (reason: string, what: string, error: unknown): undefined => {
      if (workers.isTerminationRequested(pod.metadata.uid)) return;
      recorder.event(pod, 'Warning', reason, `${what}: ${messageOf(error)}`);
      result.add(
        'CreatePodSandbox',
        formatPod(pod),
        new SyncError('CreatePodSandboxError', messageOf(error)),
      );
    };
    let id: string;
    try {
      // The file is read only if it is needed.
      const own = configs.readsHost ? await configs.hostResolvConf() : undefined;
      const config = configs.sandbox(pod, attempt, own);
      await host.files.mkdirAll(config.logDirectory);
      id = await host.runtime.runPodSandbox(config);
    } catch (error) {
      return failed('FailedCreatePodSandBox', 'Failed to create pod sandbox', error);
    }
    result.add('CreatePodSandbox', formatPod(pod));
    try {
      const { ips = [] } = await host.runtime.podSandboxStatus(id);
      this.#parts.onPodSandboxReady(pod);
      return { id, ips: pod.spec.hostNetwork ? [host.ip] : ips };
    } catch (error) {
      return failed('FailedPodSandBoxStatus', 'Unable to get pod sandbox status', error);
    }
  }

  /**
   * Returns the restart count for the next start of the container. If the runtime has lost the container, the names of
   * its log files have the count.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go calcRestartCountByLogDir
   */
  async nextRestartCount({ pod, container }: ContainerOfPod, podStatus: RuntimePodStatus): Promise<number> {
    const before = findContainerStatus(podStatus, container.name);
    if (before) return before.restartCount + 1;
    const logs = `${podLogsDirectory(pod)}/${container.name}`;
    const names = await this.#parts.context.host.files.readdir(logs).catch(() => []);
    const counts = names.flatMap((name) => /^(\d+)\.log/.exec(name)?.[1] ?? []).map(Number);
    return counts.length > 0 ? Math.max(...counts) + 1 : 0;
  }

  /**
   * Reports in an event that a container could not be started, and returns the error for its status.
   *
   * @param reason used as `waiting.reason`; an {@link ImageError} has its own reason
   * @param id the container's ID, if it was created
   */
  startFailed({ pod, container }: ContainerOfPod, reason: string, error: unknown, id = ''): SyncError {
    const message = error instanceof CriError ? error.desc : messageOf(error);
    const why = error instanceof ImageError ? error.reason : reason;
    // Users know the container by its name.
    const said = error instanceof ImageError ? why : id ? message.replaceAll(id, container.name) : message;
    this.#parts.containerEvent(pod, container.name, 'Warning', 'Failed', `Error: ${said}`);
    return new SyncError(why, message);
  }

  /**
   * Reports in an event that a container is in back-off.
   *
   * @returns the error for its start, with the reason `CrashLoopBackOff`
   */
  backedOff(
    { pod, container: { name } }: ContainerOfPod,
    { message, untilMs }: BackoffError,
  ): ContainerBackOff {
    const told = `Back-off restarting failed container ${name} in pod ${formatPod(pod)}`;
    this.#parts.containerEvent(pod, name, 'Warning', 'BackOff', told);
    return new ContainerBackOff('CrashLoopBackOff', message, untilMs);
  }

  /**
   * Removes the instances of a container that were created but have not started. One of them may still be starting,
   * because a previous kubelet asked for it before it crashed: while it exists, a new container could run twice.
   *
   * @throws cri.CriError
   */
  async removeUnstarted({ container, podStatus }: ContainerStart): Promise<void> {
    const { runtime } = this.#parts.context.host;
    for (const { name, state, id } of podStatus.containerStatuses) {
      if (name === container.name && state === 'created') await runtime.removeContainer(criId(id));
    }
  }

  /**
   * Runs the `postStart` hook of a started container, if it has one. If the hook fails the container is killed, because
   * its setup is incomplete. The output of the hook may be a secret. It is in the pod's status, which fewer users can
   * read, and not in the event.
   *
   * @param id the container's ID in the runtime
   * @param kill kills the container, with this message
   * @throws SyncError with the reason `PostStartHookError` and the output of the hook
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go startContainer
   */
  async postStart(
    { pod, container }: ContainerOfPod,
    id: string,
    kill: (message: string) => Promise<void>,
  ): Promise<void> {
    const handler = container.lifecycle?.postStart;
    if (!handler) return;
    const { lifecycle, runtimePods, context } = this.#parts;
    const containerID = await runtimePods.containerID(id);
    try {
      await lifecycle.run({ pod, container, containerID, handler });
    } catch (error) {
      const said = 'PostStartHook failed';
      this.#parts.containerEvent(pod, container.name, 'Warning', 'FailedPostStartHook', said);
      await kill('FailedPostStartHook').catch((why: unknown) => context.log(messageOf(why)));
      throw new SyncError('PostStartHookError', messageOf(error));
    }
  }

  /**
   * Runs the `preStop` hook of a container, if it has one, and waits for it at most `seconds`. A failure is reported in
   * an event and does not prevent the stop.
   *
   * @param id the container's ID in the runtime
   * @returns the whole seconds that the hook took
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go executePreStopHook
   */
  async preStop({ pod, container }: ContainerOfPod, id: string, seconds: number): Promise<number> {
    const handler = container.lifecycle?.preStop;
    if (!handler) return 0;
    const { lifecycle, runtimePods, context } = this.#parts;
    const { clock } = context;
    const startedMs = clock.monotonicMs();
    const over = new AbortController();
    const run = runtimePods
      .containerID(id)
      .then((containerID) => lifecycle.run({ pod, container, containerID, handler }))
      .catch(() =>
        this.#parts.containerEvent(pod, container.name, 'Warning', 'FailedPreStopHook', 'PreStopHook failed'),
      );
    await Promise.race([run, clock.sleep(seconds * 1_000, over.signal).catch(() => {})]);
    over.abort();
    return Math.floor((clock.monotonicMs() - startedMs) / 1_000);
  }

  /**
   * Returns the spec of a running container. Without its pod, the spec has the fields stored with the container: its
   * hook and its grace period.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go restoreSpecsFromContainerLabels
   *
   * @throws Error when the pod has no container of that name; cri.CriError
   */
  async specOf(pod: Pod | undefined, id: string, name: string): Promise<ContainerOfPod> {
    if (pod) {
      const { containers, initContainers = [], ephemeralContainers = [] } = pod.spec;
      const container = [...containers, ...initContainers, ...ephemeralContainers].find(
        (each) => each.name === name,
      );
      if (container) return { pod, container };
      throw new Error(
        `Failed to kill the container ${name}: the pod ${pod.metadata.name} has none of that name.`,
      );
    }
    const { labels, annotations } = await this.#parts.context.host.runtime.containerStatus(id);
    const { preStop, deletionGracePeriodSeconds, terminationGracePeriodSeconds } = notesIn(annotations);
    const container: core.Container = { name, ...(preStop ? { lifecycle: { preStop } } : {}) };
    const metadata = {
      ...podIn(labels),
      ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
    };
    const spec = {
      containers: [container],
      ...(terminationGracePeriodSeconds === undefined ? {} : { terminationGracePeriodSeconds }),
    };
    return {
      container,
      pod: { apiVersion: 'v1', kind: 'Pod', metadata, spec, status: {} } as unknown as Pod,
    };
  }

  /**
   * Returns the state of a pod in the runtime after it was killed.
   *
   * @param before the status before the kill; its addresses are part of the pod's last status
   * @throws Error when one of its containers still runs; cri.CriError
   */
  async podStatusAfterKill(pod: Pod, before: RuntimePodStatus): Promise<RuntimePodStatus> {
    const stopped = await this.#parts.readPodStatus(pod);
    const running = stopped.containerStatuses.filter(({ state }) => state === 'running');
    if (running.length > 0) {
      const ids = running.map(({ id }) => id).join(' ');
      throw new Error(`detected running containers after a successful KillPod, CRI violation: [${ids}]`);
    }
    return { ...stopped, ips: before.ips };
  }

  /** Waits until no volume of a pod is mounted. @throws Error with the names of the mounted volumes; `signal.reason` */
  async waitUntilUnmounted(pod: Pod, signal: AbortSignal): Promise<void> {
    const { volumes, context } = this.#parts;
    await volumes.waitForUnmount(pod);
    while (volumes.hasPossiblyMountedVolumesForPod(pod.metadata.uid))
      await context.clock.sleep(UNMOUNT_POLL_MS, signal);
  }

  /**
   * Returns whether a pod has ended, according to the API or to the last reported status, which the API may not have
   * yet.
   */
  hasEnded({ metadata, status }: Pod): boolean {
    const phases = [status.phase, this.#parts.statuses.get(metadata.uid)?.phase];
    return phases.some((phase) => phase === 'Succeeded' || phase === 'Failed');
  }

  /**
   * Cleans up deleted pods, one part at a time. The statuses and the wait reasons of a pod stay while it is desired.
   * Its probes stay while it is synced or terminating. Its directories stay while it is desired, has a worker or runs.
   * A pod that started after the sets were read keeps everything: upstream accepts no pod during the cleanup.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go HandlePodCleanups
   */
  async forgetPods({ desired, known, running }: PodSets): Promise<void> {
    const { probes, statuses, reasons, pods, workers } = this.#parts;
    const begun = pods
      .list()
      .map(({ metadata }) => metadata.uid)
      .filter((uid) => workers.knows(uid) && !known.has(uid));
    const active = [...known].filter(([, { state }]) => state === 'sync' || state === 'terminating');
    probes.cleanupPods(new Set([...active.map(([uid]) => uid), ...begun]));
    const wanted = new Set([...desired, ...begun]);
    statuses.retain(wanted);
    reasons.retain(wanted);
    const needed = new Set([...wanted, ...known.keys(), ...running.map(({ uid }) => uid)]);
    await this.removeOrphanedDirectories(needed);
  }

  /**
   * Removes init containers, except the newest `keep` of each name.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go pruneInitContainersBeforeStart,
   * purgeInitContainers
   */
  async removeInitContainers(
    { spec }: Pod,
    containerStatuses: RuntimePodStatus['containerStatuses'],
    { keep }: { readonly keep: number },
  ): Promise<void> {
    for (const container of spec.initContainers ?? []) {
      const own = containerStatuses.filter(({ name }) => name === container.name);
      for (const { id } of own.slice(keep)) await this.#parts.removeContainer(criId(id));
    }
  }

  /**
   * Removes the directories of pods that are no longer needed. Volumes still mounted below a directory stay, because
   * their data belongs to others.
   *
   * @param needed UIDs of the pods that keep their directories
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_volumes.go cleanupOrphanedPodDirs
   */
  async removeOrphanedDirectories(needed: ReadonlySet<string>): Promise<void> {
    const { context, volumes, workers } = this.#parts;
    const { files } = context.host;
    for (const uid of await files.readdir(PODS_DIRECTORY).catch(() => [])) {
      if (needed.has(uid) || workers.knows(uid) || volumes.hasPossiblyMountedVolumesForPod(uid)) continue;
      await files
        .removeAll(`${PODS_DIRECTORY}/${uid}`)
        .catch((error: unknown) => context.log(messageOf(error)));
    }
  }

  /**
   * Removes the logs of evicted pods, and of deleted pods that have stopped.
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_gc.go evictPodLogsDirectories
   */
  async removeOrphanedLogs(): Promise<void> {
    const { context, workers } = this.#parts;
    const { files } = context.host;
    for (const name of await files.readdir(POD_LOGS_DIRECTORY).catch(() => [])) {
      if (!workers.shouldPodContentBeRemoved(name.slice(name.lastIndexOf('_') + 1))) continue;
      const path = `${POD_LOGS_DIRECTORY}/${name}`;
      await files.removeAll(path).catch((error: unknown) => context.log(messageOf(error)));
    }
  }
}
