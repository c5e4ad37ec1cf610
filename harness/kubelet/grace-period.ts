import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import type { ContainerToKill } from './pod-status.ts';

/** The shortest grace period of a container, in seconds. */
export const MINIMUM_GRACE_SECONDS = 2;

/**
 * Returns the grace period of a container in seconds. The first value that is set counts: `deletionGracePeriodSeconds`
 * of the pod's metadata; if a probe is the reason, the `terminationGracePeriodSeconds` of that probe; that of the pod's
 * spec; 2.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go setTerminationGracePeriod
 */
export function terminationGracePeriod(
  { metadata, spec }: Pod,
  { livenessProbe, startupProbe }: core.Container,
  reason: ContainerToKill['reason'],
): number {
  const probe =
    reason === 'LivenessProbe' ? livenessProbe : reason === 'StartupProbe' ? startupProbe : undefined;
  return (
    metadata.deletionGracePeriodSeconds ??
    probe?.terminationGracePeriodSeconds ??
    spec.terminationGracePeriodSeconds ??
    MINIMUM_GRACE_SECONDS
  );
}
