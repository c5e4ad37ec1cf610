import {
  type ContainerToKill,
  findContainerStatus,
  hashContainer,
  type ProbeResults,
  type RuntimePodStatus,
  type SidecarActions,
  unknownToKill,
} from '#given/41-kubelet';
import type { core } from '#harness';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go computeInitContainerActions */
export function computeSidecarActions(
  sidecar: core.Container,
  podStatus: RuntimePodStatus,
  probes: ProbeResults,
): SidecarActions {
  const { name, startupProbe, livenessProbe } = sidecar;
  const status = findContainerStatus(podStatus, name);
  if (status?.state === 'unknown') {
    return { start: true, kill: unknownToKill(name, 'Init container'), nextMayStart: false };
  }
  if (status?.state !== 'running') return { start: true, nextMayStart: false };
  const startup = startupProbe ? probes.startup(status.id) : 'Success';
  // Once it has started, the next container can start, whatever happens to the sidecar later.
  const nextMayStart = startup === 'Success';
  const kill = (what: string, reason?: ContainerToKill['reason']): SidecarActions => ({
    start: true,
    kill: { name, message: `Init container ${name} ${what}`, ...(reason && { reason }) },
    nextMayStart,
  });
  if (startup === 'Failure') return kill('failed startup probe', 'StartupProbe');
  if (nextMayStart && status.hash !== hashContainer(sidecar)) return kill('definition changed');
  if (nextMayStart && livenessProbe && probes.liveness(status.id) === 'Failure') {
    return kill('failed liveness probe', 'LivenessProbe');
  }
  return { start: false, nextMayStart };
}
