import type { Pod } from '../api/objects.ts';

/** Where a pod comes from, if not from the API. Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/types/pod_update.go ConfigSourceAnnotationKey */
export const CONFIG_SOURCE = 'kubernetes.io/config.source';
/** What a static pod was read as. Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/types/pod_update.go ConfigHashAnnotationKey */
export const CONFIG_HASH = 'kubernetes.io/config.hash';
/** Of a mirror pod: of which static pod it is. Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/types/pod_update.go ConfigMirrorAnnotationKey */
export const CONFIG_MIRROR = 'kubernetes.io/config.mirror';

type Annotated = Pick<Pod, 'metadata'>;

/**
 * Is it a pod that the node itself wants, whatever the API says?
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/types/pod_update.go IsStaticPod
 */
export function isStaticPod({ metadata }: Annotated): boolean {
  const source = metadata.annotations?.[CONFIG_SOURCE];
  return source !== undefined && source !== 'api' && !isMirrorPod({ metadata });
}

/**
 * Is it what stands in the API for a static pod, so that people can see it?
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/types/pod_update.go IsMirrorPod
 */
export function isMirrorPod({ metadata }: Annotated): boolean {
  return metadata.annotations?.[CONFIG_MIRROR] !== undefined;
}

/** By which a static pod and its mirror find each other: `web_default`. Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/helpers.go GetPodFullName */
export function fullName({
  name,
  namespace = '',
}: {
  readonly name: string;
  readonly namespace?: string;
}): string {
  return `${name}_${namespace}`;
}
