import type * as core from '#api/core/v1';
import { Quantity } from '../../api/quantity.ts';
import type * as cri from '../../contracts/node/cri/index.ts';
import type { MachineInfo } from '../../contracts/node/index.ts';
import type { NodeObservation } from './node-observation.ts';
import { defaultEvictionHard, type EvictionSignal, thresholdQuantity } from './thresholds.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/apis/config/v1beta1/defaults.go MaxPods, NodeStatusMaxImages */
const MAX_PODS = 110;
const MAX_IMAGES = 50;
/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/nodestatus/setters.go MaxNamesPerImageInNodeStatus */
const MAX_NAMES_PER_IMAGE = 5;

const NANOS = 1_000_000_000n;

/** The metadata of a Node in the API. */
interface NodeDescription {
  readonly name: string;
  /** The labels for node selection. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/**
 * Returns the name, labels and annotations of a new Node.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet_node_status.go initialNode
 */
export function nodeDescription(node: string): NodeDescription {
  return {
    name: node,
    labels: {
      'kubernetes.io/hostname': node,
      'kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'amd64',
      'beta.kubernetes.io/os': 'linux',
      'beta.kubernetes.io/arch': 'amd64',
    },
    annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
  };
}

/**
 * Returns the status of a node without its conditions: addresses, resources and software. Values that cannot be read
 * stay unchanged, and so do the fields of other components.
 *
 * @param old the status in the API; undefined for a new Node
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/nodestatus/setters.go NodeAddress, MachineInfo, VersionInfo, Images,
 * VolumesInUse
 */
export function describeNode(
  old: core.NodeStatus | undefined,
  observation: NodeObservation,
): core.NodeStatus {
  const { node, ip, machine, runtime, images, volumesInUse = old?.volumesInUse ?? [] } = observation;
  // Other components may have added extended resources: `example.com/dongle`.
  const capacity = machine ? { ...old?.capacity, ...capacityOf(machine) } : old?.capacity;
  const allocatable = machine ? { ...old?.allocatable, ...allocatableOf(machine) } : old?.allocatable;
  const info = old?.nodeInfo;
  const { volumesInUse: _, ...others } = old ?? {};
  return {
    ...others,
    ...(capacity ? { capacity } : {}),
    ...(allocatable ? { allocatable } : {}),
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
    ...(volumesInUse.length > 0 ? { volumesInUse: [...volumesInUse] } : {}),
  };
}

function capacityOf({ cpus, memoryBytes, diskBytes }: MachineInfo): Record<string, string> {
  return {
    cpu: String(cpus),
    memory: bytes(memoryBytes),
    'ephemeral-storage': bytes(diskBytes),
    pods: String(MAX_PODS),
  };
}

/** Returns the allocatable part: if pods could use all of the capacity, the node would evict them at once. */
function allocatableOf(machine: MachineInfo): Record<string, string> {
  const reserved = (signal: EvictionSignal, capacity: number): number => {
    const threshold = defaultEvictionHard.find((each) => each.signal === signal);
    return threshold ? thresholdQuantity(threshold.value, capacity) : 0;
  };
  const { memoryBytes, diskBytes } = machine;
  return {
    ...capacityOf(machine),
    memory: bytes(memoryBytes - reserved('memory.available', memoryBytes)),
    'ephemeral-storage': bytes(diskBytes - reserved('nodefs.available', diskBytes)),
  };
}

function bytes(amount: number): string {
  return new Quantity(BigInt(amount) * NANOS, 'BinarySI').toString();
}

/** Sorts images by size, because large images save pods the most time. */
function imagesOf(images: readonly cri.Image[]): core.ContainerImage[] {
  return [...images]
    .sort((a, b) => b.sizeBytes - a.sizeBytes || (a.id < b.id ? -1 : 1))
    .slice(0, MAX_IMAGES)
    .map(({ repoDigests, repoTags, sizeBytes }) => ({
      names: [...repoDigests, ...repoTags].slice(0, MAX_NAMES_PER_IMAGE),
      sizeBytes,
    }));
}
