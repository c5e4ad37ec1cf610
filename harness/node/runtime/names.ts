import type * as cri from '../../contracts/node/cri/index.ts';
import type { Sandbox } from './sandbox.ts';

/** What a runtime calls a sandbox: no two of one pod and attempt at once. */
export function sandboxName({ name, namespace, uid, attempt }: cri.PodSandboxMetadata): string {
  return [name, namespace, uid, attempt].join('_');
}

/** What a runtime calls a container: no two of one name and attempt in a pod at once. */
export function containerName({ config }: Sandbox, { metadata }: cri.ContainerConfig): string {
  const { name, namespace, uid } = config.metadata;
  return [metadata.name, name, namespace, uid, metadata.attempt].join('_');
}
