import type { PodSpec, PodTemplateSpec } from '#api/core/v1';
import type { KubeObject } from '../../../api/objects.ts';
import type { Resource } from '../../../api/resource.ts';

/** Returns the pod template of an object; undefined for a kind without one. */
export function templateOf(object: KubeObject): PodTemplateSpec | undefined {
  return (object as { readonly spec?: { readonly template?: PodTemplateSpec } }).spec?.template;
}

/** Returns the pod spec of an object: of a pod its own, otherwise that of its template. */
export function podSpecOf({ kind }: Resource, object: KubeObject): PodSpec | undefined {
  return kind === 'Pod' ? (object as { readonly spec?: PodSpec }).spec : templateOf(object)?.spec;
}

/** Returns the body of a patch of the pod spec. */
export function inPodSpec({ kind }: Resource, spec: object): object {
  return kind === 'Pod' ? { spec } : { spec: { template: { spec } } };
}
