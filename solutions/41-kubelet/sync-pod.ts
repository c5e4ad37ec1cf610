import {
  interruptible,
  type KubeletParts,
  messageOf,
  NetworkNotReady,
  type Pod,
  type PodSync,
  podDirectory,
} from '#harness';
import type { Backoff } from './backoff.ts';
import { carryOut } from './carry-out.ts';
import { reconcileMirrorPod } from './mirror-pod.ts';

/**
 * What is known is told before anything is done: what is done may take long.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go SyncPod
 */
export async function syncPod(
  parts: KubeletParts,
  backOff: Backoff,
  { pod, mirrorPod, podStatus, signal }: PodSync,
): Promise<'changed' | 'unchanged' | 'ended'> {
  const { uid } = pod.metadata;
  const { files } = parts.context.host;
  const status = parts.generateAPIPodStatus(pod, podStatus);
  parts.statuses.setPodStatus(pod, status);
  if (status.phase === 'Succeeded' || status.phase === 'Failed') return 'ended';

  mustHaveNetwork(parts, pod);
  await reconcileMirrorPod(parts, pod, mirrorPod);
  await files.mkdirAll(podDirectory(uid));
  await mountVolumes(parts, pod, signal);
  const pullSecrets = await parts.pullSecretsOf(pod);
  parts.probes.addPod(pod);

  const ips = (status.podIPs ?? []).map(({ ip }) => ip ?? '');
  const result = await carryOut(parts, backOff, { pod, podStatus, ips, pullSecrets });
  parts.reasons.update(uid, result);
  const error = result.error();
  if (error) throw error;
  return result.results.length > 0 ? 'changed' : 'unchanged';
}

function mustHaveNetwork({ runtimeState, context }: KubeletParts, pod: Pod): void {
  const errors = runtimeState.networkErrors();
  if (errors.length === 0 || pod.spec.hostNetwork) return;
  const message = `network is not ready: ${errors.join(', ')}`;
  context.recorder.event(pod, 'Warning', 'NetworkNotReady', message);
  throw new NetworkNotReady(message);
}

async function mountVolumes(
  { volumes, context }: KubeletParts,
  pod: Pod,
  signal: AbortSignal,
): Promise<void> {
  await interruptible(signal, volumes.waitForAttachAndMount(pod)).catch((error: unknown) => {
    const message = messageOf(error);
    // That it has taken too long, the operations themselves have told of.
    if (!signal.aborted && !message.endsWith('context deadline exceeded')) {
      const what = `Unable to attach or mount volumes: ${message}`;
      context.recorder.event(pod, 'Warning', 'FailedMount', what);
    }
    throw error;
  });
}
