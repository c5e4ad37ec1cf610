import type { NodeConditions, NodeObservation } from '#given/41-kubelet';
import { type core, deepEqual, formatTime } from '#harness';

type Judged = Omit<core.NodeCondition, 'lastHeartbeatTime' | 'lastTransitionTime'>;

const pressures = [
  [
    'MemoryPressure',
    'InsufficientMemory',
    'SufficientMemory',
    'has insufficient memory available',
    'has sufficient memory available',
  ],
  ['DiskPressure', 'DiskPressure', 'NoDiskPressure', 'has disk pressure', 'has no disk pressure'],
  [
    'PIDPressure',
    'InsufficientPID',
    'SufficientPID',
    'has insufficient PID available',
    'has sufficient PID available',
  ],
] as const;

export function computeNodeConditions(
  old: core.NodeStatus | undefined,
  observation: NodeObservation,
): NodeConditions {
  const now = formatTime(observation.nowMs);
  const transitions: string[] = [];
  const before = old?.conditions ?? [];
  const own: core.NodeCondition[] = [];
  const take = (judged: Judged | undefined, name: string): void => {
    if (!judged) return;
    const known = before.find(({ type }) => type === judged.type);
    // For a new node, the absence of pressure counts as a transition, but its readiness does not.
    const isTransition = known ? known.status !== judged.status : judged.type !== 'Ready';
    if (isTransition) transitions.push(name);
    const lastTransitionTime = known?.status === judged.status ? (known.lastTransitionTime ?? now) : now;
    own.push({ ...judged, lastHeartbeatTime: now, lastTransitionTime });
  };
  for (const [type, bad, good, badMessage, goodMessage] of pressures) {
    const known = before.find((each) => each.type === type);
    // Not observed yet: keep the previous value.
    const under = observation.pressure ? observation.pressure.has(type) : known?.status === 'True';
    const suffix = under ? bad : good;
    const message = `kubelet ${under ? badMessage : goodMessage}`;
    take(
      { type, status: under ? 'True' : 'False', reason: `KubeletHas${suffix}`, message },
      `NodeHas${suffix}`,
    );
  }
  const ready = readinessOf(old, observation);
  take(ready, ready.status === 'True' ? 'NodeReady' : 'NodeNotReady');
  const foreign = before.filter(({ type }) => !own.some((each) => each.type === type));
  return { conditions: [...foreign, ...own], transitions };
}

function readinessOf(old: core.NodeStatus | undefined, observation: NodeObservation): Judged {
  const { runtimeErrors, networkErrors, machine } = observation;
  const known = old?.conditions?.find(({ type }) => type === 'Ready');
  // Only this kubelet writes False. Unknown means that the kubelet was silent, which has just ended.
  if (runtimeErrors === undefined && known && known.status !== 'Unknown') {
    const { type, status, reason, message } = known;
    return { type, status, ...(reason ? { reason } : {}), ...(message ? { message } : {}) };
  }
  const errors = [
    ...(runtimeErrors ?? ['container runtime status check may not have completed yet']),
    ...networkErrors,
    ...(machine || old?.capacity
      ? []
      : ['missing node capacity for resources: cpu, memory, pods, ephemeral-storage']),
  ];
  if (errors.length === 0) {
    return {
      type: 'Ready',
      status: 'True',
      reason: 'KubeletReady',
      message: 'kubelet is posting ready status',
    };
  }
  const message = errors.length === 1 ? errors.join('') : `[${errors.join(', ')}]`;
  return { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message };
}

export function nodeStatusHasChanged(a: core.NodeStatus, b: core.NodeStatus): boolean {
  return !deepEqual(comparable(a), comparable(b));
}

/** Returns a status without heartbeat times, and with sorted conditions. */
function comparable(status: core.NodeStatus): unknown {
  const conditions = (status.conditions ?? [])
    .map(({ lastHeartbeatTime: _, ...rest }) => rest)
    .sort((a, b) => (a.type < b.type ? -1 : 1));
  return { ...status, conditions };
}
