import {
  failureOf,
  type KubeletParts,
  killWhatIsNotToRun,
  type PodSyncResult,
  type PodWork,
} from '#given/41-kubelet';
import { type core, isSidecar } from '#harness';
import { computePodActions } from './actions.ts';
import { type Backoff, doBackOff } from './backoff.ts';
import { killContainer } from './kill-container.ts';
import { killPod } from './kill-pod.ts';
import { startContainer } from './start-container.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go SyncPod */
export async function carryOut(parts: KubeletParts, backOff: Backoff, work: PodWork): Promise<PodSyncResult> {
  const { pod, podStatus, ips, pullSecrets } = work;
  const actions = computePodActions(pod, podStatus, parts.probeResults);
  const result = await killWhatIsNotToRun(parts, actions, work, { killContainer, killPod });
  if (result.error()) return result;
  const sandbox = actions.createSandbox
    ? await parts.steps.createSandbox(pod, actions.attempt, result)
    : actions.sandboxID && { id: actions.sandboxID, ips };
  if (!sandbox) return result;

  const sandboxConfig = parts.configs.sandbox(pod, actions.attempt);
  const start = async (container: core.Container): Promise<boolean> => {
    const it = { pod, container, podStatus, sandbox, sandboxConfig, pullSecrets };
    const wait = doBackOff(pod, container, podStatus, backOff);
    const error = wait
      ? parts.steps.backedOff(it, wait)
      : await failureOf('RunContainerError', startContainer(parts, it));
    result.add('StartContainer', container.name, error);
    return error === undefined;
  };
  const { ephemeralContainers = [], initContainers = [], containers } = pod.spec;
  for (const i of actions.ephemeralContainersToStart) await start(ephemeralContainers[i] as core.Container);
  for (const i of actions.initContainersToStart) {
    const container = initContainers[i] as core.Container;
    // The next containers wait until an init container has completed. A sidecar that fails to start is retried, next to
    // the others.
    if (!(await start(container)) && !isSidecar(container)) return result;
  }
  for (const i of actions.containersToStart) await start(containers[i] as core.Container);
  return result;
}
