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

/** What a kata builds to stop containers and pods. */
export interface Killers {
  killContainer(parts: KubeletParts, pod: Pod | undefined, kill: ContainerKill): Promise<void>;
  killPod(parts: KubeletParts, running: RunningPod, options?: KillPodOptions): Promise<PodSyncResult>;
}

/**
 * Waits for something, and says how it has failed.
 *
 * @param reason for {@link SyncError.reason}, unless what was thrown is a `SyncError` already
 * @returns undefined when it has not failed
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
 * Kills what is not to run on: the whole pod, or single containers. Then removes dead init containers: all when there is to be a
 * new sandbox, for in that the pod is initialized anew; else all but the newest of each, which says how it went.
 *
 * @returns what was killed and what could not be. With a failure in it, nothing may be started
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
 * Ends the containers of a pod that only the runtime knows.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go SyncTerminatingRuntimePod
 *
 * @throws SyncFailure with all that could not be ended
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

/** Stops a sandbox. One that is gone is stopped. @returns how it has failed; undefined when it has not */
export function stopSandbox({ context }: KubeletParts, id: string): Promise<SyncError | undefined> {
  const stopped = context.host.runtime.stopPodSandbox(id).catch((error: unknown) => {
    if (!isCriNotFound(error)) throw error;
  });
  return failureOf('KillPodSandboxError', stopped);
}
