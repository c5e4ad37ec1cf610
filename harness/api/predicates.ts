import type { KubeObject, New, OwnerReference, Pod } from './objects.ts';

/**
 * Returns the owner that controls the object, or undefined. An object has at most one.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/controller_ref.go GetControllerOfNoCopy
 */
export function controllerOf({ metadata }: Pick<New<KubeObject>, 'metadata'>): OwnerReference | undefined {
  for (const reference of metadata.ownerReferences ?? []) if (reference.controller) return reference;
  return undefined;
}

/**
 * Returns whether the pod's condition `Ready` is True.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/pod/util.go IsPodReady
 */
export function isReady({ status }: Pick<Pod, 'status'>): boolean {
  for (const each of status.conditions ?? [])
    if (each.type === 'Ready' && each.status === 'True') return true;
  return false;
}

/** Returns whether the pod has ended, with or without success. It never runs again. */
export function hasEnded({ status }: Pick<Pod, 'status'>): boolean {
  return status.phase === 'Succeeded' || status.phase === 'Failed';
}
