import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import { shouldRestart } from '../api/restart-policy.ts';
import { findContainerStatus, hashContainer } from './containers.ts';
import type { ProbeResults } from './decisions.ts';
import type { ContainerToKill, RuntimeContainerStatus, RuntimePodStatus } from './pod-status.ts';

/**
 * Whether a container is to be started, or started again, by the newest instance that the runtime has of it. One that runs is
 * not. One that has exited goes by its policy and its rules. All others are: one that was never made, one that was made and did
 * not start, one whose state is unknown. In a pod that is being deleted none is.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/helpers.go ShouldContainerBeRestarted
 */
export function shouldContainerBeRestarted(
  container: core.Container,
  pod: Pod,
  podStatus: Pick<RuntimePodStatus, 'containerStatuses'>,
): boolean {
  if (pod.metadata.deletionTimestamp) return false;
  const status = findContainerStatus(podStatus, container.name);
  if (status?.state === 'exited') return shouldRestart(container, pod.spec, status.exitCode);
  return status?.state !== 'running';
}

/**
 * Whether a container is started again after it was killed: unless its policy, its own or else its pod's, is `Never`. It has no
 * exit code, so that its rules say nothing of it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions
 */
export function restartsAfterKill(container: core.Container, pod: Pod): boolean {
  return (container.restartPolicy ?? pod.spec.restartPolicy) !== 'Never';
}

/**
 * Why a container of `spec.containers` that runs is to be killed. The first that holds counts: its definition has changed
 * (`Container web definition changed`, without a reason); its liveness probe has failed (`Container web failed liveness probe`,
 * `LivenessProbe`); its startup probe has (`StartupProbe`). A probe that has found nothing yet has not failed.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions
 *
 * @returns undefined when it is well
 */
export function whyToKill(
  container: core.Container,
  { id, hash }: Pick<RuntimeContainerStatus, 'id' | 'hash'>,
  probes: ProbeResults,
): ContainerToKill | undefined {
  const { name } = container;
  if (hash !== hashContainer(container)) return { name, message: `Container ${name} definition changed` };
  if (probes.liveness(id) === 'Failure')
    return { name, message: `Container ${name} failed liveness probe`, reason: 'LivenessProbe' };
  if (probes.startup(id) === 'Failure')
    return { name, message: `Container ${name} failed startup probe`, reason: 'StartupProbe' };
  return undefined;
}
