import type { Pod } from '../api/objects.ts';

/**
 * The source of a pod that does not come from the API.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/types/pod_update.go ConfigSourceAnnotationKey
 */
export const CONFIG_SOURCE = 'kubernetes.io/config.source';
/**
 * The UID of a static pod, by default the hash of its manifest.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/types/pod_update.go ConfigHashAnnotationKey
 */
export const CONFIG_HASH = 'kubernetes.io/config.hash';
/**
 * On a mirror pod: the `CONFIG_HASH` of its static pod.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/types/pod_update.go ConfigMirrorAnnotationKey
 */
export const CONFIG_MIRROR = 'kubernetes.io/config.mirror';

type Annotated = Pick<Pod, 'metadata'>;

/**
 * Returns whether the pod is a static pod, which the node itself requires independent of the API.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/types/pod_update.go IsStaticPod
 */
export function isStaticPod({ metadata }: Annotated): boolean {
  const source = metadata.annotations?.[CONFIG_SOURCE];
  return source !== undefined && source !== 'api' && !isMirrorPod({ metadata });
}

/**
 * Returns whether the pod is a mirror pod, which makes a static pod visible in the API.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/types/pod_update.go IsMirrorPod
 */
export function isMirrorPod({ metadata }: Annotated): boolean {
  return metadata.annotations?.[CONFIG_MIRROR] !== undefined;
}

/**
 * Returns the name that a static pod and its mirror pod share: `web_default`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/runtime.go GetPodFullName
 */
export function fullName({
  name,
  namespace = '',
}: {
  readonly name: string;
  readonly namespace?: string;
}): string {
  return `${name}_${namespace}`;
}
