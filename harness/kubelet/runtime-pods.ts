import * as cri from '../contracts/node/cri/index.ts';
import type { Clock } from '../sim/index.ts';
import { containerNameIn, notesIn, type PodIdentity, podIn, podSelector } from './labels.ts';
import type { RuntimeContainerState, RuntimeContainerStatus, RuntimePodStatus } from './pod-status.ts';
import { terminationMessage } from './termination-message.ts';

/** The sandboxes and containers of one pod in the runtime, both newest first. */
export interface RuntimePod extends PodIdentity {
  readonly sandboxes: readonly cri.PodSandbox[];
  readonly containers: readonly cri.Container[];
}

/** Dependencies of {@link RuntimePods}. */
interface RuntimePodsOptions {
  readonly runtime: cri.RuntimeService;
  readonly readFile: (path: string) => Promise<string>;
  readonly clock: Clock;
}

/**
 * The pods of a runtime, derived from its sandboxes and containers, which are the only information after a restart.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kuberuntime/kuberuntime_manager.go GetPods, GetPodStatus
 */
export class RuntimePods {
  readonly #options: RuntimePodsOptions;
  #runtimeName: Promise<string> | undefined;
  #all: Listed = { sandboxes: [], containers: [], pods: [] };

  constructor(options: RuntimePodsOptions) {
    this.#options = options;
  }

  /**
   * Returns all pods that have a sandbox or a container; with a UID, only that pod. Returns the same list of all pods
   * while the runtime does.
   *
   * @throws cri.CriError
   */
  async list(uid?: string): Promise<readonly RuntimePod[]> {
    const { runtime } = this.#options;
    const filter = uid === undefined ? {} : { labelSelector: podSelector(uid) };
    const [sandboxes, containers] = await Promise.all([
      runtime.listPodSandbox(filter),
      runtime.listContainers(filter),
    ]);
    if (uid !== undefined) return podsOf(sandboxes, containers);
    if (sandboxes !== this.#all.sandboxes || containers !== this.#all.containers)
      this.#all = { sandboxes, containers, pods: podsOf(sandboxes, containers) };
    return this.#all.pods;
  }

  /**
   * Returns the status of a listed pod. Sandboxes and containers deleted since the list are omitted.
   *
   * @throws cri.CriError when the runtime does not return the status of a part
   */
  async statusOf({ uid, name, namespace, sandboxes, containers }: RuntimePod): Promise<RuntimePodStatus> {
    const { runtime, clock } = this.#options;
    const observedMs = clock.now();
    const sandboxStatuses: cri.PodSandboxStatus[] = [];
    for (const { id } of sandboxes) {
      const status = await unlessGone(runtime.podSandboxStatus(id));
      if (status) sandboxStatuses.push(status);
    }
    const [newest] = sandboxStatuses;
    const active = newest?.state === 'SANDBOX_READY' && newest.id === sandboxes[0]?.id ? newest : undefined;
    const containerStatuses: RuntimeContainerStatus[] = [];
    const activeContainerStatuses: RuntimeContainerStatus[] = [];
    for (const { id, podSandboxId } of containers) {
      const status = await unlessGone(runtime.containerStatus(id));
      if (!status) continue;
      const converted = await this.#convert(status);
      containerStatuses.push(converted);
      if (podSandboxId === active?.id) activeContainerStatuses.push(converted);
    }
    return {
      uid,
      name,
      namespace,
      ips: active?.ips?.filter((ip) => ip !== '') ?? [],
      sandboxStatuses,
      containerStatuses,
      activeContainerStatuses,
      observedMs,
    };
  }

  /** Returns the current status of the pod with this UID. @throws cri.CriError */
  async read(pod: PodIdentity): Promise<RuntimePodStatus> {
    const [listed] = await this.list(pod.uid);
    return this.statusOf(listed ?? { ...pod, sandboxes: [], containers: [] });
  }

  /** Returns a container's ID as in the API: `containerd://4c1f`. @throws cri.CriError */
  async containerID(id: string): Promise<string> {
    this.#runtimeName ??= this.#options.runtime.version().then(({ runtimeName }) => runtimeName);
    const runtimeName = await this.#runtimeName.catch((error: unknown) => {
      this.#runtimeName = undefined;
      throw error;
    });
    return `${runtimeName}://${id}`;
  }

  async #convert(status: cri.ContainerStatus): Promise<RuntimeContainerStatus> {
    const { metadata, image, imageRef, startedAtMs, finishedAtMs, exitCode, reason, createdAtMs } = status;
    const { hash, restartCount } = notesIn(status.annotations);
    const message =
      status.state === 'CONTAINER_EXITED'
        ? await terminationMessage(status, this.#options.readFile)
        : status.message;
    return {
      id: await this.containerID(status.id),
      name: containerNameIn(status.labels) ?? metadata.name,
      state: STATES[status.state],
      createdAtMs,
      startedAtMs,
      finishedAtMs,
      exitCode,
      image: image.image,
      imageRef,
      hash,
      restartCount,
      reason,
      message,
    };
  }
}

/** Returns the runtime's ID for an ID of the API: `4c1f` for `containerd://4c1f`. */
export function criId(containerID: string): string {
  return containerID.slice(containerID.indexOf('://') + 3);
}

const STATES: Readonly<Record<cri.ContainerState, RuntimeContainerState>> = {
  CONTAINER_CREATED: 'created',
  CONTAINER_RUNNING: 'running',
  CONTAINER_EXITED: 'exited',
  CONTAINER_UNKNOWN: 'unknown',
};

/** The lists of the runtime, and the pods in them. */
interface Listed {
  readonly sandboxes: readonly cri.PodSandbox[];
  readonly containers: readonly cri.Container[];
  readonly pods: readonly RuntimePod[];
}

function podsOf(
  sandboxes: readonly cri.PodSandbox[],
  containers: readonly cri.Container[],
): readonly RuntimePod[] {
  const pods = new Map<string, PodIdentity & { sandboxes: cri.PodSandbox[]; containers: cri.Container[] }>();
  const podOf = (labels: cri.Container['labels']) => {
    const pod = podIn(labels);
    if (!pod) return undefined;
    const known = pods.get(pod.uid) ?? { ...pod, sandboxes: [], containers: [] };
    pods.set(pod.uid, known);
    return known;
  };
  for (const sandbox of [...sandboxes].sort(newestFirst)) podOf(sandbox.labels)?.sandboxes.push(sandbox);
  for (const container of [...containers].sort(newestFirst))
    podOf(container.labels)?.containers.push(container);
  return [...pods.values()];
}

type Created = { readonly createdAtMs: number; readonly metadata: { readonly attempt: number } };

/** Sorts by creation time, and by attempt if the times are equal. */
function newestFirst(a: Created, b: Created): number {
  return b.createdAtMs - a.createdAtMs || b.metadata.attempt - a.metadata.attempt;
}

async function unlessGone<T>(status: Promise<T>): Promise<T | undefined> {
  try {
    return await status;
  } catch (error) {
    if (cri.isCriNotFound(error)) return undefined;
    throw error;
  }
}
