import type { Labels } from '../../api/label-selector.ts';

/** The annotation of a mirror pod, which stands for a static pod of a node. */
export const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** Upstream: kubernetes/kubelet@v0.36.3 pkg/apis/well_known_labels.go kubeletLabels */
const KUBELET_LABELS = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);

const isIn = (prefix: string, domain: string): boolean => prefix === domain || prefix.endsWith(`.${domain}`);

/**
 * Returns those of the labels that a kubelet may not set, ordered by name.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 plugin/pkg/admission/noderestriction/admission.go Plugin.getForbiddenLabels
 */
export function forbiddenNodeLabels(keys: readonly string[]): readonly string[] {
  return keys
    .filter((key) => {
      const prefix = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
      if (isIn(prefix, 'node-restriction.kubernetes.io')) return true;
      const isKubernetes = isIn(prefix, 'kubernetes.io') || isIn(prefix, 'k8s.io');
      const isOfKubelet =
        KUBELET_LABELS.has(key) ||
        isIn(prefix, 'kubelet.kubernetes.io') ||
        isIn(prefix, 'node.kubernetes.io');
      return isKubernetes && !isOfKubelet;
    })
    .sort();
}

/** Returns the keys of the labels that differ. */
export function changedLabels(a: Labels = {}, b: Labels = {}): readonly string[] {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].filter((key) => a[key] !== b[key]);
}
