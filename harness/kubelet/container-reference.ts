import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';

/**
 * Returns the object that events about one container of a pod refer to.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/ref.go GenerateContainerRef
 *
 * @param name as in the pod's spec
 */
export function containerReference({ metadata, spec }: Pod, name: string): core.ObjectReference {
  const { namespace = '', uid, resourceVersion } = metadata;
  const has = (containers: readonly { readonly name: string }[] = []): boolean =>
    containers.some((container) => container.name === name);
  const field = has(spec?.containers)
    ? 'containers'
    : has(spec?.initContainers)
      ? 'initContainers'
      : 'ephemeralContainers';
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    namespace,
    name: metadata.name,
    uid,
    resourceVersion,
    fieldPath: `spec.${field}{${name}}`,
  };
}
