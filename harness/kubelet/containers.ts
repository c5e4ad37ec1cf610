import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import type { ContainerToKill, RuntimeContainerStatus, RuntimePodStatus } from './pod-status.ts';

/**
 * Whether this container of `spec.initContainers` is a *sidecar*: one that goes on running beside the containers that come
 * after it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/pod/util.go IsRestartableInitContainer
 */
export function isSidecar(initContainer: Pick<core.Container, 'restartPolicy'>): boolean {
  return initContainer.restartPolicy === 'Always';
}

/**
 * What the runtime has of a container of this name: its newest instance, whichever sandbox that belongs to.
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
 * Another one for another definition of the container, as far as it can change while its pod lives: its name and its image.
 *
 * Differs: upstream hashes the same two in another way.
 *
 * @returns eight digits, in hexadecimal
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/container/helpers.go HashContainer
 */
export function hashContainer(container: Pick<core.Container, 'name' | 'image'>): string {
  const text = JSON.stringify([container.name, container.image]);
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/**
 * A pod as messages name it: `web-1_default(4f5c…)`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/util/format/pod.go Pod
 */
export function formatPod({ metadata }: Pick<Pod, 'metadata'>): string {
  return `${metadata.name}_${metadata.namespace}(${metadata.uid})`;
}

/**
 * Kills a container whose state is unknown. It may run, for all that is known: killed first, it does not run twice.
 *
 * @param what as its event says it
 */
export function unknownToKill(name: string, what: 'Container' | 'Init container'): ContainerToKill {
  const message = `${what} is in "unknown" state, try killing it before restart`;
  return { name, message, reason: 'Unknown' };
}
