import type { core, cri, Pod } from '#harness';

/** The labels that all clients of the runtime use to identify pods and containers. */
export const UID = 'io.kubernetes.pod.uid';
export const NAME = 'io.kubernetes.container.name';

/** A container in the runtime: its status and its sandbox. */
export type Found = cri.ContainerStatus & { readonly sandboxId: string };

/** The sandboxes and containers of a pod, newest first. */
export interface Sight {
  readonly sandboxes: readonly cri.PodSandboxStatus[];
  readonly containers: readonly Found[];
}

/** Returns the newest attempt of a container. */
export function newest({ containers }: Sight, name: string): Found | undefined {
  return containers.find((each) => each.metadata.name === name);
}

/** Returns the newest sandbox, if it is ready. */
export function ready({ sandboxes }: Sight): cri.PodSandboxStatus | undefined {
  const [first] = sandboxes;
  return first?.state === 'SANDBOX_READY' ? first : undefined;
}

/** Returns the configuration of a pod's sandbox. */
export function configOf(
  { metadata: { namespace = '', name, uid }, spec }: Pod,
  attempt: number,
): cri.PodSandboxConfig {
  return {
    metadata: { namespace, name, uid, attempt },
    hostname: name,
    logDirectory: `/var/log/pods/${namespace}_${name}_${uid}`,
    labels: { 'io.kubernetes.pod.namespace': namespace, 'io.kubernetes.pod.name': name, [UID]: uid },
    annotations: {},
    network: spec.hostNetwork ? 'node' : 'pod',
  };
}

/** Returns the reference to a container, for events. */
export function referenceTo({ metadata, spec }: Pod, container: string): core.ObjectReference {
  const list = spec.initContainers?.some(({ name }) => name === container) ? 'initContainers' : 'containers';
  const { namespace = '', name, uid } = metadata;
  return { apiVersion: 'v1', kind: 'Pod', namespace, name, uid, fieldPath: `spec.${list}{${container}}` };
}
