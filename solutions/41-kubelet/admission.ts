import { type AdmissionInput, isCriticalPod, type NodePressure, type PodRejection } from '#given/41-kubelet';
import { framework, type Node, type Pod } from '#harness';

export function admitPod(pod: Pod, { node, others, pressure }: AdmissionInput): PodRejection | undefined {
  return refusedUnderPressure(pod, pressure) ?? refusedForResources(pod, node, others);
}

function refusedUnderPressure(pod: Pod, pressure: ReadonlySet<NodePressure>): PodRejection | undefined {
  if (pressure.size === 0 || isCriticalPod(pod)) return undefined;
  // Under memory pressure, a pod with a memory request can still run. Under disk pressure, no pod can.
  const onlyMemory = pressure.size === 1 && pressure.has('MemoryPressure');
  if (onlyMemory && (pod.status.qosClass !== 'BestEffort' || toleratesMemoryPressure(pod))) return undefined;
  return { reason: 'Evicted', message: `The node had condition: [${[...pressure].join(' ')}]. ` };
}

function toleratesMemoryPressure({ spec }: Pod): boolean {
  return (spec.tolerations ?? []).some(
    ({ key, operator = 'Equal', value = '', effect }) =>
      (key === undefined || key === '' || key === 'node.kubernetes.io/memory-pressure') &&
      (operator === 'Exists' || (key !== undefined && value === '')) &&
      (!effect || effect === 'NoSchedule'),
  );
}

function refusedForResources(
  pod: Pod,
  node: AdmissionInput['node'],
  others: readonly Pod[],
): PodRejection | undefined {
  const { requested, allocatable } = framework.NodeInfo.of(node as Node, others);
  const { requests } = framework.podInfoOf(pod);
  const needs: readonly (readonly [string, number, number, number])[] = [
    ['pods', 1, others.length, allocatable.allowedPodNumber],
    ['cpu', requests.milliCPU, requested.milliCPU, allocatable.milliCPU],
    ['memory', requests.memory, requested.memory, allocatable.memory],
    [
      'ephemeral-storage',
      requests.ephemeralStorage,
      requested.ephemeralStorage,
      allocatable.ephemeralStorage,
    ],
    // The node does not manage resources that it does not know.
    ...[...requests.scalar]
      .filter(([name]) => allocatable.scalar.has(name))
      .map(([name, amount]): readonly [string, number, number, number] => [
        name,
        amount,
        requested.scalar.get(name) ?? 0,
        allocatable.scalar.get(name) ?? 0,
      ]),
  ];
  const lacking = needs.find(([, amount, used, capacity]) => amount > 0 && amount > capacity - used);
  if (!lacking) return undefined;
  const [name, amount, used, capacity] = lacking;
  const message = `Node didn't have enough resource: ${name}, requested: ${amount}, used: ${used}, capacity: ${capacity}`;
  return { reason: `OutOf${name}`, message };
}
