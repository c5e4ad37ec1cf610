import type * as cri from '../../contracts/node/cri/index.ts';
import type { MachineInfo, NodeHost } from '../../contracts/node/index.ts';

/** A resource shortage of a node. */
export type NodePressure = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';

/** The information about a node that only other parts of the kubelet have. */
export interface NodeSources {
  /**
   * Returns why the kubelet cannot work on any pod; empty if it can. Undefined before the first check of the runtime.
   */
  runtimeErrors(): readonly string[] | undefined;
  /** Returns why no pod can get a network; empty if the network is ready. */
  networkErrors(): readonly string[];
  /** Returns the current pressure. Undefined before the first observation. */
  pressure(): ReadonlySet<NodePressure> | undefined;
  /**
   * Returns the volumes of storage drivers that the node uses or may use. Undefined while this is unknown; absent if
   * the kubelet has no volume manager.
   */
  volumesInUse?(): readonly string[] | undefined;
}

/** The current observation of a node, from which its status is computed. */
export interface NodeObservation {
  /** The node's name: `node-1`. */
  readonly node: string;
  /** The node's address in the cluster. */
  readonly ip: string;
  /** Undefined if it cannot be read. */
  readonly machine: MachineInfo | undefined;
  /** The runtime's name and version. Undefined if it does not answer. */
  readonly runtime: cri.RuntimeVersion | undefined;
  /** In any order. Undefined if the runtime does not answer. */
  readonly images: readonly cri.Image[] | undefined;
  readonly runtimeErrors: readonly string[] | undefined;
  readonly networkErrors: readonly string[];
  readonly pressure: ReadonlySet<NodePressure> | undefined;
  /** The result of {@link NodeSources.volumesInUse}. */
  readonly volumesInUse?: readonly string[] | undefined;
  /** The current time, in ms since 1970. */
  readonly nowMs: number;
}

/** Observes a node. Never rejects: values that cannot be read are undefined. */
export async function observeNode(
  { node, host, nowMs }: { readonly node: string; readonly host: NodeHost; readonly nowMs: () => number },
  sources: NodeSources,
): Promise<NodeObservation> {
  const [machine, runtime, images] = await Promise.all([
    host.stats.info().catch(() => undefined),
    host.runtime.version().catch(() => undefined),
    host.images.listImages().catch(() => undefined),
  ]);
  return {
    node,
    ip: host.ip,
    machine,
    runtime,
    images,
    runtimeErrors: sources.runtimeErrors(),
    networkErrors: sources.networkErrors(),
    pressure: sources.pressure(),
    volumesInUse: sources.volumesInUse?.(),
    nowMs: nowMs(),
  };
}
