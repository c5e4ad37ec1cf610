import {
  type ContainerToKill,
  type core,
  findContainerStatus,
  type Pod,
  type RuntimePodStatus,
} from '#harness';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/pod/util.go ContainerShouldRestart, FindMatchingContainerRestartRule */
export function containerShouldRestart(container: core.Container, pod: Pod, exitCode: number): boolean {
  const { restartPolicy, restartPolicyRules = [] } = container;
  const matches = restartPolicyRules.some(
    ({ exitCodes }) => exitCodes?.operator === (exitCodes?.values?.includes(exitCode) ? 'In' : 'NotIn'),
  );
  // Rules stand beside a policy of the container's own; both actions that there are start it again.
  if (restartPolicy !== undefined && matches) return true;
  const policy = restartPolicy ?? pod.spec.restartPolicy ?? 'Always';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/helpers.go ShouldContainerBeRestarted */
export function shouldContainerBeRestarted(
  container: core.Container,
  pod: Pod,
  podStatus: RuntimePodStatus,
): boolean {
  if (pod.metadata.deletionTimestamp) return false;
  const status = findContainerStatus(podStatus, container.name);
  if (status?.state === 'exited') return containerShouldRestart(container, pod, status.exitCode);
  return status?.state !== 'running';
}

/** Of a container without an exit code: its rules say nothing of it. */
export function restartsAfterKill(container: core.Container, pod: Pod): boolean {
  return (container.restartPolicy ?? pod.spec.restartPolicy) !== 'Never';
}

/** It may run, for all that is known: killed first, it does not run twice. */
export function unknownToKill(name: string, what: 'Container' | 'Init container'): ContainerToKill {
  const message = `${what} is in "unknown" state, try killing it before restart`;
  return { name, message, reason: 'Unknown' };
}
