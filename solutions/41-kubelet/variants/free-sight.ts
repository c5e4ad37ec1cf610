import type { core, cri, Pod } from '#harness';

/** The labels by which every client knows pods and containers on a machine. */
export const UID = 'io.kubernetes.pod.uid';
export const NAME = 'io.kubernetes.container.name';

/** A container as the runtime has it: what it says, and in which sandbox it is. */
export type Found = cri.ContainerStatus & { readonly sandboxId: string };

/** What there is of a pod on the machine, newest first. */
export interface Sight {
  readonly sandboxes: readonly cri.PodSandboxStatus[];
  readonly containers: readonly Found[];
}

/** The newest attempt at a container. */
export function newest({ containers }: Sight, name: string): Found | undefined {
  return containers.find((each) => each.metadata.name === name);
}

/** The newest sandbox, if it is ready. */
export function ready({ sandboxes }: Sight): cri.PodSandboxStatus | undefined {
  const [first] = sandboxes;
  return first?.state === 'SANDBOX_READY' ? first : undefined;
}

/** What a sandbox of a pod is made from. */
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

/** A container, for events about it. */
export function referenceTo({ metadata, spec }: Pod, container: string): core.ObjectReference {
  const list = spec.initContainers?.some(({ name }) => name === container) ? 'initContainers' : 'containers';
  const { namespace = '', name, uid } = metadata;
  return { apiVersion: 'v1', kind: 'Pod', namespace, name, uid, fieldPath: `spec.${list}{${container}}` };
}
