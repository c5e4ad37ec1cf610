import {
  type core,
  deepEqual,
  defaultEvictionHard,
  formatTime,
  type MachineInfo,
  type Node,
  type NodeObservation,
  Quantity,
  thresholdQuantity,
} from '#harness';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/apis/config/v1beta1/defaults.go MaxPods, NodeStatusMaxImages */
const MAX_PODS = 110;
const MAX_IMAGES = 50;
/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/nodestatus/setters.go MaxNamesPerImageInNodeStatus */
const MAX_NAMES_PER_IMAGE = 5;

const NANOS = 1_000_000_000n;

export interface NodeStatusChange {
  readonly status: core.NodeStatus;
  /** What became otherwise, as the reasons of events: `NodeReady`. */
  readonly transitions: readonly string[];
}

export function computeNodeStatus(
  old: core.NodeStatus | undefined,
  observation: NodeObservation,
): NodeStatusChange {
  const { node, ip, machine, runtime, images } = observation;
  const { conditions, transitions } = conditionsOf(old, observation);
  // Others may have added resources of their own: `example.com/dongle`.
  const capacity = machine ? { ...old?.capacity, ...capacityOf(machine) } : old?.capacity;
  const allocatable = machine ? { ...old?.allocatable, ...allocatableOf(machine) } : old?.allocatable;
  const info = old?.nodeInfo;
  const status: core.NodeStatus = {
    ...old,
    ...(capacity ? { capacity } : {}),
    ...(allocatable ? { allocatable } : {}),
    conditions,
    addresses: [
      { type: 'InternalIP', address: ip },
      { type: 'Hostname', address: node },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      machineID: info?.machineID ?? '',
      systemUUID: info?.systemUUID ?? '',
      bootID: machine?.bootID ?? info?.bootID ?? '',
      kernelVersion: machine?.kernelVersion ?? info?.kernelVersion ?? '',
      osImage: machine?.osImage ?? info?.osImage ?? '',
      containerRuntimeVersion: runtime
        ? `${runtime.runtimeName}://${runtime.runtimeVersion}`
        : (info?.containerRuntimeVersion ?? ''),
      kubeletVersion: 'v1.36.3',
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
    ...(images ? { images: imagesOf(images) } : {}),
  };
  return { status, transitions };
}

/** What the machine has. */
function capacityOf({ cpus, memoryBytes, diskBytes }: MachineInfo): Record<string, string> {
  return {
    cpu: String(cpus),
    memory: binary(memoryBytes),
    'ephemeral-storage': binary(diskBytes),
    pods: String(MAX_PODS),
  };
}

/** What of it pods may have: if they had all of it, the first of them would be evicted at once. */
function allocatableOf(machine: MachineInfo): Record<string, string> {
  const reserved = (signal: string, capacity: number): number => {
    const threshold = defaultEvictionHard.find((each) => each.signal === signal);
    return threshold ? thresholdQuantity(threshold.value, capacity) : 0;
  };
  const { memoryBytes, diskBytes } = machine;
  return {
    ...capacityOf(machine),
    memory: binary(memoryBytes - reserved('memory.available', memoryBytes)),
    'ephemeral-storage': binary(diskBytes - reserved('nodefs.available', diskBytes)),
  };
}

function binary(bytes: number): string {
  return new Quantity(BigInt(bytes) * NANOS, 'BinarySI').toString();
}

/** The largest first: what matters most to whoever places pods. */
function imagesOf(images: NonNullable<NodeObservation['images']>): core.ContainerImage[] {
  return [...images]
    .sort((a, b) => b.sizeBytes - a.sizeBytes || (a.id < b.id ? -1 : 1))
    .slice(0, MAX_IMAGES)
    .map(({ repoDigests, repoTags, sizeBytes }) => ({
      names: [...repoDigests, ...repoTags].slice(0, MAX_NAMES_PER_IMAGE),
      sizeBytes,
    }));
}

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

function conditionsOf(old: core.NodeStatus | undefined, observation: NodeObservation) {
  const now = formatTime(observation.nowMs);
  const transitions: string[] = [];
  const before = old?.conditions ?? [];
  const own: core.NodeCondition[] = [];
  const take = (judged: Judged | undefined, name: string): void => {
    if (!judged) return;
    const known = before.find(({ type }) => type === judged.type);
    // Of pressure it is also told that there is none when the node is new; of a new node's readiness it is not.
    const isTransition = known ? known.status !== judged.status : judged.type !== 'Ready';
    if (isTransition) transitions.push(name);
    const lastTransitionTime = known?.status === judged.status ? (known.lastTransitionTime ?? now) : now;
    own.push({ ...judged, lastHeartbeatTime: now, lastTransitionTime });
  };
  for (const [type, bad, good, badMessage, goodMessage] of pressures) {
    const known = before.find((each) => each.type === type);
    // Not looked at yet: it is what it was.
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
  // Only its kubelet says False: Unknown means that nobody has heard of it, and now somebody has.
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

/** Without the time of its last heartbeat, and in one order. */
function comparable(status: core.NodeStatus): unknown {
  const conditions = (status.conditions ?? [])
    .map(({ lastHeartbeatTime: _, ...rest }) => rest)
    .sort((a, b) => (a.type < b.type ? -1 : 1));
  return { ...status, conditions };
}

export function initialNode(observation: NodeObservation): Pick<Node, 'spec' | 'status'> & {
  readonly metadata: Pick<Node['metadata'], 'name' | 'labels' | 'annotations'>;
} {
  return {
    metadata: {
      name: observation.node,
      labels: {
        'kubernetes.io/hostname': observation.node,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'beta.kubernetes.io/arch': 'amd64',
      },
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
    },
    spec: {},
    status: computeNodeStatus(undefined, observation).status,
  };
}
