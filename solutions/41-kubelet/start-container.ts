import type { ContainerStart, KubeletParts } from '#given/41-kubelet';
import { containerReference } from '#harness';
import { killContainer } from './kill-container.ts';

/**
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go startContainer
 *
 * Differs: a container that was created but failed to start is removed first; upstream leaves it to garbage collection.
 */
export async function startContainer(parts: KubeletParts, start: ContainerStart): Promise<void> {
  const { pod, container, podStatus, sandbox, sandboxConfig, pullSecrets } = start;
  const { runtime } = parts.context.host;
  const { name } = container;
  const fail = (reason: string, id?: string) => (error: unknown) => {
    throw parts.steps.startFailed(start, reason, error, id);
  };
  const reference = containerReference(pod, name);
  const image = { pod, container, reference, sandboxConfig, pullSecrets };
  const imageRef = await parts.images.ensureImageExists(image).catch(fail('ErrImagePull'));
  const restartCount = await parts.steps.nextRestartCount(start, podStatus);
  const made = { pod, container, restartCount, imageRef, ips: sandbox.ips };
  const config = await parts.configs.container(made).catch(fail('CreateContainerConfigError'));

  await parts.steps.removeUnstarted(start).catch(fail('CreateContainerError'));
  const created = runtime.createContainer(sandbox.id, config, sandboxConfig);
  const id = await created.catch(fail('CreateContainerError'));
  parts.containerEvent(pod, name, 'Normal', 'Created', 'Container created');
  await runtime.startContainer(id).catch(fail('RunContainerError', id));
  parts.containerEvent(pod, name, 'Normal', 'Started', 'Container started');
  await parts.steps.postStart(start, id, (message) => killContainer(parts, pod, { id, name, message }));
}
