import { isStaticPod, type KubeletParts, type PodSync, type SyncOutcome } from '#given/41-kubelet';
import type { Backoff } from './backoff.ts';
import { carryOut } from './carry-out.ts';
import { reconcileMirrorPod } from './mirror-pod.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go SyncPod */
export async function syncPod(parts: KubeletParts, backOff: Backoff, sync: PodSync): Promise<SyncOutcome> {
  const { pod, mirrorPod, podStatus, signal } = sync;
  // Report the status first, because the work itself can take a long time.
  const status = parts.generateAPIPodStatus(pod, podStatus);
  parts.statuses.setPodStatus(pod, status);
  if (status.phase === 'Succeeded' || status.phase === 'Failed') return 'ended';

  parts.steps.mustHaveNetwork(pod);
  if (isStaticPod(pod)) await reconcileMirrorPod(parts, pod, mirrorPod);
  await parts.steps.mountVolumes(pod, signal);
  const pullSecrets = await parts.pullSecretsOf(pod);
  parts.probes.addPod(pod);

  const ips = (status.podIPs ?? []).map(({ ip }) => ip);
  const result = await carryOut(parts, backOff, { pod, podStatus, ips, pullSecrets });
  parts.reasons.update(pod.metadata.uid, result);
  const error = result.error();
  if (error) throw error;
  return result.results.length > 0 ? 'changed' : 'unchanged';
}
