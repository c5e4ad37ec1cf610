/** Short notations for pods, their statuses in the API and their state in the runtime. */
import {
  hashContainer,
  type RuntimeContainerState,
  type RuntimeContainerStatus,
  type RuntimePodStatus,
} from '#given/41-kubelet';
import type { core, Pod, ProbeResult } from '#harness';

type Containers = readonly (string | core.Container)[];

/** Returns a pod with these containers, by name or in full; by default one `web`. */
export function podOf(
  spec: Partial<Omit<core.PodSpec, 'containers' | 'initContainers'>> & {
    readonly containers?: Containers;
    readonly initContainers?: Containers;
  } = {},
  metadata: Partial<Pod['metadata']> = {},
): Pod {
  const inFull = (container: string | core.Container): core.Container =>
    typeof container === 'string' ? { name: container, image: 'image' } : container;
  const { containers = ['web'], initContainers, ...rest } = spec;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web-1',
      namespace: 'default',
      uid: 'uid-1',
      resourceVersion: '1',
      creationTimestamp: '2024-04-17T00:00:00Z',
      ...metadata,
    },
    spec: {
      ...rest,
      containers: containers.map(inFull),
      ...(initContainers && { initContainers: initContainers.map(inFull) }),
    },
    status: {},
  } as Pod;
}

const terminated = (exitCode: number): core.ContainerState => ({ terminated: { exitCode } });

/** Statuses of a container in the API, by stage. */
const stages = {
  running: { state: { running: {} } },
  started: { state: { running: {} }, started: true },
  ready: { state: { running: {} }, started: true, ready: true },
  stopped: { state: terminated(0) },
  succeeded: { state: terminated(0), ready: true },
  failed: { state: terminated(1) },
  waiting: { state: { waiting: {} } },
  waitingAfterExit0: { state: { waiting: {} }, lastState: terminated(0) },
  waitingAfterFailure: { state: { waiting: {} }, lastState: terminated(1) },
  runningAfterFailure: { state: { running: {} }, lastState: terminated(1) },
  empty: {},
} as const satisfies Readonly<Record<string, Partial<core.ContainerStatus>>>;

/** Stage of a container. `succeeded` is also `ready`, like a completed init container. */
export type Stage = keyof typeof stages;

/** Returns the statuses of containers, by name. */
export const statusesOf = (named: Readonly<Record<string, Stage>>): core.ContainerStatus[] =>
  Object.entries(named).map(([name, stage]) => ({
    name,
    ready: false,
    restartCount: 0,
    image: 'image',
    imageID: '',
    ...stages[stage],
  }));

/** State of an instance in the runtime. */
export interface Observed {
  readonly state: RuntimeContainerState;
  readonly exitCode?: number;
  readonly finishedAtMs?: number;
  readonly reason?: string;
  readonly hash?: string;
}

/** Returns an instance that exited with this code. */
export const exited = (exitCode = 0, more: Partial<Observed> = {}): Observed => ({
  state: 'exited',
  exitCode,
  ...more,
});

/** An instance that runs. */
export const running: Observed = { state: 'running' };

/** Differences of a sandbox from a ready one with an address. */
export interface ObservedSandbox
  extends Partial<Omit<RuntimePodStatus['sandboxStatuses'][number], 'metadata'>> {
  readonly attempt?: number;
}

/**
 * Returns the state of a pod in the runtime.
 *
 * @param containers by name; for several instances, newest first
 * @param sandboxes newest first; by default one ready sandbox
 */
export function observed(
  pod: Pod,
  containers: Readonly<Record<string, Observed | readonly Observed[]>> = {},
  sandboxes: readonly ObservedSandbox[] = [{}],
): RuntimePodStatus {
  const { name, namespace = '', uid } = pod.metadata;
  const containerStatuses = Object.entries(containers).flatMap(([container, states]) =>
    [states].flat().map((state, i, { length }) => statusOf(pod, container, state, length - 1 - i)),
  );
  const sandboxStatuses = sandboxes.map(({ attempt = sandboxes.length - 1, ...sandbox }, i) => ({
    id: `sandbox-${attempt - i}`,
    metadata: { name, namespace, uid, attempt: attempt - i },
    state: 'SANDBOX_READY' as const,
    createdAtMs: 0,
    labels: {},
    annotations: {},
    network: 'pod' as const,
    ips: ['10.244.1.2'],
    ...sandbox,
  }));
  const [newest] = sandboxStatuses;
  const isReady = newest?.state === 'SANDBOX_READY';
  return {
    uid,
    name,
    namespace,
    ips: isReady ? newest.ips : [],
    sandboxStatuses,
    containerStatuses,
    activeContainerStatuses: isReady ? containerStatuses : [],
    observedMs: 0,
  };
}

function statusOf(pod: Pod, name: string, state: Observed, attempt: number): RuntimeContainerStatus {
  const { initContainers = [], containers, ephemeralContainers = [] } = pod.spec;
  const image =
    [...initContainers, ...containers, ...ephemeralContainers].find((one) => one.name === name)?.image ?? '';
  const hasExited = state.state === 'exited';
  return {
    id: idOf(name, attempt),
    name,
    createdAtMs: 0,
    startedAtMs: state.state === 'created' ? 0 : 1,
    finishedAtMs: hasExited ? 2 : 0,
    exitCode: 0,
    image,
    imageRef: `${image}@sha256:0`,
    hash: hashContainer({ name, image }),
    restartCount: attempt,
    reason: !hasExited ? '' : state.exitCode ? 'Error' : 'Completed',
    message: '',
    ...state,
  };
}

/** Returns the ID of a container in {@link observed}. */
export const idOf = (name: string, attempt = 0): string => `containerd://${name}-${attempt}`;

/** Returns probe results by container name, the same for each instance. */
export function probesOf(
  found: Readonly<Record<string, { readonly liveness?: ProbeResult; readonly startup?: ProbeResult }>> = {},
) {
  const of = (id: string) => found[id.replace(/^containerd:\/\/(.*)-\d+$/, '$1')];
  return { liveness: (id: string) => of(id)?.liveness, startup: (id: string) => of(id)?.startup };
}
