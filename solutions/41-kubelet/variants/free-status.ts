import { type core, formatTime, type Pod, type ProbeManager, shouldRestart } from '#harness';
import { type Found, ready, type Sight } from './free-sight.ts';

/** The data of a loop besides its view of the runtime. */
export interface View {
  readonly ip: string;
  readonly nowMs: number;
  readonly probes: ProbeManager;
  /** The runtime's name: `containerd`. */
  readonly runtimeName: string;
  /** The final state, if the pod has ended. */
  readonly over: Pick<Pod['status'], 'phase' | 'reason' | 'message'> | undefined;
  /** Whether all containers have stopped. */
  readonly stopped: boolean;
  /** The reasons why containers wait, by name. */
  readonly waits: ReadonlyMap<string, core.ContainerStateWaiting>;
}

/** Returns the status of a pod, from the API's status and the view of the runtime. */
export function statusOf(pod: Pod, sight: Sight, view: View): Pod['status'] {
  const { ip, nowMs, probes, over, stopped } = view;
  const now = formatTime(nowMs);
  const { initContainers = [], containers, readinessGates: gates = [] } = pod.spec;
  const toStatus = (spec: core.Container): core.ContainerStatus => containerStatus(pod, spec, sight, view);
  const sandbox = ready(sight);
  const ips = pod.spec.hostNetwork ? [ip] : sandbox?.ips;
  const inits = initContainers.map(toStatus);
  const isInitialized = inits.every(({ state }) => state?.terminated?.exitCode === 0);
  const withoutPhase = {
    ...pod.status,
    hostIP: ip,
    hostIPs: [{ ip: ip }],
    startTime: pod.status.startTime ?? now,
    observedGeneration: pod.metadata.generation ?? 0,
    ...(ips?.[0] ? { podIP: ips[0], podIPs: ips.map((each) => ({ ip: each })) } : {}),
    ...(inits.length > 0 ? { initContainerStatuses: inits } : {}),
    containerStatuses: containers.map(toStatus).sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
  const isUp = withoutPhase.containerStatuses.every(
    ({ state, lastState }) => state?.running ?? state?.terminated ?? lastState?.terminated,
  );
  const isStopping = over && !stopped;
  const phase = over && !isStopping ? over.phase : isInitialized && isUp ? 'Running' : 'Pending';
  const reported = isStopping ? pod.status.phase : phase;
  const status = probes.updatePodStatus(pod, {
    ...withoutPhase,
    ...(over && !isStopping ? over : {}),
    ...(reported ? { phase: reported } : {}),
  });
  const isReported = (type: string): boolean =>
    (pod.status.conditions ?? []).some((each) => each.type === type && each.status === 'True');
  const areReady = !over && isInitialized && (status.containerStatuses ?? []).every(({ ready: up }) => up);
  const conditions = [
    ['PodReadyToStartContainers', sandbox !== undefined],
    ['Initialized', isInitialized || isReported('Initialized')],
    ['Ready', areReady && gates.every(({ conditionType }) => isReported(conditionType))],
    ['ContainersReady', areReady],
    ['PodScheduled', true],
  ] as const;
  const old = pod.status.conditions ?? [];
  return {
    ...status,
    conditions: [
      ...old.filter(({ type }) => !conditions.some(([ours]) => ours === type)),
      ...conditions.map(([type, holds]): core.PodCondition => {
        const value = holds ? 'True' : 'False';
        const before = old.find((each) => each.type === type);
        const lastTransitionTime =
          before?.status === value && before.lastTransitionTime ? before.lastTransitionTime : now;
        return {
          type,
          status: value,
          lastProbeTime: null,
          lastTransitionTime,
          observedGeneration: pod.metadata.generation ?? 0,
        };
      }),
    ],
  };
}

function containerStatus(pod: Pod, spec: core.Container, sight: Sight, view: View): core.ContainerStatus {
  const { over, waits, runtimeName } = view;
  const hasInits = (pod.spec.initContainers ?? []).length > 0;
  const [found, before] = sight.containers.filter((each) => each.metadata.name === spec.name);
  const old = [...(pod.status.containerStatuses ?? []), ...(pod.status.initContainerStatuses ?? [])].find(
    (each) => each.name === spec.name,
  );
  const base = {
    name: spec.name,
    image: spec.image ?? '',
    imageID: found?.imageRef ?? '',
    ready: false,
    restartCount: Math.max(found?.metadata.attempt ?? 0, old?.restartCount ?? 0),
    started: false,
  };
  if (!found) {
    // It ran in an earlier sandbox; if the pod has ended, keep its final state.
    if (over && old?.state?.terminated) return old;
    const waiting = waits.get(spec.name) ?? {
      reason: hasInits ? 'PodInitializing' : 'ContainerCreating',
    };
    return { ...base, state: { waiting }, lastState: old?.lastState ?? {} };
  }
  const containerID = `${runtimeName}://${found.id}`;
  const terminated = (each: Found): core.ContainerStateTerminated => ({
    exitCode: each.exitCode,
    reason: each.reason,
    ...(each.message ? { message: each.message } : {}),
    startedAt: formatTime(each.startedAtMs),
    finishedAt: formatTime(each.finishedAtMs),
    containerID: `${runtimeName}://${each.id}`,
  });
  const lastState =
    before?.state === 'CONTAINER_EXITED' ? { terminated: terminated(before) } : (old?.lastState ?? {});
  const isInit = pod.spec.initContainers?.includes(spec) ?? false;
  switch (found.state) {
    case 'CONTAINER_RUNNING':
      return {
        ...base,
        containerID,
        state: { running: { startedAt: formatTime(found.startedAtMs) } },
        lastState,
      };
    case 'CONTAINER_EXITED': {
      const waiting = waits.get(spec.name);
      const goesOn =
        waiting && !over && !pod.metadata.deletionTimestamp && shouldRestart(spec, pod.spec, found.exitCode);
      if (goesOn)
        return { ...base, containerID, state: { waiting }, lastState: { terminated: terminated(found) } };
      return {
        ...base,
        containerID,
        ready: isInit && found.exitCode === 0,
        state: { terminated: terminated(found) },
        lastState,
      };
    }
    default:
      return {
        ...base,
        containerID,
        state: { waiting: waits.get(spec.name) ?? { reason: 'ContainerCreating' } },
        lastState,
      };
  }
}

/** Reports whether a status would undo the final state of a container, which the API rejects. */
export function takesBack({ spec, status: old }: Pod, status: Pod['status']): boolean {
  if (spec.restartPolicy === 'Always') return false;
  const all = ({ initContainerStatuses = [], containerStatuses = [] }: Pod['status']) => [
    ...initContainerStatuses,
    ...containerStatuses,
  ];
  return all(old).some(({ name, state }) => {
    const container = [...(spec.initContainers ?? []), ...spec.containers].find((each) => each.name === name);
    if (!container || !state?.terminated || shouldRestart(container, spec, state.terminated.exitCode))
      return false;
    return !all(status).find((each) => each.name === name)?.state?.terminated;
  });
}
