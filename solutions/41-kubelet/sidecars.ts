import { type ContainerToKill, type core, hashContainer, type RuntimeContainerStatus } from '#harness';
import { type InitContainerStep, type ProbeResults, unknownToKill } from './restart.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go computeInitContainerActions */
export function computeSidecarActions(
  sidecar: core.Container,
  status: RuntimeContainerStatus | undefined,
  probes: ProbeResults,
): InitContainerStep {
  const { name, startupProbe, livenessProbe } = sidecar;
  if (status?.state === 'unknown') {
    return { start: true, kill: unknownToKill(name, 'Init container'), done: false };
  }
  if (status?.state !== 'running') return { start: true, done: false };
  const startup = startupProbe ? probes.startup(status.id) : 'Success';
  // That it has started is enough for the next one, whatever becomes of it from here on.
  const done = startup === 'Success';
  const kill = (what: string, reason?: ContainerToKill['reason']): InitContainerStep => ({
    start: true,
    kill: { name, message: `Init container ${name} ${what}`, ...(reason && { reason }) },
    done,
  });
  if (startup === 'Failure') return kill('failed startup probe', 'StartupProbe');
  if (done && status.hash !== hashContainer(sidecar)) return kill('definition changed');
  if (done && livenessProbe && probes.liveness(status.id) === 'Failure') {
    return kill('failed liveness probe', 'LivenessProbe');
  }
  return { start: false, done };
}
