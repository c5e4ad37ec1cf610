import type * as core from '#api/core/v1';
import type { Cause } from '../../../api/status.ts';
import { forbidden, invalid } from '../../validation/field-error.ts';
import { APP_ARMOR_ANNOTATION, validateAppArmorAnnotations } from './app-armor.ts';

/** Marks the image in the apiserver of a pod that a kubelet runs from a file of its own. */
export const MIRROR_POD = 'kubernetes.io/config.mirror';

/** How much it costs to delete this pod rather than another of its ReplicaSet, -2³¹ to 2³¹-1. */
export const POD_DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

type Annotations = Readonly<Record<string, string>> | undefined;

/**
 * Annotations of pods that mean something to Kubernetes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go
 * ValidatePodSpecificAnnotations
 *
 * Differs: the deprecated annotations of seccomp and tolerations are not looked into.
 */
export function validatePodAnnotations(annotations: Annotations, spec: core.PodSpec, path: string): Cause[] {
  const causes: Cause[] = [];
  const mirror = annotations?.[MIRROR_POD];
  if (mirror !== undefined && !spec.nodeName) {
    const detail = 'must set spec.nodeName if mirror pod annotation is set';
    causes.push(invalid(`${path}[${MIRROR_POD}]`, mirror, detail));
  }
  const cost = annotations?.[POD_DELETION_COST];
  if (cost !== undefined && !isInt32(cost)) {
    causes.push(invalid(`${path}[${POD_DELETION_COST}]`, cost, 'must be a 32bit integer'));
  }
  return [...causes, ...validateAppArmorAnnotations(annotations, spec, path)];
}

/**
 * A mirror stays one, and nothing else becomes one; the annotations of AppArmor stay what they are.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go
 * ValidatePodSpecificAnnotationUpdates
 */
export function validatePodAnnotationsUpdate(
  annotations: Annotations = {},
  old: Annotations = {},
  path: string,
): Cause[] {
  if (annotations === old) return [];
  return [...new Set([...Object.keys(old), ...Object.keys(annotations)])].flatMap((key) => {
    if (annotations[key] === old[key]) return [];
    const change = old[key] === undefined ? 'add' : 'remove or update';
    if (key === MIRROR_POD) return [forbidden(`${path}[${key}]`, `may not ${change} mirror pod annotation`)];
    if (!key.startsWith(APP_ARMOR_ANNOTATION)) return [];
    return [forbidden(`${path}[${key}]`, `may not ${change} AppArmor annotations`)];
  });
}

/** Neither a plus sign nor leading zeros, so that one cost has one spelling. */
function isInt32(text: string): boolean {
  return /^(0|-\d+|[1-9]\d*)$/.test(text) && BigInt.asIntN(32, BigInt(text)) === BigInt(text);
}
