import type * as cri from '../../contracts/node/cri/index.ts';
import type { MachineInfo, NodeHost } from '../../contracts/node/index.ts';

/** What a node can run short of. */
export type NodePressure = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';

/** What only the other parts of a kubelet know of its node. */
export interface NodeSources {
  /** Why no pod can be worked on; empty when all is well. Undefined as long as the runtime has not been asked. */
  runtimeErrors(): readonly string[] | undefined;
  /** Why no pod can be given a network; empty when all is well. */
  networkErrors(): readonly string[];
  /** What the node is short of. Undefined as long as it has not been looked at. */
  pressure(): ReadonlySet<NodePressure> | undefined;
  /**
   * The volumes of storage drivers that the node uses, or may use. Undefined as long as that is not known; absent where a kubelet has
   * no volume manager.
   */
  volumesInUse?(): readonly string[] | undefined;
}

/** A node as its kubelet finds it now: what its status is made of. */
export interface NodeObservation {
  /** Its name: `node-1`. */
  readonly node: string;
  /** Its address in the cluster. */
  readonly ip: string;
  /** Undefined when it could not be read. */
  readonly machine: MachineInfo | undefined;
  /** The runtime's name and version. Undefined when it does not answer. */
  readonly runtime: cri.RuntimeVersion | undefined;
  /** In no order. Undefined when the runtime does not answer. */
  readonly images: readonly cri.Image[] | undefined;
  readonly runtimeErrors: readonly string[] | undefined;
  readonly networkErrors: readonly string[];
  readonly pressure: ReadonlySet<NodePressure> | undefined;
  /** As {@link NodeSources.volumesInUse} gives them. */
  readonly volumesInUse?: readonly string[] | undefined;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** Looks at a node. Never rejects: what cannot be read is undefined. */
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
