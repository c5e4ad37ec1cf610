import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import { shouldRestart } from '../api/restart-policy.ts';
import { findContainerStatus, hashContainer } from './containers.ts';
import type { ProbeResults } from './decisions.ts';
import type { ContainerToKill, RuntimeContainerStatus, RuntimePodStatus } from './pod-status.ts';

/**
 * Returns whether to start or restart a container, depending on its newest instance in the runtime:
 *
 * - false while it runs;
 * - after it has exited, as its policy and its rules require;
 * - true if it does not exist, has not started, or is in an unknown state.
 *
 * Always false in a pod that is being deleted.
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
 * Returns whether a container is restarted after it was killed: unless its own restart policy, or else its pod's, is
 * `Never`. It has no exit code, so its rules do not apply.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions
 */
export function restartsAfterKill(container: core.Container, pod: Pod): boolean {
  return (container.restartPolicy ?? pod.spec.restartPolicy) !== 'Never';
}

/**
 * Returns why a running container of `spec.containers` must be killed. The first reason counts: its definition has
 * changed (`Container web definition changed`, without a `reason`); its liveness probe has failed (`Container web
 * failed liveness probe`, `LivenessProbe`); its startup probe has failed (`StartupProbe`). A probe without a result has
 * not failed.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions
 *
 * @returns undefined when the container is healthy
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
