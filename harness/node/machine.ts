import type { CsiNode, FileSystem, MachineStats, NetworkPlugin, NodeHost } from '../contracts/node/index.ts';
import { type Line, type Simulation, throughLine } from '../sim/index.ts';
import { type MachineEvent, MachineHistory } from './history.ts';
import { ClusterNetwork } from './network/cluster-network.ts';
import { Kernel } from './network/kernel.ts';
import { nodeNetwork } from './network/node-network.ts';
import { scriptedPlugin } from './network/scripted-plugin.ts';
import { standardPrograms } from './programs/index.ts';
import type { Programs, Signal } from './programs/program.ts';
import { Containerd } from './runtime/containerd.ts';
import { Daemon } from './runtime/daemon.ts';
import { Life } from './runtime/life.ts';
import type { ImageStore } from './runtime/local-image.ts';
import type { ProfileName, RuntimeTimings } from './runtime/profile.ts';
import type { Runtime } from './runtime/runtime.ts';
import { containerOf, Shim, sandboxOf } from './runtime/shim.ts';
import { RuntimeState } from './runtime/state.ts';

/** What a machine is, and what runs on it. */
export interface MachineOptions {
  /** `node-1`. */
  readonly node: string;
  readonly sim: Simulation;
  readonly images: ImageStore;
  readonly files: FileSystem;
  /** @defaultValue containerd */
  readonly profile?: ProfileName;
  /** @defaultValue the number at the end of its name, or 1 */
  readonly number?: number;
  /** The line of the runtime's process, `containerd-node-1`: faults strike its calls of the network plugin. @defaultValue none: nothing strikes */
  readonly line?: Line;
  /** The network that all machines of a cluster share. @defaultValue one of its own */
  readonly network?: ClusterNetwork;
  /** @defaultValue one that only gives out addresses of `10.244.N.0/24` */
  readonly networkPlugin?: (kernel: Kernel) => NetworkPlugin;
  /** Programs by the name of their executable, besides those that every machine knows. */
  readonly programs?: Programs;
  readonly csi?: ReadonlyMap<string, CsiNode>;
  readonly capacity?: Partial<MachineCapacity>;
  readonly timings?: Partial<RuntimeTimings>;
}

/** What there is of a machine. */
export interface MachineCapacity {
  /** @defaultValue 4 */
  readonly cpus: number;
  /** @defaultValue 16 GiB */
  readonly memoryBytes: number;
  /** @defaultValue 100 GiB */
  readonly diskBytes: number;
  /** @defaultValue 6,553,600 */
  readonly inodes: number;
  /** @defaultValue 32,768 */
  readonly pids: number;
}

/** A machine that is up, or was. */
export interface Machine {
  readonly node: string;
  /** As the programs of the node have it, without a line between. */
  readonly host: NodeHost;
  /** What really happened, in order. */
  readonly history: readonly MachineEvent[];
  readonly powered: boolean;
  /** All processes die at once, and what is not on disk is lost. Nothing answers until {@link powerOn}. Does nothing when it is off. */
  powerOff(): void;
  /** Boots: the disk is as it was. Does nothing when it is on. */
  powerOn(): void;
  /** Ends the container runtime's process, not its containers. Calls fail with `Unavailable`. Does nothing when it does not run. */
  stopRuntime(): void;
  /** Does nothing when it runs, or the machine is off. */
  startRuntime(): void;
  /** Sends a signal to the first process of a container or of a sandbox, as root on the machine could. */
  signal(id: string, signal: Signal): void;
}

const GIB = 1024 ** 3;
const CAPACITY: MachineCapacity = {
  cpus: 4,
  memoryBytes: 16 * GIB,
  diskBytes: 100 * GIB,
  inodes: 6_553_600,
  pids: 32_768,
};
const TIMINGS: RuntimeTimings = {
  runSandboxMs: 40,
  createMs: 20,
  startMs: 30,
  removeMs: 10,
  execMs: 10,
  exitSeenMs: 5,
};
/** What the machine itself uses. */
const SYSTEM_MEMORY_BYTES = GIB / 2;
const SYSTEM_PIDS = 100;

/**
 * A machine of the cluster: what a kubelet and its like stand on, and what outlives them.
 *
 *     const machine = createMachine({ node: 'node-1', sim: cluster.sim, images, files });
 *     cluster.addMachine('node-1', machine.host);
 */
export function createMachine(options: MachineOptions): Machine {
  return new FakeMachine(options);
}

class FakeMachine implements Machine {
  readonly node: string;
  readonly host: NodeHost;
  readonly #options: MachineOptions;
  readonly #history: MachineHistory;
  readonly #state = new RuntimeState();
  readonly #network: ClusterNetwork;
  readonly #kernel: Kernel;
  readonly #capacity: MachineCapacity;
  readonly #random;
  readonly #daemon: Daemon<{ readonly runtime: Runtime; readonly images: ImageStore }>;
  readonly #plugin: NetworkPlugin;
  #power: Life;
  #boots = 0;
  #rebooted = false;
  #bootID = '';

  constructor(options: MachineOptions) {
    const { node, sim, files, images, network = new ClusterNetwork(), csi = new Map() } = options;
    const number = options.number ?? Number(/\d+$/.exec(node)?.[0] ?? 1);
    const ip = `192.168.0.${number}`;
    this.node = node;
    this.#options = options;
    this.#capacity = { ...CAPACITY, ...options.capacity };
    this.#history = new MachineHistory(() => sim.elapsedMs);
    this.#random = sim.random.fork(`machine ${node}`);
    this.#network = network;
    this.#kernel = new Kernel(network, {
      allocated: (address, netns) => this.#noteAddress('address-allocated', address, netns),
      released: (address, netns) => this.#noteAddress('address-released', address, netns),
    });
    network.attach(ip, this.#kernel.host);
    const podCIDR = `10.244.${number}.0/24`;
    const plugin =
      options.networkPlugin?.(this.#kernel) ?? scriptedPlugin({ kernel: this.#kernel, podCIDR, hostIP: ip });
    this.#plugin = options.line
      ? throughLine(plugin, options.line, { port: 'cni', reads: ['check'], objectOf: containerIDOf })
      : plugin;
    this.#power = this.#boot();
    this.#daemon = new Daemon({
      sim,
      name: `containerd-${node}`,
      socket: '/run/containerd/containerd.sock',
      start: (life) => ({ runtime: this.#newRuntime(life), images }),
    });
    this.host = {
      ip,
      runtime: this.#daemon.front(({ runtime }) => runtime, Containerd.prototype),
      images: this.#daemon.front((each) => each.images, images),
      network: nodeNetwork(network, this.#power.clock),
      files,
      stats: this.#stats(),
      csi,
    };
  }

  get history(): readonly MachineEvent[] {
    return this.#history.events;
  }

  get powered(): boolean {
    return !this.#power.over;
  }

  powerOff(): void {
    if (!this.powered) return;
    this.#daemon.stop();
    this.#power.end();
    for (const container of this.#state.containers.values()) {
      if (!container.task?.alive) continue;
      this.#history.record({ event: 'container-exited', ...containerOf(container) });
      for (const task of [...container.cgroup.tasks]) task.lose();
      container.task = undefined;
    }
    for (const sandbox of this.#state.sandboxes.values()) {
      if (!sandbox.pause?.alive) continue;
      this.#history.record({ event: 'sandbox-stopped', ...sandboxOf(sandbox) });
      sandbox.pause.lose();
      sandbox.pause = undefined;
    }
    this.#network.detach(this.host.ip);
    this.#kernel.reset();
    this.#history.record({ event: 'powered-off' });
  }

  powerOn(): void {
    if (this.powered) return;
    this.#power = this.#boot();
    this.#network.attach(this.host.ip, this.#kernel.host);
    this.#rebooted = true;
    this.#history.record({ event: 'powered-on' });
    this.#daemon.start();
  }

  stopRuntime(): void {
    if (!this.#daemon.running) return;
    this.#daemon.stop();
    this.#history.record({ event: 'runtime-stopped' });
  }

  startRuntime(): void {
    if (this.#daemon.running || !this.powered) return;
    this.#daemon.start();
    this.#history.record({ event: 'runtime-started' });
  }

  signal(id: string, signal: Signal): void {
    const task = this.#state.containers.get(id)?.task ?? this.#state.sandboxes.get(id)?.pause;
    task?.signal(signal);
  }

  #boot(): Life {
    this.#boots++;
    this.#bootID = this.#random.fork(`boot ${this.#boots}`).uuid();
    return new Life(this.#options.sim.clockFor(this.node));
  }

  #newRuntime(life: Life): Runtime {
    const { images, files, timings, sim, programs } = this.#options;
    const shim = new Shim({
      sim,
      clock: this.#power.clock,
      random: this.#random,
      network: this.#network,
      kernel: this.#kernel,
      files,
      programs: { ...standardPrograms, ...programs },
      history: this.#history,
      used: () => this.#reclaim(),
    });
    const runtime = new Containerd({
      life,
      state: this.#state,
      shim,
      kernel: this.#kernel,
      plugin: this.#plugin,
      images,
      files,
      history: this.#history,
      timings: { ...TIMINGS, ...timings },
      newId: () => `${this.#random.uuid()}${this.#random.uuid()}`.replaceAll('-', ''),
      canFork: () => this.#pids() < this.#capacity.pids,
    });
    runtime.recover(this.#rebooted);
    this.#rebooted = false;
    return runtime;
  }

  /** What uses more than its limit dies of it; and when there is none left on the machine, the largest. */
  #reclaim(): void {
    const running = [...this.#state.containers.values()].filter(({ task }) => task?.alive);
    for (const { cgroup } of running) {
      if (cgroup.memoryBytes > (cgroup.memoryLimitBytes ?? Number.POSITIVE_INFINITY)) cgroup.oomKill();
    }
    while (this.#memory() > this.#capacity.memoryBytes) {
      const [largest] = running.sort((a, b) => b.cgroup.memoryBytes - a.cgroup.memoryBytes);
      if (!largest || largest.cgroup.memoryBytes === 0) return;
      largest.cgroup.oomKill();
    }
  }

  #memory(): number {
    let total = SYSTEM_MEMORY_BYTES;
    for (const { cgroup } of this.#state.containers.values()) total += cgroup.memoryBytes;
    return total;
  }

  #pids(): number {
    let total = SYSTEM_PIDS;
    for (const { cgroup } of this.#state.containers.values()) total += cgroup.tasks.size;
    for (const { pause } of this.#state.sandboxes.values()) total += pause?.alive ? 1 : 0;
    return total;
  }

  #stats(): MachineStats {
    return {
      info: async () => ({
        ...this.#capacity,
        bootID: this.#bootID,
        kernelVersion: '6.12.0',
        osImage: 'Debian GNU/Linux 13 (trixie)',
      }),
      usage: async () => {
        const { memoryBytes, inodes, pids } = this.#capacity;
        const disk = await this.#options.images.imageFsInfo();
        let cpuUsageMilli = 0;
        for (const { cgroup } of this.#state.containers.values()) cpuUsageMilli += cgroup.cpuMilli;
        const memory = this.#memory();
        return {
          cpuUsageMilli,
          memoryAvailableBytes: Math.max(0, memoryBytes - memory),
          memoryWorkingSetBytes: memory,
          diskAvailableBytes: disk.availableBytes,
          inodesFree: inodes,
          pidsFree: Math.max(0, pids - this.#pids()),
        };
      },
    };
  }

  #noteAddress(event: 'address-allocated' | 'address-released', ip: string, netns: string): void {
    const sandbox = this.#state.byNetns.get(netns);
    this.#history.record({ event, ip, ...(sandbox ? sandboxOf(sandbox) : {}) });
  }
}

function containerIDOf(_: string, [attachment]: readonly unknown[]): string {
  return (attachment as { readonly containerID: string }).containerID;
}
