import type * as cri from '../../contracts/node/cri/index.ts';
import type { Container, Sandbox } from './sandbox.ts';

/** The format of a runtime's answers. */
export interface Convert {
  /** Sorts a list in the runtime's order. */
  order<T extends { readonly id: string; readonly createdAtMs: number }>(list: readonly T[]): readonly T[];
  /**
   * The image name in the status of a container, for an image without a tag. @defaultValue the name in the container's
   * configuration
   */
  untagged?(container: Container): string | undefined;
  /** The image of a container: a digest of the repository or of the configuration. */
  imageRef(container: Container, where: 'list' | 'status'): string;
  /** The addresses of a sandbox outside the host's network. */
  ips(sandbox: Sandbox): readonly string[];
  /** The reason of an exit, if the runtime has not recorded one. */
  exitReason(container: Container): string;
}

/** Formats a sandbox for a list. */
export function sandboxIn({ id, config, state, createdAtMs }: Sandbox): cri.PodSandbox {
  const { metadata, labels, annotations } = config;
  return { id, metadata, state, createdAtMs, labels, annotations };
}

/** Formats a sandbox with its network. */
export function sandboxStatusIn(sandbox: Sandbox, convert: Convert): cri.PodSandboxStatus {
  const { network } = sandbox.config;
  return { ...sandboxIn(sandbox), network, ...(network === 'pod' ? { ips: convert.ips(sandbox) } : {}) };
}

/** Formats a container for a list. */
export function containerIn(container: Container, convert: Convert): cri.Container {
  return { podSandboxId: container.sandbox.id, ...common(container, convert, 'list') };
}

/** Formats the full status of a container. */
export function statusOf(container: Container, convert: Convert): cri.ContainerStatus {
  const { config, state, startedAtMs, finishedAtMs, exitCode, reason, message, logPath } = container;
  const exited = state === 'CONTAINER_EXITED';
  // The kubelet creates a container with an image id, but people expect a name.
  const name = container.image.repoTags[0] ?? convert.untagged?.(container) ?? config.image.image;
  return {
    ...common(container, convert, 'status'),
    image: { image: name },
    startedAtMs,
    finishedAtMs,
    exitCode,
    reason: exited && reason === '' ? convert.exitReason(container) : reason,
    message,
    mounts: config.mounts,
    logPath,
  };
}

function common(container: Container, convert: Convert, where: 'list' | 'status') {
  const { id, config, image, state, createdAtMs } = container;
  const { metadata, labels, annotations } = config;
  return {
    id,
    metadata,
    image: config.image,
    imageRef: convert.imageRef(container, where),
    imageId: image.id,
    state,
    createdAtMs,
    labels,
    annotations,
  };
}
