/** Pods and what the runtime has of them, in as few words as a test needs. */
import {
  type core,
  hashContainer,
  type Pod,
  type ProbeResult,
  type RuntimeContainerState,
  type RuntimeContainerStatus,
  type RuntimePodStatus,
} from '#harness';

/** A pod with these containers, named or in full. */
export function podOf(
  spec: Partial<Omit<core.PodSpec, 'containers' | 'initContainers'>> & {
    readonly containers?: readonly (string | core.Container)[];
    readonly initContainers?: readonly (string | core.Container)[];
  },
  metadata: Partial<Pod['metadata']> = {},
): Pod {
  const full = (container: string | core.Container): core.Container =>
    typeof container === 'string' ? { name: container, image: 'img' } : container;
  const { containers = ['a'], initContainers, ...rest } = spec;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'u1',
      resourceVersion: '1',
      creationTimestamp: '2024-04-17T00:00:00Z',
      ...metadata,
    },
    spec: {
      ...rest,
      containers: containers.map(full),
      ...(initContainers && { initContainers: initContainers.map(full) }),
    },
    status: {},
  } as Pod;
}

/** How a container stands in the runtime. */
export interface Observed {
  readonly state: RuntimeContainerState;
  readonly exitCode?: number;
  readonly finishedAtMs?: number;
  readonly reason?: string;
  readonly hash?: string;
  readonly attempt?: number;
}

/** What the runtime has of a pod in one ready sandbox. `containers`: by name, newest first where there are several. */
export function observed(
  pod: Pod,
  containers: Readonly<Record<string, Observed | readonly Observed[]>>,
  sandboxes: readonly Partial<RuntimePodStatus['sandboxStatuses'][number]>[] = [{}],
): RuntimePodStatus {
  const { name, namespace = 'default', uid } = pod.metadata;
  const all = [
    ...(pod.spec.initContainers ?? []),
    ...pod.spec.containers,
    ...(pod.spec.ephemeralContainers ?? []),
  ];
  const containerStatuses = Object.entries(containers).flatMap(([container, states]) => {
    const image = all.find((one) => one.name === container)?.image ?? 'img';
    return [states].flat().map((state, i, { length }): RuntimeContainerStatus => {
      const attempt = state.attempt ?? length - 1 - i;
      return {
        id: `containerd://${container}-${attempt}`,
        name: container,
        createdAtMs: 0,
        startedAtMs: state.state === 'created' ? 0 : 1,
        finishedAtMs: state.state === 'exited' ? 2 : 0,
        exitCode: 0,
        image,
        imageRef: `${image}@sha256:0`,
        hash: hashContainer({ name: container, image }),
        restartCount: attempt,
        reason: state.state === 'exited' ? (state.exitCode ? 'Error' : 'Completed') : '',
        message: '',
        ...state,
      };
    });
  });
  const sandboxStatuses = sandboxes.map((sandbox, i) => ({
    id: `sandbox-${sandboxes.length - 1 - i}`,
    metadata: { name, namespace, uid, attempt: sandboxes.length - 1 - i },
    state: 'SANDBOX_READY' as const,
    createdAtMs: 0,
    labels: {},
    annotations: {},
    network: 'pod' as const,
    ips: ['10.244.1.2'],
    ...sandbox,
  }));
  const ready = sandboxStatuses[0]?.state === 'SANDBOX_READY';
  return {
    uid,
    name,
    namespace,
    ips: ready ? (sandboxStatuses[0]?.ips ?? []) : [],
    sandboxStatuses,
    containerStatuses,
    activeContainerStatuses: ready ? containerStatuses : [],
    observedMs: 0,
  };
}

/** Probes that have found this of each container, by its name. */
export function probesOf(
  found: Readonly<Record<string, { readonly liveness?: ProbeResult; readonly startup?: ProbeResult }>> = {},
) {
  const of = (id: string) => found[id.replace(/^containerd:\/\/(.*)-\d+$/, '$1')];
  return { liveness: (id: string) => of(id)?.liveness, startup: (id: string) => of(id)?.startup };
}
