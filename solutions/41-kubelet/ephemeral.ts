import { findContainerStatus, type Pod, type RuntimePodStatus } from '#harness';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions */
export function ephemeralContainersToStart(pod: Pod, podStatus: RuntimePodStatus): readonly number[] {
  const { ephemeralContainers = [] } = pod.spec;
  return [...ephemeralContainers.keys()].filter(
    (i) => !findContainerStatus(podStatus, ephemeralContainers[i]?.name ?? ''),
  );
}
