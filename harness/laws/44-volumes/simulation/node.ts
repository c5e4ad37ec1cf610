import type { Pod } from '../../../api/objects.ts';
import { pods } from '../../../api/resource.ts';
import { type Cluster, createCluster } from '../../../cluster/cluster.ts';
import type { Process } from '../../../cluster/process.ts';
import type { NodeComponent } from '../../../contracts/component.ts';
import type { NewVolumeManager, VolumeManager } from '../../../contracts/node/index.ts';
import { CsiStorage, createCsiDriver } from '../../../node/csi/index.ts';
import type { ContainerFiles } from '../../../node/files/index.ts';
import type { Machine } from '../../../node/machine.ts';
import type { MiniKubeletOptions } from './small-kubelet.ts';

/** The node of these runs, and its process. */
export const NODE = 'node-1';
export const PROCESS = `kubelet-${NODE}`;

/** The storage drivers of the node: one stages volumes on the node, the other does not. */
export const STAGING_DRIVER = 'disks.example.com';
export const PLAIN_DRIVER = 'shares.example.com';

/** How often a kubelet lists its pods again. */
const LIST_AGAIN_MS = 500;

/** A running container: it survives the kubelet. */
export interface RunningContainer {
  readonly name: string;
  readonly files: ContainerFiles;
}

/** Options of a run of a node. */
export interface VolumeNodeOptions {
  readonly seed?: number;
  readonly schedule?: readonly number[];
  /** How long a starting kubelet does not know its pods. @defaultValue 0 */
  readonly knowsAfterMs?: number;
  readonly latencyMs?: number | { readonly min: number; readonly max: number };
  /** Called as the kubelet, each time it starts, with its volume manager. @defaultValue does nothing */
  readonly kubelet?: (kubelet: Pick<MiniKubeletOptions, 'manager' | 'clock' | 'signal'>) => void;
}

/**
 * A machine with a volume manager, and with the part of a kubelet that a volume manager sees: the desired pods and
 * the running containers.
 */
export class VolumeNode implements AsyncDisposable {
  readonly cluster: Cluster;
  readonly machine: Machine;
  readonly storage: CsiStorage;
  /** The desired pods that the kubelet knows, by UID. */
  readonly pods = new Map<string, Pod>();
  /** By the UID of their pod. */
  readonly containers = new Map<string, RunningContainer[]>();
  #manager: VolumeManager | undefined;
  #kubelet: Process | undefined;

  private constructor(cluster: Cluster) {
    this.cluster = cluster;
    const csi = new Map<string, ReturnType<typeof createCsiDriver>>();
    this.storage = new CsiStorage();
    this.machine = cluster.addMachine(NODE, { csi });
    const { storage } = this;
    const { files } = this.machine;
    csi.set(STAGING_DRIVER, createCsiDriver({ files, storage }));
    csi.set(PLAIN_DRIVER, createCsiDriver({ files, storage, stages: false }));
  }

  /** @param newVolumeManager the volume manager under test */
  static async create(
    newVolumeManager: NewVolumeManager,
    { kubelet: act = () => {}, knowsAfterMs = 0, ...options }: VolumeNodeOptions = {},
  ): Promise<VolumeNode> {
    let node: VolumeNode;
    const kubelet: NodeComponent = async (context) => {
      const { client, clock, signal } = context;
      let isListed = false;
      const manager = context.newVolumeManager({
        desiredPods: () => (isListed ? [...node.pods.values()] : []),
        // Until it knows its pods, any container may run.
        couldHaveRunningContainers: (uid) => !isListed || (node.containers.get(uid)?.length ?? 0) > 0,
        statusOf: (uid) => node.pods.get(uid)?.status,
      });
      node.#manager = manager;
      act({ manager, clock, signal });
      if (knowsAfterMs > 0) await clock.sleep(knowsAfterMs, signal);
      while (!isListed && !signal.aborted) {
        isListed = await client.list(pods).then(
          () => true,
          () => clock.sleep(LIST_AGAIN_MS, signal).then(() => false),
        );
      }
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    };
    const cluster = await createCluster({
      ...options,
      components: { kubelet, volumeManager: newVolumeManager },
    });
    node = new VolumeNode(cluster);
    return node;
  }

  /** Runs the kubelet. */
  run(): Process {
    const [kubelet] = this.cluster.runOnNode(NODE, 'kubelet');
    this.#kubelet = kubelet;
    return this.kubelet;
  }

  /** The volume manager of the current kubelet, or of the last one. */
  get manager(): VolumeManager {
    if (!this.#manager)
      throw new Error(`Failed to find the volume manager of ${NODE}: let the cluster run first.`);
    return this.#manager;
  }

  get hasManager(): boolean {
    return this.#manager !== undefined;
  }

  get kubelet(): Process {
    return this.#kubelet as Process;
  }

  /** Runs until the volumes of a pod are mounted, and starts its containers. @throws the manager's rejection */
  async start(pod: Pod): Promise<void> {
    this.pods.set(pod.metadata.uid, pod);
    await this.cluster.settle(this.startNow(pod, this.manager));
  }

  /** {@link start} within a running simulation. */
  async startNow(pod: Pod, manager: VolumeManager): Promise<void> {
    await manager.waitForAttachAndMount(pod);
    for (const { name } of pod.spec.containers) await this.startContainer(pod, name, manager);
  }

  /** Recreates a container, as after its death. */
  async startContainer(pod: Pod, name: string, manager = this.manager): Promise<void> {
    const files = await this.prepareContainer(pod, name, manager);
    this.runContainer(pod, name, files());
  }

  /** Requests the mounts of a container. @returns a function that makes its files */
  async prepareContainer(pod: Pod, name: string, manager: VolumeManager): Promise<() => ContainerFiles> {
    const container = pod.spec.containers.find((each) => each.name === name);
    if (!container) {
      throw new Error(`Failed to start ${name}: the pod ${pod.metadata.name} has no such container.`);
    }
    const mounts = await manager.mountsOf(pod, container);
    return () => this.machine.files.view(mounts);
  }

  /** Runs a container, in place of an earlier one with this name. */
  runContainer({ metadata: { uid } }: Pod, name: string, files: ContainerFiles): void {
    const others = this.containers.get(uid) ?? [];
    for (const each of others) if (each.name === name) each.files.remove();
    this.containers.set(uid, [...others.filter((each) => each.name !== name), { name, files }]);
  }

  /** Stops all containers of a pod. */
  stopContainers(uid: string): void {
    for (const { files } of this.containers.get(uid) ?? []) files.remove();
    this.containers.delete(uid);
  }

  /** Returns the files as a container sees them. */
  files(pod: Pod, name = pod.spec.containers[0]?.name): ContainerFiles {
    const running = this.containers.get(pod.metadata.uid)?.find((each) => each.name === name);
    if (!running)
      throw new Error(`Failed to look into ${pod.metadata.name}: its container ${name} does not run.`);
    return running.files;
  }

  /** Restarts the kubelet without a pause. */
  restartKubelet(): void {
    this.kubelet.crash();
    this.kubelet.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster[Symbol.asyncDispose]();
  }
}
