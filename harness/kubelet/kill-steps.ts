import type { Pod } from '../api/objects.ts';
import { isCriNotFound } from '../contracts/node/cri/index.ts';
import type { KubeletParts } from './kubelet-parts.ts';
import { messageOf } from './message-of.ts';
import type { PodActions } from './pod-status.ts';
import {
  type ContainerKill,
  type KillPodOptions,
  orphanedPod,
  type PodWork,
  type RunningPod,
  runningPod,
} from './pod-work.ts';
import { criId, type RuntimePod } from './runtime-pods.ts';
import { PodSyncResult, SyncError } from './sync-result.ts';

/** The grace period of a pod that only the runtime knows. */
const ORPHAN_GRACE_SECONDS = 1;

/** The functions of a kata that stop containers and pods. */
export interface Killers {
  killContainer(parts: KubeletParts, pod: Pod | undefined, kill: ContainerKill): Promise<void>;
  killPod(parts: KubeletParts, running: RunningPod, options?: KillPodOptions): Promise<PodSyncResult>;
}

/**
 * Waits for a promise and returns its failure.
 *
 * @param reason used as {@link SyncError.reason}, unless the error is already a `SyncError`
 * @returns undefined on success
 */
export async function failureOf(reason: string, done: Promise<unknown>): Promise<SyncError | undefined> {
  try {
    await done;
    return undefined;
  } catch (error) {
    return error instanceof SyncError ? error : new SyncError(reason, messageOf(error));
  }
}

/**
 * Kills everything that must not run: the whole pod, or single containers. Then it removes init containers. If the pod
 * needs a new sandbox it removes all of them, because the pod is initialized again. Otherwise it keeps the newest dead
 * run of each init container, whose exit code is still needed.
 *
 * @returns the result of each kill. If one failed, the caller must not start anything
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go SyncPod
 */
export async function killWhatIsNotToRun(
  parts: KubeletParts,
  { killPod: killsPod, createSandbox, sandboxID, containersToKill }: PodActions,
  { pod, podStatus }: Pick<PodWork, 'pod' | 'podStatus'>,
  { killContainer, killPod }: Killers,
): Promise<PodSyncResult> {
  if (createSandbox && sandboxID !== undefined) {
    const message = 'Pod sandbox changed, it will be killed and re-created.';
    parts.context.recorder.event(pod, 'Normal', 'SandboxChanged', message);
  }
  const result = new PodSyncResult();
  if (killsPod) {
    const running = runningPod(pod, podStatus);
    const isThere = running.containers.length > 0 || running.sandboxIDs.length > 0;
    if (isThere) result.addAll(await killPod(parts, running));
  } else {
    for (const [id, kill] of containersToKill) {
      const killed = killContainer(parts, pod, { ...kill, id: criId(id) });
      const error = await failureOf('KillContainerError', killed);
      result.add('KillContainer', kill.name, error);
      if (error) break;
    }
  }
  if (result.error()) return result;
  const { containerStatuses } = podStatus;
  const dead = containerStatuses.filter(({ state }) => state === 'exited' || state === 'unknown');
  if (createSandbox) await parts.steps.removeInitContainers(pod, containerStatuses, { keep: 0 });
  else await parts.steps.removeInitContainers(pod, dead, { keep: 1 });
  return result;
}

/**
 * Kills the containers of a pod that only the runtime knows.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go SyncTerminatingRuntimePod
 *
 * @throws SyncFailure with all failed kills
 */
export async function killOrphan(
  parts: KubeletParts,
  pod: RuntimePod,
  { killPod }: Pick<Killers, 'killPod'>,
): Promise<void> {
  const killed = await killPod(parts, orphanedPod(pod), { graceSeconds: ORPHAN_GRACE_SECONDS });
  const error = killed.error();
  if (error) throw error;
}

/** Stops a sandbox; a deleted sandbox counts as stopped. @returns the failure; undefined on success */
export function stopSandbox({ context }: KubeletParts, id: string): Promise<SyncError | undefined> {
  const stopped = context.host.runtime.stopPodSandbox(id).catch((error: unknown) => {
    if (!isCriNotFound(error)) throw error;
  });
  return failureOf('KillPodSandboxError', stopped);
}
