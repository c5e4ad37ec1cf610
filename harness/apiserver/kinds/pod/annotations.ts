import type * as core from '#api/core/v1';
import type { Cause } from '../../../api/status.ts';
import { forbidden, invalid } from '../../validation/field-error.ts';

/** Marks the image in the apiserver of a pod that a kubelet runs from a file of its own. */
export const MIRROR_POD = 'kubernetes.io/config.mirror';

/** How much it costs to delete this pod rather than another of its ReplicaSet, -2³¹ to 2³¹-1. */
export const POD_DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

type Annotations = Readonly<Record<string, string>> | undefined;

/**
 * Annotations of pods that mean something to Kubernetes.
 *
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/apis/core/validation/validation.go
 * ValidatePodSpecificAnnotations
 *
 * Differs: the deprecated annotations of seccomp, AppArmor and tolerations are not looked into.
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
  return causes;
}

/** A mirror stays one, and nothing else becomes one. */
export function validatePodAnnotationsUpdate(
  annotations: Annotations,
  old: Annotations,
  path: string,
): Cause[] {
  const [mirror, oldMirror] = [annotations?.[MIRROR_POD], old?.[MIRROR_POD]];
  if (mirror === oldMirror) return [];
  const change = oldMirror === undefined ? 'add' : 'remove or update';
  return [forbidden(`${path}[${MIRROR_POD}]`, `may not ${change} mirror pod annotation`)];
}

/** Neither a plus sign nor leading zeros, so that one cost has one spelling. */
function isInt32(text: string): boolean {
  return /^(0|-\d+|[1-9]\d*)$/.test(text) && BigInt.asIntN(32, BigInt(text)) === BigInt(text);
}
