import type { EvictionThreshold, PodUsage, SignalObservations } from '#given/41-kubelet';
import { type Pod, parseQuantity } from '#harness';

export const MIB = 1024 ** 2;
export const GIB = 1024 ** 3;

/** Returns a pod with these requests. */
export function podOf(
  name: string,
  requests: Record<string, string> = {},
  spec: Partial<Pod['spec']> = {},
): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      resourceVersion: '1',
      creationTimestamp: '2026-05-01T00:00:00Z',
    },
    spec: { containers: [{ name: 'main', image: 'nginx', resources: { requests } }], ...spec },
    status: { qosClass: Object.keys(requests).length > 0 ? 'Burstable' : 'BestEffort' },
  };
}

export const using = (memory: string, disk = '0'): PodUsage => {
  const [memoryBytes, diskBytes] = [memory, disk].map((text) => parseQuantity(text).value()) as [
    number,
    number,
  ];
  return {
    memoryBytes,
    diskBytes,
    containers: [{ name: 'main', memoryBytes, diskBytes }],
    emptyDirBytes: new Map(),
  };
};

export const memory = (availableMib: number): SignalObservations => ({
  'memory.available': { available: availableMib * MIB, capacity: GIB },
});
export const disk = (percent: number): SignalObservations => ({
  'nodefs.available': { available: percent * GIB, capacity: 100 * GIB },
});
export const hard: EvictionThreshold = { signal: 'memory.available', value: { quantity: 100 * MIB } };
export const hardDisk: EvictionThreshold = { signal: 'nodefs.available', value: { percentage: 0.1 } };
