import type { Pod } from '../api/objects.ts';

/**
 * The kubelet's own directory.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 cmd/kubelet/app/options/options.go defaultRootDir
 */
const ROOT = '/var/lib/kubelet';

/** The directory with one subdirectory per pod, named by UID. */
export const PODS_DIRECTORY = `${ROOT}/pods`;

/**
 * The directory with the logs of all pods.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/apis/config/v1beta1/defaults.go DefaultPodLogsDir
 */
export const POD_LOGS_DIRECTORY = '/var/log/pods';

/** Returns the directory of one pod, which is deleted with it. */
export function podDirectory(uid: string): string {
  return `${PODS_DIRECTORY}/${uid}`;
}

/**
 * Returns the log directory of a pod, with one subdirectory per container: `/var/log/pods/default_web-1_4f5c…`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/helpers.go BuildPodLogsDirectory
 */
export function podLogsDirectory({ metadata }: Pick<Pod, 'metadata'>): string {
  return `${POD_LOGS_DIRECTORY}/${metadata.namespace}_${metadata.name}_${metadata.uid}`;
}
