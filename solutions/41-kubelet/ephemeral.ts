import { findContainerStatus, type RuntimePodStatus } from '#given/41-kubelet';
import type { Pod } from '#harness';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions */
export function ephemeralContainersToStart(pod: Pod, podStatus: RuntimePodStatus): readonly number[] {
  const { ephemeralContainers = [] } = pod.spec;
  return [...ephemeralContainers.keys()].filter(
    (i) => !findContainerStatus(podStatus, ephemeralContainers[i]?.name ?? ''),
  );
}
