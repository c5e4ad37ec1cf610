import type { NodeObservation, NodePressure, NodeSources } from '#given/41-kubelet';
import type { cri, MachineInfo, NodeComponent } from '#harness';
import { createCluster } from '#harness/testing';
import { runNode } from '#kata/41-kubelet/kubelet';

const GIB = 1024 ** 3;

export const machine: MachineInfo = {
  cpus: 4,
  memoryBytes: 16 * GIB,
  diskBytes: 100 * GIB,
  inodes: 6_553_600,
  pids: 32_768,
  bootID: 'boot-1',
  kernelVersion: '6.12.0',
  osImage: 'Debian GNU/Linux 13 (trixie)',
};

/** A healthy node, one day after its creation. */
export function observed(overrides: Partial<NodeObservation> = {}): NodeObservation {
  return {
    node: 'node-1',
    ip: '192.168.0.1',
    machine,
    runtime: { runtimeName: 'containerd', runtimeVersion: '2.3.3' },
    images: [],
    runtimeErrors: [],
    networkErrors: [],
    pressure: new Set(),
    nowMs: Date.UTC(2026, 4, 2),
    ...overrides,
  };
}

export function image(name: string, sizeBytes: number): cri.Image {
  const repository = `docker.io/library/${name}`;
  return {
    id: `sha256:${name}`,
    repoTags: [`${repository}:1`],
    repoDigests: [`${repository}@sha256:${name}`],
    sizeBytes,
    pinned: false,
  };
}

/** Starts a node whose kubelet only reports the node. A test changes the reported state through `sources`. */
export async function clusterWithNode() {
  const sources = {
    runtimeErrors: [] as readonly string[] | undefined,
    networkErrors: [] as readonly string[],
    pressure: new Set<NodePressure>() as ReadonlySet<NodePressure> | undefined,
  };
  const asked: NodeSources = {
    runtimeErrors: () => sources.runtimeErrors,
    networkErrors: () => sources.networkErrors,
    pressure: () => sources.pressure,
  };
  const kubelet: NodeComponent = (context) => runNode(context, asked);
  const cluster = await createCluster({ components: { kubelet } });
  const onNode = cluster.addMachine('node-1');
  return { cluster, machine: onNode, sources, run: () => cluster.runOnNode('node-1', 'kubelet') };
}
