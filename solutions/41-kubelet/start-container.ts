import {
  containerReference,
  type core,
  cri,
  criId,
  findContainerStatus,
  ImageError,
  type KubeletParts,
  messageOf,
  type Pod,
  podLogsDirectory,
  type RuntimePodStatus,
  SyncError,
} from '#harness';
import { killContainer } from './kill-container.ts';

/** A container to start, and where. */
export interface ContainerStart {
  readonly pod: Pod;
  readonly container: core.Container;
  readonly podStatus: RuntimePodStatus;
  readonly sandboxID: string;
  readonly sandboxConfig: cri.PodSandboxConfig;
  /** The addresses of the sandbox. */
  readonly ips: readonly string[];
  readonly pullSecrets: readonly core.Secret[];
}

/**
 * @throws SyncError with the reason for which the container waits
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_container.go startContainer
 *
 * Differs: a container that was made and did not start is removed first; upstream leaves it to garbage collection.
 */
export async function startContainer(parts: KubeletParts, start: ContainerStart): Promise<void> {
  const { pod, container, sandboxID, sandboxConfig, ips, pullSecrets } = start;
  const { runtime } = parts.context.host;
  const { name } = container;
  const failed = (reason: string, error: unknown, id = ''): never => {
    const message = error instanceof cri.CriError ? error.desc : messageOf(error);
    const said = error instanceof ImageError ? error.reason : message;
    parts.containerEvent(pod, name, 'Warning', 'Failed', `Error: ${id ? said.replaceAll(id, name) : said}`);
    throw new SyncError(error instanceof ImageError ? error.reason : reason, message);
  };

  const reference = containerReference(pod, name);
  const imageRef = await parts.images
    .ensureImageExists({ pod, container, reference, sandboxConfig, pullSecrets })
    .catch((error: unknown) => failed('ErrImagePull', error));

  const restartCount = await nextRestartCount(parts, start);
  const config = await parts.configs
    .container({ pod, container, restartCount, imageRef, ips })
    .catch((error: unknown) => failed('CreateContainerConfigError', error));
  await removeUnstarted(parts, start).catch((error: unknown) => failed('CreateContainerError', error));
  const id = await runtime
    .createContainer(sandboxID, config, sandboxConfig)
    .catch((error: unknown) => failed('CreateContainerError', error));
  parts.containerEvent(pod, name, 'Normal', 'Created', 'Container created');

  await runtime.startContainer(id).catch((error: unknown) => failed('RunContainerError', error, id));
  parts.containerEvent(pod, name, 'Normal', 'Started', 'Container started');
  await postStart(parts, start, id);
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

/** The runtime's containers count. Where it has lost them all, the logs that they left still do. */
async function nextRestartCount(
  { context }: KubeletParts,
  { pod, container, podStatus }: ContainerStart,
): Promise<number> {
  const before = findContainerStatus(podStatus, container.name);
  if (before) return before.restartCount + 1;
  const logs = `${podLogsDirectory(pod)}/${container.name}`;
  const names = await context.host.files.readdir(logs).catch(() => []);
  const counts = names.flatMap((name) => /^(\d+)\.log/.exec(name)?.[1] ?? []).map(Number);
  return counts.length > 0 ? Math.max(...counts) + 1 : 0;
}

/** A container whose hook fails does not stay: it was not set up as it has to be. */
async function postStart(
  parts: KubeletParts,
  { pod, container, podStatus }: ContainerStart,
  id: string,
): Promise<void> {
  const handler = container.lifecycle?.postStart;
  if (!handler) return;
  const containerID = await parts.runtimePods.containerID(id);
  try {
    await parts.lifecycle.run({ pod, container, containerID, handler });
  } catch (error) {
    // What it said may be a secret: it is for those who may see the pod's status.
    parts.containerEvent(pod, container.name, 'Warning', 'FailedPostStartHook', 'PostStartHook failed');
    const kill = { name: container.name, message: 'FailedPostStartHook' };
    await killContainer(parts, pod, { ...kill, id: criId(containerID) }).catch((why: unknown) =>
      parts.context.log(`Failed to kill ${container.name} of ${podStatus.name}: ${messageOf(why)}`),
    );
    throw new SyncError('PostStartHookError', messageOf(error));
  }
}
