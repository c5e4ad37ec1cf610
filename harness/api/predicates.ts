import type { KubeObject, New, OwnerReference, Pod } from './objects.ts';

/**
 * The owner that controls the object; absent when none does. No object has two.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/controller_ref.go GetControllerOfNoCopy
 */
export function controllerOf({ metadata }: Pick<New<KubeObject>, 'metadata'>): OwnerReference | undefined {
  for (const reference of metadata.ownerReferences ?? []) if (reference.controller) return reference;
  return undefined;
}

/**
 * Does the pod say that it is ready?
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/pod/util.go IsPodReady
 */
export function isReady({ status }: Pick<Pod, 'status'>): boolean {
  for (const each of status.conditions ?? [])
    if (each.type === 'Ready' && each.status === 'True') return true;
  return false;
}

/** Has the pod ended, well or badly? It never runs again. */
export function hasEnded({ status }: Pick<Pod, 'status'>): boolean {
  return status.phase === 'Succeeded' || status.phase === 'Failed';
}
