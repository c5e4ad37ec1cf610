import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import type { ContainerToKill, RuntimeContainerStatus, RuntimePodStatus } from './pod-status.ts';

/**
 * Returns whether a container of `spec.initContainers` is a *sidecar*: it keeps running alongside the containers that
 * start after it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/pod/util.go IsRestartableInitContainer
 */
export function isSidecar(initContainer: Pick<core.Container, 'restartPolicy'>): boolean {
  return initContainer.restartPolicy === 'Always';
}

/**
 * Returns the newest instance of a container by name, in whichever sandbox it ran.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/runtime.go PodStatus.FindContainerStatusByName
 */
export function findContainerStatus(
  podStatus: Pick<RuntimePodStatus, 'containerStatuses'>,
  name: string,
): RuntimeContainerStatus | undefined {
  return podStatus.containerStatuses.find((status) => status.name === name);
}

/**
 * Returns a hash that changes with the fields of a container that can change in an existing pod: its name and its
 * image.
 *
 * Differs: upstream uses another hash function.
 *
 * @returns eight hexadecimal digits
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/helpers.go HashContainer
 */
export function hashContainer(container: Pick<core.Container, 'name' | 'image'>): string {
  const text = JSON.stringify([container.name, container.image]);
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/**
 * Formats a pod for messages: `web-1_default(4f5c…)`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/util/format/pod.go Pod
 */
export function formatPod({ metadata }: Pick<Pod, 'metadata'>): string {
  return `${metadata.name}_${metadata.namespace}(${metadata.uid})`;
}

/**
 * Returns the kill of a container in an unknown state. The container may still run; killing it first prevents two
 * running instances.
 *
 * @param what the kind of container, as in the message of the event
 */
export function unknownToKill(name: string, what: 'Container' | 'Init container'): ContainerToKill {
  const message = `${what} is in "unknown" state, try killing it before restart`;
  return { name, message, reason: 'Unknown' };
}
