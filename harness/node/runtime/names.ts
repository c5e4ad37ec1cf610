import type * as cri from '../../contracts/node/cri/index.ts';
import type { Sandbox } from './sandbox.ts';

/** Returns a runtime's name of a sandbox: unique for a pod and an attempt. */
export function sandboxName({ name, namespace, uid, attempt }: cri.PodSandboxMetadata): string {
  return [name, namespace, uid, attempt].join('_');
}

/** Returns a runtime's name of a container: unique for a pod, a container name and an attempt. */
export function containerName({ config }: Sandbox, { metadata }: cri.ContainerConfig): string {
  const { name, namespace, uid } = config.metadata;
  return [metadata.name, name, namespace, uid, metadata.attempt].join('_');
}
