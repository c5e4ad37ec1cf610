import type { RuntimePodStatus, SandboxChange } from '#given/41-kubelet';
import type { Pod } from '#harness';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/util/util.go PodSandboxChanged */
export function podSandboxChanged(pod: Pod, { sandboxStatuses }: RuntimePodStatus): SandboxChange {
  const [newest] = sandboxStatuses;
  if (!newest) return { changed: true, attempt: 0, sandboxID: undefined };
  const { id: sandboxID, metadata, state, network, ips } = newest;
  const another = { changed: true, attempt: metadata.attempt + 1, sandboxID };
  // If two sandboxes are ready, parts of the pod run in each, so neither is reliable.
  const ready = sandboxStatuses.filter((sandbox) => sandbox.state === 'SANDBOX_READY');
  if (ready.length > 1 || state !== 'SANDBOX_READY') return another;
  if (network !== (pod.spec.hostNetwork ? 'node' : 'pod')) return { ...another, sandboxID: undefined };
  if (network === 'pod' && ips?.length === 0) return another;
  return { changed: false, attempt: metadata.attempt, sandboxID };
}
