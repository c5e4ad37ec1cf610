import type * as cri from '../../contracts/node/cri/index.ts';
import type { Container } from './container.ts';
import type { Sandbox } from './sandbox.ts';

/** How a runtime says what it has. */
export interface Convert {
  /** In which order it lists. */
  order<T extends { readonly id: string; readonly createdAtMs: number }>(list: readonly T[]): readonly T[];
  /** The name of a container's image in its status, where the image has no tag. @defaultValue the one that the container was made with */
  untagged?(container: Container): string | undefined;
  /** The image of a container: a digest of the repository, or of the configuration. */
  imageRef(container: Container, where: 'list' | 'status'): string;
  /** The addresses of a sandbox that is not in the host's network. */
  ips(sandbox: Sandbox): readonly string[];
  /** Why it exited, where the runtime has not noted it. */
  exitReason(container: Container): string;
}

/** A sandbox in a list. */
export function sandboxIn({ id, config, state, createdAtMs }: Sandbox): cri.PodSandbox {
  const { metadata, labels, annotations } = config;
  return { id, metadata, state, createdAtMs, labels, annotations };
}

/** A sandbox with its network. */
export function sandboxStatusIn(sandbox: Sandbox, convert: Convert): cri.PodSandboxStatus {
  const { network } = sandbox.config;
  return { ...sandboxIn(sandbox), network, ...(network === 'pod' ? { ips: convert.ips(sandbox) } : {}) };
}

/** A container in a list. */
export function containerIn(container: Container, convert: Convert): cri.Container {
  return { podSandboxId: container.sandbox.id, ...common(container, convert, 'list') };
}

/** All that there is to say of a container. */
export function statusOf(container: Container, convert: Convert): cri.ContainerStatus {
  const { config, state, startedAtMs, finishedAtMs, exitCode, reason, message, logPath } = container;
  const exited = state === 'CONTAINER_EXITED';
  // The kubelet makes a container with an id, and people look for a name.
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

/** Whether labels have all of a selector's. */
export function matchesLabels(
  labels: Readonly<Record<string, string>>,
  selector: Readonly<Record<string, string>> = {},
): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}
