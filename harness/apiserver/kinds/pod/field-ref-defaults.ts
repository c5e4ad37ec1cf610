import type * as core from '#api/core/v1';
import { withDefaults } from '../../copy-on-write.ts';

/**
 * A reference to a field of the pod itself, in an environment variable or a volume.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/defaults.go SetDefaults_ObjectFieldSelector
 */
export function setFieldRefDefaults(reference: core.ObjectFieldSelector): core.ObjectFieldSelector {
  return withDefaults(reference, { apiVersion: 'v1' });
}
