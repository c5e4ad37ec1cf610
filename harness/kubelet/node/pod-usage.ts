import type { Pod } from '../../api/objects.ts';
import type { NodeHost, OomKill } from '../../contracts/node/index.ts';
import { podDirectory, podLogsDirectory } from '../paths.ts';
import type { SignalObservations } from './thresholds.ts';

/** The current usage of a pod. */
export interface PodUsage {
  readonly memoryBytes: number;
  /** The usage of its containers, its volumes on the node's disk, and its logs. */
  readonly diskBytes: number;
  /** The running containers. */
  readonly containers: readonly ContainerUsage[];
  /** The usage of each `emptyDir` volume, by name. */
  readonly emptyDirBytes: ReadonlyMap<string, number>;
}

/** The current usage of a container. */
interface ContainerUsage {
  readonly name: string;
  readonly memoryBytes: number;
  /** The data written outside of its volumes, and its logs. */
  readonly diskBytes: number;
}

/** The free resources of a node, and the usage of its pods. */
export interface NodeUsage {
  readonly observations: SignalObservations;
  /** The usage by pod UID, without pods whose usage is unknown. */
  readonly pods: ReadonlyMap<string, PodUsage>;
}

/** An observation of a node. */
interface ObservedUsage extends NodeUsage {
  /** The times at which the node ran out of memory since its boot, oldest first. */
  readonly oomKills: readonly OomKill[];
}

/**
 * Observes the free resources of a node and the usage of its pods.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/eviction/helpers.go makeSignalObservations, pkg/kubelet/server/stats/summary.go
 * Get
 *
 * Differs: the memory left to all pods together (`allocatableMemory.available`) is not observed.
 *
 * @throws cri.CriError, FileError when a value cannot be read
 */
export async function observeUsage(host: NodeHost, pods: readonly Pod[]): Promise<ObservedUsage> {
  const [info, usage, images] = await Promise.all([
    host.stats.info(),
    host.stats.usage(),
    host.images.imageFsInfo(),
  ]);
  const disk = { available: usage.diskAvailableBytes, capacity: info.diskBytes };
  const inodes = { available: usage.inodesFree, capacity: info.inodes };
  return {
    observations: {
      'memory.available': { available: usage.memoryAvailableBytes, capacity: info.memoryBytes },
      'nodefs.available': disk,
      'nodefs.inodesFree': inodes,
      'imagefs.available': { available: images.availableBytes, capacity: images.capacityBytes },
      'imagefs.inodesFree': inodes,
      'pid.available': { available: usage.pidsFree, capacity: info.pids },
    },
    pods: await usageOf(host, pods),
    oomKills: usage.oomKills,
  };
}

async function usageOf(host: NodeHost, pods: readonly Pod[]): Promise<ReadonlyMap<string, PodUsage>> {
  const stats = await host.runtime.listContainerStats();
  const bytesBelow = (path: string): Promise<number> => host.files.usage(path).catch(() => 0);
  const usages = new Map<string, PodUsage>();
  for (const { metadata, spec } of pods) {
    const { uid } = metadata;
    const logs = podLogsDirectory({ metadata });
    const own = stats.filter(({ labels }) => labels['io.kubernetes.pod.uid'] === uid);
    const containers: ContainerUsage[] = [];
    for (const { metadata: container, memoryWorkingSetBytes, writableLayerBytes } of own) {
      const diskBytes = writableLayerBytes + (await bytesBelow(`${logs}/${container.name}`));
      containers.push({ name: container.name, memoryBytes: memoryWorkingSetBytes, diskBytes });
    }
    const emptyDirBytes = new Map<string, number>();
    for (const { name: volume, emptyDir } of spec.volumes ?? []) {
      if (!emptyDir || emptyDir.medium === 'Memory') continue;
      const path = `${podDirectory(uid)}/volumes/kubernetes.io~empty-dir/${volume}`;
      emptyDirBytes.set(volume, await bytesBelow(path));
    }
    const sum = (values: Iterable<number>): number => [...values].reduce((all, each) => all + each, 0);
    usages.set(uid, {
      memoryBytes: sum(containers.map(({ memoryBytes }) => memoryBytes)),
      diskBytes: sum(containers.map(({ diskBytes }) => diskBytes)) + sum(emptyDirBytes.values()),
      containers,
      emptyDirBytes,
    });
  }
  return usages;
}
