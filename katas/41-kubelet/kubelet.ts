/**
 * Kata 41 · The kubelet. Read README.md beside this file, then begin at the top: Level 1 is what a pod's phase says.
 *
 * Levels 1 to 5 decide, and do nothing: what runs is their argument, and what is to be done is their result. Levels 6 to 8 do
 * it, on a machine that outlives the kubelet.
 *
 * To go your own way, write {@link kubelet} in any shape: its contract stands there, and the laws ask for no more.
 */
import {
  type AdmissionInput,
  type BackoffError,
  BackoffTable,
  type Clock,
  type ConditionInput,
  type ContainerKill,
  type ContainerStart,
  type core,
  type EvictionGrounds,
  type EvictionManagerOptions,
  type EvictionThreshold,
  type InitContainerActions,
  type KillPodOptions,
  type KubeletParts,
  type NodeComponent,
  type NodeComponentContext,
  type NodeConditions,
  type NodeLeaseOptions,
  type NodeObservation,
  type NodeParts,
  type NodePressure,
  type NodeSources,
  newKubelet,
  type PhaseOptions,
  type Pod,
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
  todo,
} from '#harness';

const KATA = '41-kubelet';

// Level 1 · Phase

/**
 * Where a pod is in its life, by what its containers are doing.
 *
 * A container whose `state` is `waiting` and whose `lastState` is `terminated` has run, and waits to be started again: it has
 * *stopped*, like one whose `state` is `terminated`. A container without a status, or with an empty `state`, is unknown.
 *
 * Whether a container that has stopped is started again, `shouldRestart` says (given): by its exit code, its policy and its pod's.
 *
 * The first that holds counts:
 *
 * | phase | when |
 * |---|---|
 * | Failed | an init container has failed, and is not started again |
 * | Pending | an init container has not stopped; or a container waits for its first start, or is unknown |
 * | Running | a container runs, or has stopped and is started again |
 * | Succeeded | the `state` of each container is `terminated` with exit code 0 |
 * | Failed | otherwise |
 *
 * If the pod is terminal, none of its containers is started again; its init containers still go by their policy.
 *
 * Level 9: a sidecar is no init container here. As long as one runs that has not `started`, and the pod has not been
 * initialized, the pod is `Pending`. One that runs, waits for its first start or is unknown counts like a container; one that has
 * stopped counts for nothing.
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
// A condition here is its `type`, its `status`, and, unless all is well, a `reason` and a `message`: `conditionTrue` and
// `conditionFalse` make one. Condition `Initialized` is given.

/**
 * Condition `ContainersReady`: each container of `spec.containers` is `ready`.
 *
 * | status | reason | when; the first that holds counts |
 * |---|---|---|
 * | False | `UnknownContainerStatuses` | `statuses` is undefined; an empty array is not that |
 * | False | `PodFailed` | the phase is `Failed` |
 * | False | `PodCompleted` | the phase is `Succeeded`, and every container has a status |
 * | False | `ContainersNotReady` | one has no status, or is not `ready` |
 * | True | | otherwise |
 *
 * `ContainersNotReady` has a message: `containers with unknown status: [a], containers with unready status: [b c]`. The first part
 * names those without a status, the second those that are not `ready`. `lackingContainers` finds both, and `containersWith` makes
 * the message.
 *
 * Level 9: sidecars have to be `ready`, too. They are named before the containers.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/generate.go GenerateContainersReadyCondition
 */
export function generateContainersReadyCondition(
  input: Omit<ConditionInput, 'conditions'>,
): core.PodCondition {
  return todo(KATA, 'generateContainersReadyCondition', 'Level 2');
}

/**
 * Condition `Ready`: whether the pod is to get traffic. While `ContainersReady` is not True, this is not, with the same reason
 * and message. After that each of `spec.readinessGates` has to be a condition of the pod that is True: others write those.
 * Until then it is False, reason `ReadinessGatesNotReady`, with a message for each gate that is not True (`closedGate`), joined by
 * `, `.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/status/generate.go GeneratePodReadyCondition
 */
export function generatePodReadyCondition(input: ConditionInput): core.PodCondition {
  return todo(KATA, 'generatePodReadyCondition', 'Level 2');
}

// Level 3 · Sandbox and init containers

/**
 * Whether a pod needs another sandbox. It does if it has none. It does if its newest one
 *
 * - is not ready, or is not the only one that is ready;
 * - has another `network` than the pod asks for by `hostNetwork`;
 * - is in the pod network and has no address, though its addresses are known.
 *
 * @returns `attempt`: of the newest sandbox if that is good; else one more, and 0 for the first. `sandboxID`: of the newest
 * sandbox; undefined if there is none, or if it is ready, and the only one that is, in the wrong network
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/util/util.go PodSandboxChanged
 */
export function podSandboxChanged(pod: Pod, podStatus: RuntimePodStatus): SandboxChange {
  return todo(KATA, 'podSandboxChanged', 'Level 3');
}

/**
 * What is to be done about the init containers of a pod, whose sandbox is good. They run one after another, in their order:
 * each has to exit with 0 before the next one starts.
 *
 * - The runtime may have forgotten those that have exited, all or some. That one of them has had its turn is also known from a
 *   later one that is there; and that all have had theirs, from a container of `spec.containers` that is created or running. One
 *   that has exited says nothing: it may have been in an earlier sandbox. An init container does not run again after a later
 *   one has begun.
 * - One that was created and does not run was not started: it is started again.
 * - One that failed is started again (`shouldContainerBeRestarted`, given), or else the pod is killed: nothing is started then, and
 *   no container is killed singly. A failure is an exit with another code than 0, and also any exit with the reason `OOMKilled`: for
 *   that some runtimes report 0. It is asked about as it is: `OnFailure` does not start one again that was killed for its memory and
 *   reported 0.
 * - One whose state is `unknown` may be running: it is killed before it is started again (`unknownToKill`, given). If
 *   `restartsAfterKill` (given) says no, the pod is killed.
 *
 * `['exited 0', 'exited 1', none]` with `OnFailure`: start 1, not initialized. `[none, 'exited 0']`: initialized.
 *
 * Level 9: {@link computeSidecarActions} decides for a sidecar, as soon as it has had its turn, and from then on for as long as the
 * pod lives. The pod is not killed because of it. The next container starts when this one says so.
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
 * What is to be done with a pod now, so that it becomes what its spec says. It is asked again and again: it decides by what the
 * runtime has, and remembers nothing.
 *
 * *The sandbox is no longer good* ({@link podSandboxChanged}): kill the pod, make another sandbox, and begin from the beginning:
 * with the first init container, or, if there is none, with all containers that have something left to do. A container whose
 * policy, its own or else its pod's, is `OnFailure` and that has exited with 0 has nothing left to do. All others have, also one
 * with a policy `Never` of its own. No sandbox is made, and nothing is started, if
 *
 * - the pod's policy is `Never`, this is not the first sandbox, and the runtime has any container of the pod; or
 * - no container has anything left to do.
 *
 * *It is good*, and the init containers have work to do: see {@link computeInitContainerActions}.
 *
 * *It is good, and the pod is initialized*: each container goes by `shouldContainerBeRestarted` (given). Besides:
 *
 * - One in state `unknown` is killed before it is started again (`unknownToKill`).
 * - One that runs is killed if `whyToKill` (given) gives a reason: its definition has changed, or a probe has failed. After a probe
 *   it is started again if `restartsAfterKill`; after a change of definition (no `reason`), always. The message of one that is
 *   started again ends with `, will be restarted`.
 * - If none runs on and none is to be started, the pod is over: kill it, and start nothing. What was to be killed singly stays in
 *   `containersToKill`.
 *
 * Level 10: {@link ephemeralContainersToStart} says which ephemeral containers start, as long as the sandbox is good.
 *
 * @returns `attempt` and `sandboxID` are those of {@link podSandboxChanged}; `createSandbox` implies `killPod`. `nothingToDo` (given)
 * has all fields
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions
 */
export function computePodActions(pod: Pod, podStatus: RuntimePodStatus, probes: ProbeResults): PodActions {
  return todo(KATA, 'computePodActions', 'Level 4');
}

// Level 5 · Back-off

/**
 * How long to wait before something that fails is tried again: longer each time, for each key apart. It waits for nothing
 * itself, and sets no timer. What it remembers of each key is given: `this.entry(key)` has how long the key waits, and when that
 * was set; `this.set(key, backoffMs)` sets it; `this.get(key)` gives the wait alone, and 0 for a key that is not known.
 * `this.options` has the clock and the limits.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff
 */
export class Backoff extends BackoffTable {
  /**
   * Whether a key counts as one that has never failed: it is not known, or this event comes more than `expiryMs` after its wait
   * was set. It has gone well for so long that the next failure counts as the first.
   *
   * @param eventTimeMs when it failed, in ms since 1970
   */
  hasExpired(key: string, eventTimeMs: number): boolean {
    return todo(KATA, 'Backoff.hasExpired', 'Level 5');
  }

  /**
   * Counts a failure: the wait is `initialMs` for a key that has expired by then; else it is twice as long as before, and `maxMs`
   * at most.
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff.Next
   */
  next(key: string, eventTimeMs: number): void {
    todo(KATA, 'Backoff.next', 'Level 5');
  }

  /**
   * Whether the wait that began at `eventTimeMs` is not over yet. A key that had expired by then does not wait.
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 util/flowcontrol/backoff.go Backoff.IsInBackOffSince
   */
  isInBackOffSince(key: string, eventTimeMs: number): boolean {
    return todo(KATA, 'Backoff.isInBackOffSince', 'Level 5');
  }
}

/**
 * Whether a container that is to be started has to wait first. It waits from the end of its newest instance that has exited; one
 * that has none does not wait, and counts for nothing. If it has exited and may start, that end counts as a failure.
 *
 * Containers are counted apart, by `backOffKey` (given): with another image a container begins anew.
 *
 * @returns undefined: start it now. Else when it may start, and why not now (`backOffError`, given)
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
// `parts` is what a kubelet is made of: `parts.context` has its clock and the machine that it runs on
// (`parts.context.host.runtime` is the container runtime), `parts.statuses` writes to the API, and so on. `parts.steps` has the
// steps that every kubelet takes in the same way, each with its events.

/**
 * Starts a container: its image (`parts.images`), its configuration (`parts.configs.container`), made in the sandbox, started, and
 * its `postStart` hook run (`parts.steps.postStart`, which asks you to kill the container if the hook fails: {@link killContainer}
 * is Level 7).
 *
 * - `parts.steps.nextRestartCount` knows how often it was started before.
 * - An earlier instance that was made and did not start may be starting still, by the word of a kubelet that has died since. It is
 *   removed before another one is made (`parts.steps.removeUnstarted`): two of one container never run.
 * - Events tell of it, about the container (`parts.containerEvent`): `Normal Created Container created` and `Normal Started
 *   Container started`, each when that is so.
 *
 * @throws SyncError with the reason for which it waits, made by `parts.steps.startFailed`: for the image `ErrImagePull` (the
 * image's own error knows better), `CreateContainerConfigError`, `CreateContainerError`, `RunContainerError`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go startContainer
 */
export async function startContainer(parts: KubeletParts, start: ContainerStart): Promise<void> {
  return todo(KATA, 'startContainer', 'Level 6');
}

/**
 * Does what {@link computePodActions} says, in this order: kill, sandbox, ephemeral containers, init containers, containers. What
 * the probes have found is in `parts.probeResults`.
 *
 * - `killWhatIsNotToRun` (given) kills, with {@link killContainer} and {@link killPod} (Level 7), and gives the result to go on
 *   with. If anything could not be killed (`result.error()`), nothing is started.
 * - `parts.steps.createSandbox` makes the sandbox. Without one nothing is started.
 * - A container that has to wait ({@link doBackOff}) is not started: `parts.steps.backedOff` tells of it, and gives the failure that
 *   this counts as.
 * - A container that does not start keeps no other from starting: `failureOf` (given) turns what it throws into its failure. But
 *   what comes after an init container waits for its end.
 *
 * Level 9: a sidecar that does not start keeps nothing from starting.
 *
 * @returns what was done, and what failed: for each container that was to start a `StartContainer` with its name, added to what
 * was killed. It is empty when there was nothing to do
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go SyncPod
 */
export async function carryOut(parts: KubeletParts, backOff: Backoff, work: PodWork): Promise<PodSyncResult> {
  return todo(KATA, 'carryOut', 'Level 6');
}

/**
 * Brings a pod nearer to what its spec says, and tells of it. It is called whenever something has changed, and once a minute.
 *
 * - What is known is told before anything is done, since that may take long: `parts.generateAPIPodStatus`,
 *   `parts.statuses.setPodStatus`. If the pod has ended by that, that is all.
 * - Before containers can start there has to be a network (`parts.steps.mustHaveNetwork`), volumes (`parts.steps.mountVolumes`) and
 *   the secrets for images (`parts.pullSecretsOf`). Then its probes begin (`parts.probes.addPod`).
 * - {@link carryOut} needs the addresses that were told. What came of it is kept for the next status (`parts.reasons`).
 *
 * Level 13: the mirror of a static pod is seen to, as soon as there is a network: {@link reconcileMirrorPod}, for `isStaticPod`.
 *
 * @returns `ended` when the pod has ended; `changed` when something was done; else `unchanged`
 * @throws what failed, so that the pod is synced again when the time has come
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go SyncPod
 */
export async function syncPod(parts: KubeletParts, backOff: Backoff, sync: PodSync): Promise<SyncOutcome> {
  return todo(KATA, 'syncPod', 'Level 6');
}

// Level 7 · Stop

/**
 * Kills a container, and waits until it has ended. It is told of first: `Normal Killing`, with the message of `kill`.
 *
 * It has `kill.graceSeconds`, or else what `terminationGracePeriod` (given) says. From that is taken how long its `preStop` hook ran
 * (`parts.steps.preStop`: whole seconds; a container without any time has no hook). What is left is for the container itself, and at
 * least `MINIMUM_GRACE_SECONDS`.
 *
 * `parts.steps.specOf` has its spec, also when nothing is known of its pod. One that is gone has ended. When `kill.signal` is
 * aborted, there is no more waiting for anything (`interruptible`).
 *
 * Level 9: between the two it waits for its turn (`kill.order`), and that is taken from its time, too. That it has ended is told
 * to the order.
 *
 * @param pod undefined when nothing is known of it
 * @throws cri.CriError when it may still run; `kill.signal.reason`
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
 * Kills all containers of a pod, all at once, and after they have ended stops all its sandboxes (`stopSandbox`, given), also if a
 * container could not be killed: what failed is in the result, and `failureOf` (given) makes it.
 *
 * Level 9: if the pod has sidecars, they end in a {@link TerminationOrder}.
 *
 * @returns for each container a `KillContainer` (`KillContainerError`), for each sandbox a `KillPodSandbox` (`KillPodSandboxError`)
 * @throws `options.signal.reason` as soon as that is aborted
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
 * Ends a pod, and resolves when nothing of it runs. `sync.graceSeconds` is how long it has; `sync.signal` is aborted when it is
 * to have less, and then this is called again.
 *
 * First it is told how the pod is now, adjusted by `sync.adjust` if that is there. Liveness and startup probes stop: what they
 * find now is what was to be expected. Then it is killed (`runningPod` says what there is), and after that no probe runs. At last
 * the runtime is read once more (`parts.steps.podStatusAfterKill`), and how the pod has ended is told (`podIsTerminal`).
 *
 * @throws what failed, so that it is tried again, and is told of: `Warning FailedKillPod error killing pod: …`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go SyncTerminatingPod
 */
export async function syncTerminatingPod(parts: KubeletParts, sync: TerminatingPodSync): Promise<void> {
  return todo(KATA, 'syncTerminatingPod', 'Level 7');
}

/**
 * Lets a pod go of which nothing runs: tells how it has ended, waits until its volumes are unmounted
 * (`parts.steps.waitUntilUnmounted`), and only then says that all is done: `parts.statuses.terminatePod`. A pod that is to be
 * deleted leaves the API after that.
 *
 * @throws what failed, so that it is tried again
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go SyncTerminatedPod
 */
export async function syncTerminatedPod(parts: KubeletParts, sync: PodSync): Promise<void> {
  return todo(KATA, 'syncTerminatedPod', 'Level 7');
}

// Level 8 · After a restart

/**
 * Brings three sets together, by uid: the pods that are wanted (`parts.pods`), those that are worked on (`parts.workers`), and
 * those that run (`parts.runtimePods`, `isRunningPod`). It is called every two seconds, and knows nothing from the last time.
 *
 * `parts.workers.syncKnownPods` takes which are wanted, ends those that are not, and gives those that are worked on. It is asked
 * before the runtime is: what begins in between is worked on, and no orphan. `parts.workers.knows` says whether a pod is worked on
 * at the moment.
 *
 * - A pod that is wanted, and not worked on at the moment, is given to a worker (`parts.workers.update`): as `create` if it has not
 *   ended (`parts.steps.hasEnded`); as `kill` if it has ended, is to be deleted, and does not run.
 * - A pod that runs is an orphan if it was not among those that `syncKnownPods` gave and is not worked on at the moment: `kill` it
 *   (`runtimePod`), with a grace period of 1 second.
 * - What is kept of pods that are gone goes: `parts.steps.forgetPods`.
 *
 * Level 13: mirrors without a static pod go, too, if there are mirrors at all: {@link deleteOrphanedMirrorPods}.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go HandlePodCleanups
 */
export async function handlePodCleanups(parts: KubeletParts): Promise<void> {
  return todo(KATA, 'handlePodCleanups', 'Level 8');
}

/**
 * Given, unless you go your own way: the kubelet of a node. It sees to the pods whose `spec.nodeName` is the node's
 * (`context.node`), and tells the API of them, until `context.signal` is aborted. It may be killed between any two calls, and is
 * then started again with empty memory. The levels of the node (11 and 12) become part of it with `nodeParts`.
 *
 * In a shape of your own it owes what the levels say together, and what is given there:
 *
 * - the whole status of each pod: phase, conditions, addresses, `startTime`, a status for each container;
 * - its end: a deleted pod of which nothing ever ran ends as `Failed`; a pod that is older than `activeDeadlineSeconds` is stopped, in
 *   the middle of a round, too, and has `Failed` with the reason `DeadlineExceeded`;
 * - the events of the tables in README.md, and those of what goes wrong: `FailedCreatePodSandBox`, `FailedMount`, `NetworkNotReady`,
 *   `FailedPreStopHook`, `FailedPostStartHook`, `FailedKillPod`, `SandboxChanged`;
 * - nothing that stays: containers and sandboxes that are dead, directories and logs of pods that are gone.
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
 * What a sidecar needs that has had its turn: an init container with `restartPolicy: Always` (`isSidecar`). It runs beside what
 * comes after it, whatever the pod's policy; so one that does not run is started, also one of which the runtime has nothing.
 *
 * - In state `unknown` it is killed first, like any other init container.
 * - It has started when it runs, or, if it has a `startupProbe`, when that has succeeded. If that has failed, it is killed and
 *   started again: reason `StartupProbe`, message `Init container log failed startup probe`.
 * - Once it has started, it is killed and started again if its definition has changed (`Init container log definition changed`,
 *   without a reason); or if it has a `livenessProbe` that has failed (`LivenessProbe`, `Init container log failed liveness probe`).
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
 * The order in which the containers of a pod with sidecars end, when all are killed at once. A sidecar serves what was started
 * after it: it waits until all containers of `spec.containers` have ended, and the next sidecar after it, which has waited in turn.
 * If that one does not run, nothing further is waited for. All others wait for nothing.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_termination_order.go terminationOrdering
 */
export class TerminationOrder implements TerminationTurns {
  /** @param running the names of the containers that run: what does not run has ended */
  constructor(pod: Pod, running: readonly string[], clock: Clock) {
    todo(KATA, 'TerminationOrder', 'Level 9');
  }

  /**
   * Waits for the turn of a container, but not longer than it may.
   *
   * @returns the whole seconds that it waited
   */
  async turn(name: string, seconds: number): Promise<number> {
    return todo(KATA, 'TerminationOrder.turn', 'Level 9');
  }

  /** Takes that a container has ended. */
  terminated(name: string): void {
    todo(KATA, 'TerminationOrder.terminated', 'Level 9');
  }
}

// Level 10 ★ · Ephemeral containers

/**
 * Which ephemeral containers start: those of which the runtime has nothing. They are for a look inside: they run once, whatever
 * becomes of them, and whether the pod is initialized or not.
 *
 * @returns indexes in `spec.ephemeralContainers`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions
 */
export function ephemeralContainersToStart(pod: Pod, podStatus: RuntimePodStatus): readonly number[] {
  return todo(KATA, 'ephemeralContainersToStart', 'Level 10');
}

// Level 11 ★ · The node

/**
 * The conditions of a node, in this order: those of others as they are, `MemoryPressure`, `DiskPressure`, `PIDPressure`, and
 * `Ready` as the last.
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
 * The node is not ready while there are errors of the runtime or of its network, in this order. Nor is it as long as it is not known
 * what the machine has: `missing node capacity for resources: cpu, memory, pods, ephemeral-storage`.
 *
 * What has not been observed yet is `undefined`, and changes nothing: pressure is as it was, and there is none on a new node.
 * `Ready` stays as it was if it was True or False; else it is False, with the error
 * `container runtime status check may not have completed yet`.
 *
 * `lastHeartbeatTime` is now. `lastTransitionTime` is now where the status is another one, and where the condition is new.
 *
 * @param old as the API has it; undefined for a new Node
 * @returns `transitions`, in the order of the conditions: `NodeHas` and what the reason says, or `NodeReady` and `NodeNotReady`.
 * A new condition counts as one that has changed, except `Ready`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/nodestatus/setters.go ReadyCondition, MemoryPressureCondition
 */
export function computeNodeConditions(
  old: core.NodeStatus | undefined,
  observation: NodeObservation,
): NodeConditions {
  return todo(KATA, 'computeNodeConditions', 'Level 11');
}

/**
 * Whether two statuses of a node say different things. The times of heartbeats do not count, nor the order of conditions.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_node_status.go nodeStatusHasChanged
 */
export function nodeStatusHasChanged(a: core.NodeStatus, b: core.NodeStatus): boolean {
  return todo(KATA, 'nodeStatusHasChanged', 'Level 11');
}

/**
 * The lease of a node: that it is renewed says that the kubelet lives.
 *
 * @see Upstream: kubernetes/component-helpers@v0.36.3 apimachinery/lease/controller.go controller
 */
export class NodeLease {
  constructor(options: NodeLeaseOptions) {
    todo(KATA, 'NodeLease', 'Level 11');
  }

  /**
   * Makes the Lease `kube-node-lease/<node>`, or renews it: `holderIdentity` is the node, `leaseDurationSeconds` is 40,
   * `renewTime` is now (`formatMicroTime`). Its only owner is the Node: `apiVersion`, `kind`, `name` and `uid`. When another Node
   * of this name has taken the place of the old one, the lease belongs to that from now on. Without a Node nothing is written.
   *
   * It is tried up to five times. A lease that is gone is made again; of one that another client has changed, the rest stays.
   *
   * @throws what the API said the fifth time
   */
  async renew(): Promise<void> {
    return todo(KATA, 'NodeLease.renew', 'Level 11');
  }
}

/**
 * Tells the API of the node, until `context.signal` is aborted. It never rejects.
 *
 * - *At first* it waits until the runtime has been asked (`sources.runtimeErrors()` is not undefined), for 30 s at most. Then it
 *   registers the node: creates it with `nodeDescription` and its status; or, if it is there, sees to its labels. It tries after
 *   100 ms, and then after twice as long as before each time, up to 7 s.
 * - *Then, every 10 s*, or up to 4 % later, it renews the lease and looks at the node (`observeNode`). If its status
 *   (`describeNode` with the conditions) says something new, it is written; else only when the last write is five minutes ago,
 *   give or take half of that after a change. A write that fails is tried again with the Node as it is then, up to five times.
 * - *Events* are told when the status was written: about `{ kind: 'Node', name, uid: name }`, Normal, for each transition:
 *   `Node node-1 status is now: NodeReady`. When the Node had another `bootID` before, once a life: Warning `Rebooted`,
 *   `Node node-1 has been rebooted, boot id: 4f5c…`.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_node_status.go syncNodeStatus, registerWithAPIServer
 */
export async function runNode(context: NodeComponentContext, sources: NodeSources): Promise<void> {
  return todo(KATA, 'runNode', 'Level 11');
}

// Level 12 ★ · Eviction

/**
 * The thresholds of which less is left than they say (`thresholdQuantity`), in their order. One of whose signal nothing is known
 * is not met.
 *
 * @param options `enforceMinReclaim`: `minReclaim` has to be there on top of `value`
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
 * Pods in the order in which they are to be evicted. First those of whose use nothing is known. Then those that use more of the
 * resource than they have asked for (`framework.podInfoOf(pod).requests`). Among those, and among the rest, the lower priority
 * first (absent: 0), and then the one whose use is further above its request.
 *
 * `memory` is counted in `memoryBytes`, `ephemeral-storage` in `diskBytes`. Of anything else each pod uses 0.
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
 * What a pod is told that is evicted: the resource; the first of the thresholds that is about it, with what was left; and each
 * container that used more than its own request, in the order of its usage. Each part ends with a space. Amounts are printed by
 * `formatAmount`; a request as it was written, or `0`.
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
 * Whether a node can have a pod.
 *
 * - *Pressure.* Reason `Evicted`, message `The node had condition: [MemoryPressure DiskPressure]. `. Critical pods are taken all the
 *   same (`isCriticalPod`). If only memory is short, so are those whose `status.qosClass` is not `BestEffort`, and those that
 *   tolerate the taint `node.kubernetes.io/memory-pressure:NoSchedule`.
 * - *Resources.* What all pods ask for has to be there: `pods` (one each), `cpu` in thousandths, `memory`, `ephemeral-storage`, and
 *   whatever else the node has. The first that is not gives the reason, `OutOfcpu`, and the message, `Node didn't have enough
 *   resource: cpu, requested: 2000, used: 3000, capacity: 4000`. `framework.NodeInfo` sums up what pods ask for. What the node
 *   does not have at all is not the node's to refuse.
 *
 * @returns undefined when it can
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/eviction/eviction_manager.go Admit, pkg/kubelet/lifecycle/predicate.go Admit
 */
export function admitPod(pod: Pod, input: AdmissionInput): PodRejection | undefined {
  return todo(KATA, 'admitPod', 'Level 12');
}

/**
 * Keeps a node from running short.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/eviction/eviction_manager.go managerImpl
 */
export class EvictionManager {
  constructor(options: EvictionManagerOptions) {
    todo(KATA, 'EvictionManager', 'Level 12');
  }

  /**
   * What the node is short of: each pressure of which a threshold has been met within the last five minutes, also if its grace
   * period was not over. Undefined until the node was observed.
   */
  get pressure(): ReadonlySet<NodePressure> | undefined {
    return todo(KATA, 'EvictionManager.pressure', 'Level 12');
  }

  /**
   * Looks at the node once, and does what has to be done:
   *
   * 1. Pods that have taken more of the disk than they allow themselves (`localStorageMessage`) are evicted, with one second. If
   *    there are any, that is all.
   * 2. A threshold is due when it has been met without a break for its grace period. One that was due stays met until
   *    `minReclaim` is there, too. The first that is due is worked on; one for memory comes before all others.
   * 3. `warn`: `EvictionThresholdMet`, `Attempting to reclaim memory`.
   * 4. When the disk is short, `reclaim`. If after that no threshold is met, with `minReclaim`, that is all.
   * 5. One pod is evicted: the first by {@link rankForEviction} that is not critical. It has one second; under a soft threshold, as
   *    many as it says itself, up to `maxPodGracePeriodSeconds`. Its condition is `DisruptionTarget`, True, reason
   *    `TerminationByKubelet`, with the message, and the pod's generation as `observedGeneration`.
   *
   * @returns the pods that were evicted
   * @throws what `observe` throws: then nothing was done
   */
  async synchronize(): Promise<readonly Pod[]> {
    return todo(KATA, 'EvictionManager.synchronize', 'Level 12');
  }
}

/** Given. What a kubelet does for its node: `nodeParts` among the functions of {@link kubelet} makes it part of yours. */
export function nodeParts(): NodeParts {
  return { runNode, admitPod, newEvictionManager: (options) => new EvictionManager(options) };
}

// Level 13 ★ · Static pods
//
// A static pod is wanted by the node itself: by a manifest in a directory of it. For people to see it, a *mirror pod* stands in
// the API, of the same name and namespace.

/**
 * Sees to it that a static pod has its mirror. One that is to be deleted is, at once, and another one is made; so
 * is one of another version of the pod: its annotation `kubernetes.io/config.mirror` is not the annotation
 * `kubernetes.io/config.hash` of the pod. `newMirrorPod` is what is to be created; `deleteMirrorPod` deletes one, and no other of
 * its name.
 *
 * What fails is written to the log: the pod runs all the same.
 *
 * @param mirrorPod what stands for it now
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
 * Deletes the mirror pods (`parts.pods.mirrors`) whose static pod is gone. While the static pod ends
 * (`parts.workers.isTerminatingByFullName`, `fullName`), its mirror stays, and shows that.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_pods.go HandlePodCleanups
 */
export async function deleteOrphanedMirrorPods(parts: KubeletParts): Promise<void> {
  return todo(KATA, 'deleteOrphanedMirrorPods', 'Level 13');
}
