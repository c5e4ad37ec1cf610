import {
  ContainerBackOff,
  type ContainerStart,
  type core,
  criId,
  formatPod,
  isSidecar,
  type KubeletParts,
  messageOf,
  type PodActions,
  PodSyncResult,
  type PodWork,
  runningPod,
  SyncError,
} from '#harness';
import { computePodActions } from './actions.ts';
import { type Backoff, doBackOff } from './backoff.ts';
import { killContainer } from './kill-container.ts';
import { killPod } from './kill-pod.ts';
import { startContainer } from './start-container.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go SyncPod */
export async function carryOut(
  parts: KubeletParts,
  backOff: Backoff,
  { pod, podStatus, ips, pullSecrets }: PodWork,
): Promise<PodSyncResult> {
  const result = new PodSyncResult();
  const actions = computePodActions(pod, podStatus, {
    liveness: (id) => parts.probes.result('liveness', id),
    startup: (id) => parts.probes.result('startup', id),
  });
  await killWhatIsNotToRun(parts, actions, { pod, podStatus, result });
  if (result.error()) return result;
  // Of each init container, the last run is kept: the one that says how it went.
  const dead = podStatus.containerStatuses.filter(({ state }) => state === 'exited' || state === 'unknown');
  await parts.steps.removeInitContainers(pod, dead, { keep: 1 });

  const sandbox = actions.createSandbox
    ? await parts.steps.createSandbox(pod, actions.attempt, result)
    : actions.sandboxID && { id: actions.sandboxID, ips };
  if (!sandbox) return result;

  const sandboxConfig = parts.configs.sandbox(pod, actions.attempt);
  const start = async (container: core.Container): Promise<boolean> => {
    const to = { pod, container, podStatus, sandbox, sandboxConfig, pullSecrets };
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
  { pod, podStatus, result }: Pick<PodWork, 'pod' | 'podStatus'> & { readonly result: PodSyncResult },
): Promise<void> {
  if (creates && sandboxID !== undefined) {
    const message = 'Pod sandbox changed, it will be killed and re-created.';
    parts.context.recorder.event(pod, 'Normal', 'SandboxChanged', message);
  }
  if (killsPod) {
    const running = runningPod(pod, podStatus);
    const isThere = running.containers.length > 0 || running.sandboxIDs.length > 0;
    const killed = isThere ? await killPod(parts, running) : new PodSyncResult();
    result.addAll(killed);
    if (!creates || killed.error()) return;
    // In a new sandbox, the pod is initialized anew.
    return parts.steps.removeInitContainers(pod, podStatus.containerStatuses, { keep: 0 });
  }
  for (const [id, kill] of containersToKill) {
    try {
      await killContainer(parts, pod, { ...kill, id: criId(id) });
      result.add('KillContainer', kill.name);
    } catch (error) {
      result.add('KillContainer', kill.name, new SyncError('KillContainerError', messageOf(error)));
      return;
    }
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
