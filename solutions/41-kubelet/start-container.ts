import {
  type ContainerStart,
  containerReference,
  type core,
  criId,
  type KubeletParts,
  messageOf,
  SyncError,
} from '#harness';
import { killContainer } from './kill-container.ts';

/**
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go startContainer
 *
 * Differs: a container that was made and did not start is removed first; upstream leaves it to garbage collection.
 */
export async function startContainer(parts: KubeletParts, start: ContainerStart): Promise<void> {
  const { pod, container, podStatus, sandbox, sandboxConfig, pullSecrets } = start;
  const { runtime } = parts.context.host;
  const { name, lifecycle } = container;
  const fail = (reason: string, id?: string) => (error: unknown) => {
    throw parts.steps.startFailed(start, reason, error, id);
  };

  const reference = containerReference(pod, name);
  const imageRef = await parts.images
    .ensureImageExists({ pod, container, reference, sandboxConfig, pullSecrets })
    .catch(fail('ErrImagePull'));
  const restartCount = await parts.steps.nextRestartCount(start, podStatus);
  const config = await parts.configs
    .container({ pod, container, restartCount, imageRef, ips: sandbox.ips })
    .catch(fail('CreateContainerConfigError'));

  await removeUnstarted(parts, start).catch(fail('CreateContainerError'));
  const id = await runtime
    .createContainer(sandbox.id, config, sandboxConfig)
    .catch(fail('CreateContainerError'));
  parts.containerEvent(pod, name, 'Normal', 'Created', 'Container created');
  await runtime.startContainer(id).catch(fail('RunContainerError', id));
  parts.containerEvent(pod, name, 'Normal', 'Started', 'Container started');
  if (lifecycle?.postStart) await postStart(parts, start, { id, handler: lifecycle.postStart });
}

/**
 * One that was made and not seen to start may be starting still, by the word of a kubelet that has died since: as long as it is
 * there, another one would be the second.
 */
async function removeUnstarted(
  { context }: KubeletParts,
  { container, podStatus }: ContainerStart,
): Promise<void> {
  for (const { name, state, id } of podStatus.containerStatuses) {
    if (name === container.name && state === 'created') await context.host.runtime.removeContainer(criId(id));
  }
}

/** A container whose hook has failed does not stay: it was not set up as it has to be. */
async function postStart(
  parts: KubeletParts,
  { pod, container }: ContainerStart,
  { id, handler }: { readonly id: string; readonly handler: core.LifecycleHandler },
): Promise<void> {
  const { name } = container;
  const containerID = await parts.runtimePods.containerID(id);
  try {
    await parts.lifecycle.run({ pod, container, containerID, handler });
  } catch (error) {
    // What it said may be a secret: it is for those who may see the pod's status.
    parts.containerEvent(pod, name, 'Warning', 'FailedPostStartHook', 'PostStartHook failed');
    const killed = killContainer(parts, pod, { id, name, message: 'FailedPostStartHook' });
    await killed.catch((why: unknown) => parts.context.log(messageOf(why)));
    throw new SyncError('PostStartHookError', messageOf(error));
  }
}
