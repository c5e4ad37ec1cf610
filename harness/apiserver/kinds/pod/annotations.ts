import type * as core from '#api/core/v1';
import type { Cause } from '../../../api/status.ts';
import { forbidden, invalid } from '../../validation/field-error.ts';
import { APP_ARMOR_ANNOTATION, validateAppArmorAnnotations } from './app-armor.ts';

/** Marks a mirror pod: the API object of a static pod, which a kubelet runs from a local file. */
export const MIRROR_POD = 'kubernetes.io/config.mirror';

/** Annotation with the cost of deleting this pod instead of another of its ReplicaSet, -2³¹ to 2³¹-1. */
export const POD_DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

type Annotations = Readonly<Record<string, string>> | undefined;

/**
 * Validates the pod annotations that have a meaning in Kubernetes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go
 * ValidatePodSpecificAnnotations
 *
 * Differs: the deprecated annotations of seccomp and tolerations are not validated.
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
 * Validates changed annotations: the mirror annotation and the AppArmor annotations never change.
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

/** Is the text a canonical int32? A plus sign or leading zeros are rejected, so that each cost has one spelling. */
function isInt32(text: string): boolean {
  return /^(0|-\d+|[1-9]\d*)$/.test(text) && BigInt.asIntN(32, BigInt(text)) === BigInt(text);
}
