import {
  ContainerBackOff,
  type core,
  criId,
  formatPod,
  isSidecar,
  type KubeletParts,
  messageOf,
  type Pod,
  type PodActions,
  PodSyncResult,
  type RuntimePodStatus,
  SyncError,
} from '#harness';
import { computePodActions } from './actions.ts';
import { type Backoff, doBackOff } from './backoff.ts';
import { killContainer } from './kill-container.ts';
import { killPod, runningPod } from './kill-pod.ts';
import { type ContainerStart, startContainer } from './start-container.ts';

/** A pod, what there is of it, and what its containers are started with. */
export interface CarryOutInput {
  readonly pod: Pod;
  readonly podStatus: RuntimePodStatus;
  readonly ips: readonly string[];
  readonly pullSecrets: readonly core.Secret[];
}

/**
 * Does what the pod needs now. What has failed is in the result: the rest is done all the same, if it may be.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go SyncPod
 */
export async function carryOut(
  parts: KubeletParts,
  backOff: Backoff,
  { pod, podStatus, ips, pullSecrets }: CarryOutInput,
): Promise<PodSyncResult> {
  const result = new PodSyncResult();
  const actions = computePodActions(pod, podStatus, {
    liveness: (id) => parts.probes.result('liveness', id),
    startup: (id) => parts.probes.result('startup', id),
  });
  await killWhatIsNotToRun(parts, actions, { pod, podStatus, result });
  if (result.error()) return result;
  await pruneInitContainers(parts, pod, podStatus);

  const sandbox = actions.createSandbox
    ? await createSandbox(parts, pod, actions.attempt, result)
    : actions.sandboxID && { id: actions.sandboxID, ips };
  if (!sandbox) return result;

  const sandboxConfig = parts.configs.sandbox(pod, actions.attempt);
  const start = async (container: core.Container): Promise<boolean> => {
    const to: ContainerStart = {
      pod,
      container,
      podStatus,
      sandboxID: sandbox.id,
      sandboxConfig,
      ips: sandbox.ips,
      pullSecrets,
    };
    const error = await startUnlessBackedOff(parts, backOff, to);
    result.add('StartContainer', container.name, error);
    return error === undefined;
  };
  const { ephemeralContainers = [], initContainers = [], containers } = pod.spec;
  for (const i of actions.ephemeralContainersToStart) await start(ephemeralContainers[i] as core.Container);
  for (const i of actions.initContainersToStart) {
    const container = initContainers[i] as core.Container;
    // What comes after an init container waits for its end. A sidecar that does not start is tried again, beside the others.
    if (!(await start(container)) && !isSidecar(container)) return result;
  }
  for (const i of actions.containersToStart) await start(containers[i] as core.Container);
  return result;
}

async function killWhatIsNotToRun(
  parts: KubeletParts,
  { killPod: killsPod, createSandbox: creates, sandboxID, containersToKill }: PodActions,
  { pod, podStatus, result }: Pick<CarryOutInput, 'pod' | 'podStatus'> & { readonly result: PodSyncResult },
): Promise<void> {
  if (creates && sandboxID !== undefined) {
    const message = 'Pod sandbox changed, it will be killed and re-created.';
    parts.context.recorder.event(pod, 'Normal', 'SandboxChanged', message);
  }
  if (killsPod) {
    const killed = await killPod(parts, runningPod(pod, podStatus));
    for (const { action, target, error } of killed.results) result.add(action, target, error);
    // In a new sandbox, the pod is initialized anew.
    if (creates && !killed.error()) await removeInitContainers(parts, pod, podStatus, 0);
    return;
  }
  for (const [id, kill] of containersToKill) {
    try {
      await killContainer(parts, pod, { ...kill, id: criId(id) });
      result.add('KillContainer', kill.name);
    } catch (error) {
      return result.add('KillContainer', kill.name, new SyncError('KillContainerError', messageOf(error)));
    }
  }
}

/** Of each init container, the last run is kept: the one that says how it went. */
function pruneInitContainers(parts: KubeletParts, pod: Pod, podStatus: RuntimePodStatus): Promise<void> {
  const dead = podStatus.containerStatuses.filter(({ state }) => state === 'exited' || state === 'unknown');
  return removeInitContainers(parts, pod, { containerStatuses: dead }, 1);
}

async function removeInitContainers(
  parts: KubeletParts,
  { spec }: Pod,
  { containerStatuses }: Pick<RuntimePodStatus, 'containerStatuses'>,
  keep: number,
): Promise<void> {
  for (const container of spec.initContainers ?? []) {
    const own = containerStatuses.filter(({ name }) => name === container.name);
    for (const { id } of own.slice(keep)) await parts.removeContainer(criId(id));
  }
}

/** @returns undefined when there is none: the result says why, unless the pod is to end anyway */
async function createSandbox(parts: KubeletParts, pod: Pod, attempt: number, result: PodSyncResult) {
  const { host, recorder } = parts.context;
  const config = parts.configs.sandbox(pod, attempt);
  const failed = (reason: string, what: string, error: unknown): undefined => {
    const message = messageOf(error);
    if (parts.workers.isTerminationRequested(pod.metadata.uid)) return;
    recorder.event(pod, 'Warning', reason, `${what}: ${message}`);
    result.add('CreatePodSandbox', formatPod(pod), new SyncError('CreatePodSandboxError', message));
  };
  let id: string;
  try {
    await host.files.mkdirAll(config.logDirectory);
    id = await host.runtime.runPodSandbox(config);
  } catch (error) {
    return failed('FailedCreatePodSandBox', 'Failed to create pod sandbox', error);
  }
  result.add('CreatePodSandbox', formatPod(pod));
  try {
    const { ips = [] } = await host.runtime.podSandboxStatus(id);
    parts.onPodSandboxReady(pod);
    return { id, ips: pod.spec.hostNetwork ? [host.ip] : ips };
  } catch (error) {
    return failed('FailedPodSandBoxStatus', 'Unable to get pod sandbox status', error);
  }
}

async function startUnlessBackedOff(
  parts: KubeletParts,
  backOff: Backoff,
  start: ContainerStart,
): Promise<SyncError | undefined> {
  const { pod, container, podStatus } = start;
  const wait = doBackOff(pod, container, podStatus, backOff);
  if (wait) {
    const message = `Back-off restarting failed container ${container.name} in pod ${formatPod(pod)}`;
    parts.containerEvent(pod, container.name, 'Warning', 'BackOff', message);
    return new ContainerBackOff('CrashLoopBackOff', wait.message, wait.untilMs);
  }
  try {
    await startContainer(parts, start);
    return undefined;
  } catch (error) {
    return error instanceof SyncError ? error : new SyncError('RunContainerError', messageOf(error));
  }
}
