import type { Pod } from '../api/objects.ts';

/** Where a kubelet keeps what is its own. Upstream: kubernetes/kubernetes@v1.36.3 cmd/kubelet/app/options/options.go defaultRootDir */
const ROOT = '/var/lib/kubelet';

/** Where the directories of all pods are, by uid. */
export const PODS_DIRECTORY = `${ROOT}/pods`;

/** Where the logs of all pods are. Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/apis/config/v1beta1/defaults.go DefaultPodLogsDir */
export const POD_LOGS_DIRECTORY = '/var/log/pods';

/** What belongs to one pod, and goes with it. */
export function podDirectory(uid: string): string {
  return `${PODS_DIRECTORY}/${uid}`;
}

/** Below it, one directory a container: `/var/log/pods/default_web-1_4f5c…`. Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/helpers.go BuildPodLogsDirectory */
export function podLogsDirectory({ metadata }: Pick<Pod, 'metadata'>): string {
  return `${POD_LOGS_DIRECTORY}/${metadata.namespace}_${metadata.name}_${metadata.uid}`;
}
