/**
 * Kata 41 · The kubelet. Read README.md beside this file, then implement the functions from top to bottom. For your own design,
 * write only {@link kubelet}.
 */
import {
  type AdmissionInput,
  type BackoffError,
  BackoffTable,
  type ConditionInput,
  type ContainerKill,
  type ContainerStart,
  type EvictionGrounds,
  type EvictionManagerOptions,
  type EvictionThreshold,
  type InitContainerActions,
  type KillPodOptions,
  type KubeletParts,
  type NodeConditions,
  type NodeLeaseOptions,
  type NodeObservation,
  type NodeParts,
  type NodePressure,
  type NodeSources,
  newKubelet,
  type PhaseOptions,
  type PodActions,
  type PodPhase,
  type PodRejection,
  type PodSync,
  type PodSyncResult,
  type PodUsage,
  type PodWork,
  type ProbeResults,
  type RunningPod,
  type RuntimePodStatus,
  type resourceOf,
  type SandboxChange,
  type SidecarActions,
  type SignalObservations,
  type SyncOutcome,
  type TerminatingPodSync,
  type TerminationTurns,
} from '#given/41-kubelet';
import {
  type Clock,
  type core,
  type NodeComponent,
  type NodeComponentContext,
  type Pod,
  todo,
} from '#harness';

const KATA = '41-kubelet';

// Level 1 · Phase

/**
 * Returns the phase of a pod from the statuses of its containers.
 *
 * A container whose `state` is `waiting` and whose `lastState` is `terminated` waits for its restart: it counts as *stopped*,
 * like one whose `state` is `terminated`. Without a status, or with an empty `state`, it is unknown. `shouldRestart` (given)
 * decides whether a stopped container restarts.
 *
 * The first matching row counts:
 *
 * | phase | condition |
 * |---|---|
 * | Failed | an init container has failed, and does not restart |
 * | Pending | an init container has not stopped; or a container waits for its first start, or is unknown |
 * | Running | a container runs, or has stopped and restarts |
 * | Succeeded | the `state` of each container is `terminated` with exit code 0 |
 * | Failed | otherwise |
 *
 * If `podIsTerminal`, none of its containers restarts; its init containers still follow their policy.
 *
 * Level 9: a sidecar is not an init container here. While one runs without being `started`, and the pod has not been initialized,
 * the pod is `Pending`. A sidecar that runs, waits for its first start or is unknown counts like a container; a stopped one does
 * not count.
 *
 * @param statuses of containers and init containers, in any order
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go getPhase
 */
export function getPhase(
  pod: Pod,
  statuses: readonly core.ContainerStatus[],
  options: PhaseOptions,
): PodPhase {
  return todo(KATA, 'getPhase', 'Level 1');
}

// Level 2 · Conditions
//
// `conditionTrue` and `conditionFalse` (given) create a condition.

/**
 * Returns the condition `ContainersReady`: each container of `spec.containers` is `ready`.
 *
 * | status | reason | condition; the first matching row counts |
 * |---|---|---|
 * | False | `UnknownContainerStatuses` | `statuses` is undefined, not empty |
 * | False | `PodFailed` | the phase is `Failed` |
 * | False | `PodCompleted` | the phase is `Succeeded`, and every container has a status |
 * | False | `ContainersNotReady` | a container has no status, or is not `ready` |
 * | True | | otherwise |
 *
 * `ContainersNotReady` has the message `containers with unknown status: [a], containers with unready status: [b c]`. Those of
 * unknown status have none. `lackingContainers` finds both kinds, and `containersWith` formats them.
 *
 * Level 9: sidecars must be `ready`, too. They come before the containers.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/generate.go GenerateContainersReadyCondition
 */
export function generateContainersReadyCondition(
  input: Omit<ConditionInput, 'conditions'>,
): core.PodCondition {
  return todo(KATA, 'generateContainersReadyCondition', 'Level 2');
}

/**
 * Returns the condition `Ready`. While `ContainersReady` is not True, it has the same status, reason and message. Then each of
 * `spec.readinessGates` must be a condition of the pod with the status True. Otherwise it is False with the reason
 * `ReadinessGatesNotReady`, and a message for each gate that is not True (`closedGate`), joined by `, `.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/generate.go GeneratePodReadyCondition
 */
export function generatePodReadyCondition(input: ConditionInput): core.PodCondition {
  return todo(KATA, 'generatePodReadyCondition', 'Level 2');
}

// Level 3 · Sandbox and init containers

/**
 * Returns whether a pod needs another sandbox: it has none, or its newest one
 *
 * - is not ready, or is not the only ready one;
 * - has another `network` than `hostNetwork` of the pod requires;
 * - is in the pod network, and its addresses are known to be none.
 *
 * @returns `attempt`: that of the newest sandbox if it is good, else one more; 0 for the first sandbox. `sandboxID`: that of the
 * newest sandbox; undefined without a sandbox, or if it is the only ready one and in the wrong network
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/util/util.go PodSandboxChanged
 */
export function podSandboxChanged(pod: Pod, podStatus: RuntimePodStatus): SandboxChange {
  return todo(KATA, 'podSandboxChanged', 'Level 3');
}

/**
 * Computes the actions for the init containers of a pod with a good sandbox: each must exit with 0 before the next one starts.
 *
 * - The runtime may have removed exited instances. An instance of a later init container shows that the earlier ones have
 *   completed; a container that is created or running shows that for all. An exited one may have run in an earlier sandbox: it
 *   shows nothing.
 * - Start one again that was created but never started.
 * - A failed one restarts if `shouldContainerBeRestarted` (given) allows it; otherwise kill the pod, and start or kill nothing else.
 *   A failure is an exit code other than 0, or the reason `OOMKilled`, which some runtimes report with code 0. Pass the status
 *   unchanged: `OnFailure` does not restart an `OOMKilled` with code 0.
 * - Kill one in state `unknown` (`unknownToKill`, given), which may be running, and start it again; or, if `restartsAfterKill`
 *   (given) is false, kill the pod.
 *
 * Level 9: {@link computeSidecarActions} decides for a sidecar, from its turn in the order until the end of the pod. A sidecar never
 * kills the pod, and `nextMayStart` decides whether the next container starts.
 *
 * @returns indexes in the order of the spec
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go computeInitContainerActions
 */
export function computeInitContainerActions(
  pod: Pod,
  podStatus: RuntimePodStatus,
  probes: ProbeResults,
): InitContainerActions {
  return todo(KATA, 'computeInitContainerActions', 'Level 3');
}

// Level 4 · What to do now

/**
 * Computes the next actions for a pod from the state of the runtime.
 *
 * *The sandbox is not good* ({@link podSandboxChanged}): kill the pod, create a sandbox, and start the first init container; or, if
 * there is none, all containers with work left. Only a container that exited with 0 and whose policy (its own, or else the
 * pod's) is `OnFailure` has no work left. Create no sandbox and start nothing if
 *
 * - the pod's policy is `Never`, this is not the first sandbox, and the runtime has any container of the pod; or
 * - no container has work left.
 *
 * *It is good, and the pod is not initialized*: see {@link computeInitContainerActions}.
 *
 * *It is good, and the pod is initialized*: `shouldContainerBeRestarted` (given) decides for each container. But:
 *
 * - One in state `unknown` is killed before it is started again (`unknownToKill`).
 * - A running one is killed if `whyToKill` (given) returns a kill. After a failed probe (with a `reason`) it restarts if
 *   `restartsAfterKill`; after a changed definition (without one), always. Then the message ends with `, will be restarted`.
 * - If none keeps running and none starts, kill the pod. Containers to kill stay in `containersToKill`.
 *
 * Level 10: {@link ephemeralContainersToStart} decides which ephemeral containers start while the sandbox is good.
 *
 * @returns `nothingToDo` (given) with changes; `attempt` and `sandboxID` of {@link podSandboxChanged}; `createSandbox` implies `killPod`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions
 */
export function computePodActions(pod: Pod, podStatus: RuntimePodStatus, probes: ProbeResults): PodActions {
  return todo(KATA, 'computePodActions', 'Level 4');
}

// Level 5 · Back-off

/**
 * Counts the delay before the next try, for each key. Given: `this.entry(key)` returns the delay of a key and the time of its last
 * update, `this.set(key, backoffMs)` sets both, `this.get(key)` returns the delay or 0; `this.options` has the clock and limits.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff
 */
export class Backoff extends BackoffTable {
  /**
   * Returns whether a key counts as new: it is unknown, or this event comes more than `expiryMs` after its last update.
   *
   * @param eventTimeMs time of the failure, in ms since 1970
   */
  hasExpired(key: string, eventTimeMs: number): boolean {
    return todo(KATA, 'Backoff.hasExpired', 'Level 5');
  }

  /**
   * Counts a failure. The delay is `initialMs` for a key that had expired at that time; else it doubles, up to `maxMs`.
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff.Next
   */
  next(key: string, eventTimeMs: number): void {
    todo(KATA, 'Backoff.next', 'Level 5');
  }

  /**
   * Returns whether the delay since `eventTimeMs` is not over. A key that had expired at that time has no delay.
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff.IsInBackOffSince
   */
  isInBackOffSince(key: string, eventTimeMs: number): boolean {
    return todo(KATA, 'Backoff.isInBackOffSince', 'Level 5');
  }
}

/**
 * Decides whether a container must wait. The delay counts from the end of its newest exited instance, under `backOffKey` (given). If
 * the container may start, that end counts as a failure. Without an exited instance it may start, and nothing counts.
 *
 * @returns undefined if it may start now; else the error (`backOffError`, given)
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go doBackOff
 */
export function doBackOff(
  pod: Pod,
  container: core.Container,
  podStatus: RuntimePodStatus,
  backOff: Backoff,
): BackoffError | undefined {
  return todo(KATA, 'doBackOff', 'Level 5');
}

// Level 6 · Carry it out
//
// `parts.context.host.runtime` is the container runtime, `parts.statuses` writes to the API, `parts.steps` has given steps.

/**
 * Starts a container: get its image (`parts.images`), its restart count (`parts.steps.nextRestartCount`) and its configuration
 * (`parts.configs.container`), create it, start it, and run its `postStart` hook (`parts.steps.postStart`; if that fails, kill the
 * container with {@link killContainer}).
 *
 * - Before you create it, remove instances that never started (`parts.steps.removeUnstarted`): the call of an earlier kubelet may
 *   still start them.
 * - Emit two events (`parts.containerEvent`), each after its step: `Normal Created Container created` and `Normal Started Container
 *   started`.
 *
 * @throws SyncError from `parts.steps.startFailed`, with the reason `ErrImagePull` (an image error has its own reason),
 * `CreateContainerConfigError`, `CreateContainerError` or `RunContainerError`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go startContainer
 */
export async function startContainer(parts: KubeletParts, start: ContainerStart): Promise<void> {
  return todo(KATA, 'startContainer', 'Level 6');
}

/**
 * Carries out {@link computePodActions} (the probe results are `parts.probeResults`) in this order: kill, sandbox, ephemeral
 * containers, init containers, containers.
 *
 * - `killWhatIsNotToRun` (given) kills, with your {@link killContainer} and {@link killPod} (Level 7), and returns the result to
 *   continue with. After a failure (`result.error()`) nothing starts.
 * - `parts.steps.createSandbox` creates the sandbox. Without a sandbox nothing starts.
 * - A container in back-off ({@link doBackOff}) does not start: `parts.steps.backedOff` emits the event and returns the failure.
 * - `failureOf` (given) turns the error of a start into a failure. Then the others still start, unless it was an ordinary init
 *   container.
 *
 * Level 9: a sidecar that does not start stops no other start.
 *
 * @returns the result, with a `StartContainer` and the name for each container to start; empty if the actions are empty
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go SyncPod
 */
export async function carryOut(parts: KubeletParts, backOff: Backoff, work: PodWork): Promise<PodSyncResult> {
  return todo(KATA, 'carryOut', 'Level 6');
}

/**
 * Syncs a pod, after each change and once a minute.
 *
 * - Report first, because the rest may take long: `parts.generateAPIPodStatus`, `parts.statuses.setPodStatus`. If that status
 *   shows that the pod has ended, return.
 * - Containers need a network (`parts.steps.mustHaveNetwork`), volumes (`parts.steps.mountVolumes`), the secrets for images
 *   (`parts.pullSecretsOf`) and probes (`parts.probes.addPod`) before they start.
 * - {@link carryOut} needs the addresses in the reported status. Keep its result for the next status (`parts.reasons`).
 *
 * Level 13: as soon as the network is ready, a static pod (`isStaticPod`) gets its mirror: {@link reconcileMirrorPod}.
 *
 * @returns `ended` if the pod has ended; `changed` if the result is not empty; else `unchanged`
 * @throws the failures, so that the pod is synced again
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go SyncPod
 */
export async function syncPod(parts: KubeletParts, backOff: Backoff, sync: PodSync): Promise<SyncOutcome> {
  return todo(KATA, 'syncPod', 'Level 6');
}

// Level 7 · Stop

/**
 * Kills a container, and waits until it has ended. Emits `Normal Killing` first, with the message of `kill` or `Stopping container main`.
 *
 * The grace period is `kill.graceSeconds`, or else `terminationGracePeriod` (given). The whole seconds of its `preStop` hook
 * (`parts.steps.preStop`; no hook without a grace period) count in it. The container gets the rest, at least `MINIMUM_GRACE_SECONDS`.
 *
 * `parts.steps.specOf` has its spec, also for an unknown pod. A container that the runtime does not find has ended. An abort of
 * `kill.signal` ends every wait (`interruptible`).
 *
 * Level 9: after the hook it waits for its turn (`kill.order`), which also counts in the grace period. In the end it reports its end
 * to the order.
 *
 * @param pod undefined if the pod is unknown
 * @throws cri.CriError if the container may still run; `kill.signal.reason`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go killContainer
 */
export async function killContainer(
  parts: KubeletParts,
  pod: Pod | undefined,
  kill: ContainerKill,
): Promise<void> {
  return todo(KATA, 'killContainer', 'Level 7');
}

/**
 * Kills all containers of a pod at the same time, then stops all its sandboxes (`stopSandbox`, given), also after a failed kill.
 * `failureOf` (given) turns errors into failures of the result.
 *
 * Level 9: the containers of a pod with sidecars end in a {@link TerminationOrder}.
 *
 * @returns a `KillContainer` (`KillContainerError`) for each container, a `KillPodSandbox` (`KillPodSandboxError`) for each sandbox
 * @throws `options.signal.reason` as soon as that signal is aborted
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go killPodWithSyncResult
 */
export async function killPod(
  parts: KubeletParts,
  running: RunningPod,
  options: KillPodOptions = {},
): Promise<PodSyncResult> {
  return todo(KATA, 'killPod', 'Level 7');
}

/**
 * Ends a pod, and resolves when none of its containers runs. If `sync.graceSeconds`, its grace period, becomes shorter,
 * `sync.signal` is aborted, and this function is called again.
 *
 * 1. Report the current status, adjusted by `sync.adjust` if that exists.
 * 2. Stop liveness and startup probes, so that they cause no restart.
 * 3. Kill the pod (`runningPod` returns its containers and sandboxes), then remove all its probes.
 * 4. Read the runtime again (`parts.steps.podStatusAfterKill`), and report the final status (`podIsTerminal`).
 *
 * @throws the failure, so that the pod is retried, after the event `Warning FailedKillPod error killing pod: …`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go SyncTerminatingPod
 */
export async function syncTerminatingPod(parts: KubeletParts, sync: TerminatingPodSync): Promise<void> {
  return todo(KATA, 'syncTerminatingPod', 'Level 7');
}

/**
 * Completes a pod whose containers have ended: reports the final status, waits until its volumes are unmounted
 * (`parts.steps.waitUntilUnmounted`), then calls `parts.statuses.terminatePod`: a deleted pod leaves the API.
 *
 * @throws the failure, so that the pod is retried
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go SyncTerminatedPod
 */
export async function syncTerminatedPod(parts: KubeletParts, sync: PodSync): Promise<void> {
  return todo(KATA, 'syncTerminatedPod', 'Level 7');
}

// Level 8 · After a restart

/**
 * Compares, by uid and every two seconds, the wanted pods (`parts.pods`), the pods with a worker (`parts.workers`), and the running
 * pods (`parts.runtimePods`, `isRunningPod`).
 *
 * Before you list the runtime, `parts.workers.syncKnownPods` takes the wanted pods, ends the others, and returns the pods with a
 * worker. `parts.workers.knows` returns whether a pod has a worker now.
 *
 * - A wanted pod without a worker now gets one (`parts.workers.update`): `create` if it has not ended (`parts.steps.hasEnded`);
 *   `kill` if it has ended, has a `deletionTimestamp`, and does not run.
 * - A running pod that `syncKnownPods` did not return and that has no worker now is an orphan: `kill` it (`runtimePod`) with 1 second
 *   of grace.
 * - `parts.steps.forgetPods` cleans up after deleted pods.
 *
 * Level 13: if there are mirror pods, {@link deleteOrphanedMirrorPods}.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go HandlePodCleanups
 */
export async function handlePodCleanups(parts: KubeletParts): Promise<void> {
  return todo(KATA, 'handlePodCleanups', 'Level 8');
}

/**
 * Given, unless you write your own design: the kubelet of the node `context.node`. It runs the pods with that `spec.nodeName` and
 * reports them to the API until `context.signal` is aborted. `nodeParts` adds Levels 11 and 12.
 *
 * Your own design meets the requirements of all levels, and does the work of the given parts:
 *
 * - the complete status of each pod: phase, conditions, addresses, `startTime`, container statuses;
 * - its end: a deleted pod whose containers never ran is `Failed`; a pod older than `activeDeadlineSeconds` is stopped, also during
 *   a sync, and is `Failed` with the reason `DeadlineExceeded`;
 * - the events in README.md, and `FailedCreatePodSandBox`, `FailedMount`, `NetworkNotReady`, `FailedPreStopHook`, `FailedKillPod`,
 *   `SandboxChanged`, `DeadlineExceeded`;
 * - removal of dead containers and sandboxes, and of the directories and logs of deleted pods.
 *
 * `runKubelet(context, { decisions, syncer: (parts) => … })` calls your own functions with all `parts`.
 */
export const kubelet: NodeComponent = newKubelet({
  getPhase,
  generatePodReadyCondition,
  generateContainersReadyCondition,
  podSandboxChanged,
  newBackOff: (options) => new Backoff(options),
  syncPod,
  killContainer,
  killPod,
  syncTerminatingPod,
  syncTerminatedPod,
  handlePodCleanups,
});

// Level 9 ★ · Sidecars

/**
 * Computes the actions for a sidecar whose turn has come: an init container with `restartPolicy: Always` (`isSidecar`). It runs
 * next to the later containers, whatever the pod's policy. So a sidecar that does not run starts, even without an instance.
 *
 * - In state `unknown` it is killed first, like any other init container.
 * - It has started when it runs and, if it has a `startupProbe`, that has succeeded. If that has failed, it is killed and started
 *   again: reason `StartupProbe`, message `Init container log failed startup probe`.
 * - Once it has started, it is killed and started again if its definition has changed (`Init container log definition changed`,
 *   without a reason), or if its `livenessProbe` has failed (`LivenessProbe`, `Init container log failed liveness probe`).
 *
 * @returns `nextMayStart`: whether it has started, and runs
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go computeInitContainerActions
 */
export function computeSidecarActions(
  sidecar: core.Container,
  podStatus: RuntimePodStatus,
  probes: ProbeResults,
): SidecarActions {
  return todo(KATA, 'computeSidecarActions', 'Level 9');
}

/**
 * Orders the ends of the containers of a pod with sidecars that are all killed at the same time. A sidecar serves the containers
 * that started after it: it waits until all containers of `spec.containers` have ended, and the next sidecar after it. If that
 * sidecar does not run, the wait ends there. All other containers do not wait.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_termination_order.go terminationOrdering
 */
export class TerminationOrder implements TerminationTurns {
  /** @param running names of the running containers: the others have ended */
  constructor(pod: Pod, running: readonly string[], clock: Clock) {
    todo(KATA, 'TerminationOrder', 'Level 9');
  }

  /**
   * Waits for the turn of a container, but at most for `seconds`.
   *
   * @returns the whole seconds that it waited
   */
  async turn(name: string, seconds: number): Promise<number> {
    return todo(KATA, 'TerminationOrder.turn', 'Level 9');
  }

  /** Records that a container has ended. */
  terminated(name: string): void {
    todo(KATA, 'TerminationOrder.terminated', 'Level 9');
  }
}

// Level 10 ★ · Ephemeral containers

/**
 * Returns the ephemeral containers without an instance in the runtime. They run once, whatever their exit code, and whether the pod
 * is initialized or not.
 *
 * @returns indexes in `spec.ephemeralContainers`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions
 */
export function ephemeralContainersToStart(pod: Pod, podStatus: RuntimePodStatus): readonly number[] {
  return todo(KATA, 'ephemeralContainersToStart', 'Level 10');
}

// Level 11 ★ · The node

/**
 * Computes the conditions of a node, in this order: those of other clients, unchanged; `MemoryPressure`, `DiskPressure`,
 * `PIDPressure`, `Ready`.
 *
 * | type | status | reason | message |
 * |---|---|---|---|
 * | MemoryPressure | True | `KubeletHasInsufficientMemory` | `kubelet has insufficient memory available` |
 * | | False | `KubeletHasSufficientMemory` | `kubelet has sufficient memory available` |
 * | DiskPressure | True | `KubeletHasDiskPressure` | `kubelet has disk pressure` |
 * | | False | `KubeletHasNoDiskPressure` | `kubelet has no disk pressure` |
 * | PIDPressure | True | `KubeletHasInsufficientPID` | `kubelet has insufficient PID available` |
 * | | False | `KubeletHasSufficientPID` | `kubelet has sufficient PID available` |
 * | Ready | True | `KubeletReady` | `kubelet is posting ready status` |
 * | | False | `KubeletNotReady` | why: one error as it is, several as `[a, b]` |
 *
 * `Ready` is False while there are errors of the runtime, then of its network, in this order. It is also False while the capacity of
 * the machine is unknown: `missing node capacity for resources: cpu, memory, pods, ephemeral-storage`.
 *
 * An observation that is `undefined` changes nothing: a pressure keeps its status, and is False on a new node. `Ready` keeps True or
 * False; otherwise it is False with the error `container runtime status check may not have completed yet`.
 *
 * `lastHeartbeatTime` is now. `lastTransitionTime` is now for a new condition and for a changed status.
 *
 * @param old status in the API; undefined for a new Node
 * @returns `transitions`, in the order of the conditions: `NodeHas` and the rest of the reason, or `NodeReady` and `NodeNotReady`.
 * A new condition counts as changed, except `Ready`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/nodestatus/setters.go ReadyCondition, MemoryPressureCondition
 */
export function computeNodeConditions(
  old: core.NodeStatus | undefined,
  observation: NodeObservation,
): NodeConditions {
  return todo(KATA, 'computeNodeConditions', 'Level 11');
}

/**
 * Returns whether two statuses of a node differ, apart from heartbeat times and the order of conditions.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_node_status.go nodeStatusHasChanged
 */
export function nodeStatusHasChanged(a: core.NodeStatus, b: core.NodeStatus): boolean {
  return todo(KATA, 'nodeStatusHasChanged', 'Level 11');
}

/**
 * The lease of a node: its renewals show that the kubelet is alive.
 *
 * @see Upstream: kubernetes/component-helpers@v0.36.3 apimachinery/lease/controller.go controller
 */
export class NodeLease {
  constructor(options: NodeLeaseOptions) {
    todo(KATA, 'NodeLease', 'Level 11');
  }

  /**
   * Creates the Lease `kube-node-lease/<node>`, or renews it: `holderIdentity` is the node, `leaseDurationSeconds` is 40,
   * `renewTime` is now (`formatMicroTime`). Its only owner is the current Node: `apiVersion`, `kind`, `name` and `uid`; also after
   * that Node was replaced by another one of the same name. Without a Node it writes nothing.
   *
   * It makes up to five tries. A deleted lease is created again; the changes of other clients are kept.
   *
   * @throws the error of the fifth try
   */
  async renew(): Promise<void> {
    return todo(KATA, 'NodeLease.renew', 'Level 11');
  }
}

/**
 * Reports the node to the API until `context.signal` is aborted. It never rejects.
 *
 * - *First* it waits for the first check of the runtime (`sources.runtimeErrors()` is not undefined), at most 30 s. Then it
 *   registers the node: creates it with `nodeDescription` and its status; or, if it exists, updates its labels. It retries after
 *   100 ms, and then after twice the previous delay, up to 7 s.
 * - *Then, every 10 s* plus up to 4 %, it renews the lease and observes the node (`observeNode`). A changed status
 *   (`describeNode` with the conditions) is written; an unchanged one only five minutes after the last write, plus or minus half
 *   of that after a change. A failed write is retried with the current Node, up to five times.
 * - *Events* follow the write of the status: about `{ kind: 'Node', name, uid: name }`, Normal, for each transition:
 *   `Node node-1 status is now: NodeReady`. If the Node had another `bootID` before, once per process: Warning `Rebooted`,
 *   `Node node-1 has been rebooted, boot id: 4f5c…`. When a sync reads a Node whose `spec.unschedulable` has changed since the
 *   last sync (false before the first one): `NodeNotSchedulable` or `NodeSchedulable`, with the message of a transition.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_node_status.go syncNodeStatus, registerWithAPIServer
 */
export async function runNode(context: NodeComponentContext, sources: NodeSources): Promise<void> {
  return todo(KATA, 'runNode', 'Level 11');
}

// Level 12 ★ · Eviction

/**
 * Returns the thresholds that exceed the available amount (`thresholdQuantity`), in their order. A threshold whose signal is unknown
 * is not met.
 *
 * @param options `enforceMinReclaim`: `minReclaim` is added to `value`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/eviction/helpers.go thresholdsMet
 */
export function thresholdsMet(
  thresholds: readonly EvictionThreshold[],
  observations: SignalObservations,
  options: { readonly enforceMinReclaim?: boolean } = {},
): readonly EvictionThreshold[] {
  return todo(KATA, 'thresholdsMet', 'Level 12');
}

/**
 * Returns the pods in the order of eviction: first pods of unknown usage; then pods whose usage of the resource exceeds their request
 * (`framework.podInfoOf(pod).requests`); then the others. Within each group the lower priority comes first (default 0), then the
 * larger difference between usage and request.
 *
 * `memory` uses `memoryBytes`, `ephemeral-storage` uses `diskBytes`. The usage of any other resource is 0.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/eviction/helpers.go rankMemoryPressure, rankDiskPressureFunc
 */
export function rankForEviction(
  resource: ReturnType<typeof resourceOf>,
  pods: readonly Pod[],
  usages: ReadonlyMap<string, PodUsage>,
): readonly Pod[] {
  return todo(KATA, 'rankForEviction', 'Level 12');
}

/**
 * Returns the message for an evicted pod: the resource; the first threshold of that resource, with the available amount; and each
 * container whose usage exceeds its own request, in the order of its usage. Each part ends with a space. `formatAmount` prints
 * amounts; a request is printed as written, or `0`.
 *
 * `The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. Container web was using 300Mi, request is
 * 64Mi, has larger consumption of memory. `
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/eviction/helpers.go evictionMessage
 */
export function evictionMessage(
  resource: ReturnType<typeof resourceOf>,
  pod: Pod,
  grounds: EvictionGrounds,
): string {
  return todo(KATA, 'evictionMessage', 'Level 12');
}

/**
 * Decides whether a node admits a pod.
 *
 * - *Pressure.* Reason `Evicted`, message `The node had condition: [MemoryPressure DiskPressure]. `. Critical pods are admitted
 *   anyway (`isCriticalPod`). Under memory pressure alone, pods whose `status.qosClass` is not `BestEffort` are admitted too, and
 *   pods that tolerate the taint `node.kubernetes.io/memory-pressure:NoSchedule`.
 * - *Resources.* The requests of all pods must fit: `pods` (one each), `cpu` in thousandths, `memory`, `ephemeral-storage`, and
 *   the other resources of the node. The first that does not fit gives the reason, `OutOfcpu`, and the message, `Node didn't have
 *   enough resource: cpu, requested: 2000, used: 3000, capacity: 4000`. `framework.NodeInfo` sums up requests. A resource that the
 *   node does not have is ignored.
 *
 * @returns undefined if the node admits the pod
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/eviction/eviction_manager.go Admit, pkg/kubelet/lifecycle/predicate.go Admit
 */
export function admitPod(pod: Pod, input: AdmissionInput): PodRejection | undefined {
  return todo(KATA, 'admitPod', 'Level 12');
}

/**
 * Evicts pods before a node runs out of a resource.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/eviction/eviction_manager.go managerImpl
 */
export class EvictionManager {
  constructor(options: EvictionManagerOptions) {
    todo(KATA, 'EvictionManager', 'Level 12');
  }

  /**
   * The current pressures: each with a threshold that was met within the last five minutes, also during its grace period. Undefined
   * before the first observation.
   */
  get pressure(): ReadonlySet<NodePressure> | undefined {
    return todo(KATA, 'EvictionManager.pressure', 'Level 12');
  }

  /**
   * Observes the node once, and acts:
   *
   * 1. Evict pods that exceed their own limits of disk space (`localStorageMessage`), with a grace period of one second. If there are
   *    any, stop here.
   * 2. A threshold is due when it has been met without a break for its grace period. After it was due, it stays met until
   *    `minReclaim` is available, too. The first due threshold counts; one of memory comes before all others.
   * 3. `warn`: `EvictionThresholdMet`, `Attempting to reclaim memory`.
   * 4. Under disk pressure, `reclaim`. If then no threshold is met, with `minReclaim`, stop here.
   * 5. Evict one pod: the first of {@link rankForEviction} that is not critical. Its grace period is one second; under a soft
   *    threshold its own, up to `maxPodGracePeriodSeconds`. Its condition is `DisruptionTarget`, True, reason
   *    `TerminationByKubelet`, with the message, and the pod's generation as `observedGeneration`.
   *
   * @returns the evicted pods
   * @throws the error of `observe`, before any action
   */
  async synchronize(): Promise<readonly Pod[]> {
    return todo(KATA, 'EvictionManager.synchronize', 'Level 12');
  }
}

/** Given. Returns the node parts of a kubelet (Levels 11 and 12): add them to the functions of {@link kubelet}. */
export function nodeParts(): NodeParts {
  return { runNode, admitPod, newEvictionManager: (options) => new EvictionManager(options) };
}

// Level 13 ★ · Static pods
//
// A static pod comes from a manifest in a directory of the node. A *mirror pod* of the same name and namespace shows it in the API.

/**
 * Ensures that a static pod has its mirror pod. A mirror with a `deletionTimestamp` is deleted at once and replaced; so is a mirror
 * of another version of the pod: its annotation `kubernetes.io/config.mirror` differs from the pod's annotation
 * `kubernetes.io/config.hash`. `newMirrorPod` builds a mirror; `deleteMirrorPod` deletes one by its uid.
 *
 * Errors are only logged: the pod runs without its mirror.
 *
 * @param mirrorPod the current mirror
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go tryReconcileMirrorPods
 */
export async function reconcileMirrorPod(
  parts: KubeletParts,
  pod: Pod,
  mirrorPod: Pod | undefined,
): Promise<void> {
  return todo(KATA, 'reconcileMirrorPod', 'Level 13');
}

/**
 * Deletes the mirror pods (`parts.pods.mirrors`) without a static pod. While the static pod terminates
 * (`parts.workers.isTerminatingByFullName`, `fullName`), its mirror stays.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go HandlePodCleanups
 */
export async function deleteOrphanedMirrorPods(parts: KubeletParts): Promise<void> {
  return todo(KATA, 'deleteOrphanedMirrorPods', 'Level 13');
}
