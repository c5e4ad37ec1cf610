import type * as core from '#api/core/v1';
import { withDefaults } from '../../copy-on-write.ts';

/**
 * Sets the defaults of a reference to a field of the pod, in an environment variable or a volume.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/v1/defaults.go SetDefaults_ObjectFieldSelector
 */
export function setFieldRefDefaults(reference: core.ObjectFieldSelector): core.ObjectFieldSelector {
  return withDefaults(reference, { apiVersion: 'v1' });
}
