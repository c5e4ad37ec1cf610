import type { CniExit, CniProcess, NetworkPlugin, NodeHost } from '../contracts/node/index.ts';
import type { StreamingService } from '../contracts/node/streaming-service.ts';
import { type Clock, LocalClock, throughLine } from '../sim/index.ts';
import { InstalledNetwork, NETWORK_CONFIGURATION } from './cni/installed-network.ts';
import { PluginProcesses } from './cni/plugin-processes.ts';
import { createMachineFiles, type MachineFiles } from './files/index.ts';
import { type MachineEvent, MachineHistory } from './history.ts';
import { MachineImages, parseImageName, SANDBOX_IMAGE } from './images/index.ts';
import { defaultTimings, type MachineOptions } from './machine-options.ts';
import { defaultCapacity, MachineResources } from './machine-resources.ts';
import { ClusterNetwork, machineAddress } from './network/cluster-network.ts';
import { nodeNetwork } from './network/node-network.ts';
import { MachineNetwork } from './network/stack/machine-network.ts';
import type { AddressChange } from './network/stack/namespace.ts';
import { type StandInPlugin, standInPlugin } from './network/stand-in-plugin.ts';
import { standardPrograms } from './programs/index.ts';
import type { Signal } from './programs/program.ts';
import { catalogue, publicRegistries } from './registry/index.ts';
import { Containerd } from './runtime/containerd.ts';
import { CriDockerd } from './runtime/cri-dockerd.ts';
import { CriO } from './runtime/cri-o.ts';
import { Daemon } from './runtime/daemon.ts';
import { Life } from './runtime/life.ts';
import type { ProfileName } from './runtime/profile.ts';
import type { Runtime } from './runtime/runtime.ts';
import { containerOf, Shim, sandboxOf } from './runtime/shim.ts';
import { RuntimeState } from './runtime/state.ts';
import { streamingService } from './runtime/streaming.ts';

/** A machine, which may be powered off. */
export interface Machine {
  readonly node: string;
  /** Its services for the node's programs. Calls go to them directly, without injected faults. */
  readonly host: NodeHost;
  /** The streaming server of its container runtime. */
  readonly streaming: StreamingService;
  /** Its disk, with operations that only the machine itself can perform. */
  readonly files: MachineFiles;
  /** Its images. Tests can add images without a registry. */
  readonly images: MachineImages;
  /** The events that actually happened, in order. */
  readonly history: readonly MachineEvent[];
  readonly powered: boolean;
  /** Its namespaces, interfaces and rules since the last boot. */
  readonly network: MachineNetwork;
  /** Kills all processes; only data on disk survives. Nothing answers until {@link powerOn}. Idempotent. */
  powerOff(): void;
  /** Boots the machine with its disk unchanged. Does nothing if it is powered on. */
  powerOn(): void;
  /** Kills the runtime's process, but not its containers. Calls then fail with `Unavailable`. Idempotent. */
  stopRuntime(): void;
  /** Starts the container runtime. Does nothing if it runs, or if the machine is powered off. */
  startRuntime(): void;
  /**
   * Makes the runtime lose track of a running container: its state is unknown until it is stopped. Docker never does.
   *
   * Upstream: containerd/containerd@v2.3.3 internal/cri/server/restart.go unknownContainerStatus
   */
  loseTrack(containerId: string): void;
  /** Shifts the clock of the machine, and of all its processes. @param byMs - the offset from the correct time */
  skewClock(byMs: number): void;
  /** Sends a signal to the first process of a container or sandbox, as root on the machine. */
  signal(id: string, signal: Signal): void;
  /**
   * Runs an installed network plugin, as root on the machine.
   *
   * @throws CniError when the plugin does not exist or is killed
   */
  runPlugin(type: string, io: Pick<CniProcess, 'env' | 'stdin'>): Promise<CniExit>;
  /** Cuts its card off from the machines' network. @returns a function that reconnects it */
  cutOff(): () => void;
}

/**
 * Creates a machine of the cluster: the services that a kubelet and other node components use, and that outlive them.
 *
 *     const machine = createMachine({ node: 'node-1', sim: cluster.sim, preloaded: ['nginx:1.27'] });
 */
export function createMachine(options: MachineOptions): Machine {
  return new FakeMachine(options);
}

/** The container runtimes, each with its process and its socket. */
const runtimes = {
  containerd: { Runtime: Containerd, process: 'containerd', socket: '/run/containerd/containerd.sock' },
  'cri-o': { Runtime: CriO, process: 'crio', socket: '/var/run/crio/crio.sock' },
  'cri-dockerd': { Runtime: CriDockerd, process: 'cri-dockerd', socket: '/run/cri-dockerd.sock' },
} as const;

/** Returns the process name of the container runtime for traces and faults: `containerd-node-1`. */
export function runtimeProcess(profile: ProfileName, node: string): string {
  return `${runtimes[profile].process}-${node}`;
}

class FakeMachine implements Machine {
  readonly node: string;
  readonly host: NodeHost;
  readonly streaming: StreamingService;
  readonly files: MachineFiles;
  readonly images: MachineImages;
  readonly #options: MachineOptions;
  readonly #history: MachineHistory;
  readonly #state = new RuntimeState();
  readonly #cluster: ClusterNetwork;
  readonly #resources: MachineResources;
  readonly #random;
  readonly #daemon: Daemon<{ readonly runtime: Runtime; readonly images: MachineImages }>;
  /** Replaces network plugins if none are installed. */
  readonly #standIn: StandInPlugin | undefined;
  /** The clock of the current boot. */
  readonly #clock: Clock = {
    now: () => this.#power.clock.now(),
    monotonicMs: () => this.#power.clock.monotonicMs(),
    sleep: (ms, signal) => this.#power.clock.sleep(ms, signal),
    after: (ms, callback) => this.#power.clock.after(ms, callback),
  };
  readonly #profile: ProfileName;
  readonly #ip: string;
  /** The MAC address of its card. */
  readonly #mac: string;
  #power: Life;
  #network!: MachineNetwork;
  #plugins!: PluginProcesses;
  #shim!: Shim;
  #boots = 0;
  #rebooted = false;
  #bootID = '';
  #skewMs = 0;

  constructor(options: MachineOptions) {
    const { node, sim, profile = 'containerd', network = new ClusterNetwork(sim), csi = new Map() } = options;
    const number = options.number ?? Number(/\d+$/.exec(node)?.[0] ?? 1);
    const ip = machineAddress(number);
    this.node = node;
    this.#options = options;
    this.#profile = profile;
    const capacity = { ...defaultCapacity, ...options.capacity };
    this.#history = new MachineHistory(() => sim.elapsedMs);
    this.files = createMachineFiles({
      capacityBytes: capacity.diskBytes,
      inodes: capacity.inodes,
      journal: options.losesUnsynced ?? false,
      onMount: (event, path) => this.#history.record({ event, path }),
    });
    this.#resources = new MachineResources(this.#state, capacity, this.files.disk, () => sim.elapsedMs);
    this.images = new MachineImages({
      clock: this.#clock,
      registry: options.registry ?? publicRegistries(this.#clock),
      profile,
      disk: this.files.disk,
      onChange: (event, { repoTags, id }) => this.#history.record({ event, image: repoTags[0] ?? id }),
    });
    this.#random = sim.random.fork(`machine ${node}`);
    this.#cluster = network;
    this.#ip = ip;
    this.#mac = macOf(number);
    this.#standIn = options.plugins ? undefined : this.#newStandIn(number);
    this.#power = this.#boot();
    if (this.#standIn) this.#configureNetwork();
    for (const name of [SANDBOX_IMAGE, ...(options.preloaded ?? [])]) this.#load(name);
    this.#daemon = new Daemon({
      clockFor: (actor) => this.#clockFor(actor),
      name: runtimeProcess(profile, node),
      socket: runtimes[profile].socket,
      start: (life) => {
        this.images.start();
        return { runtime: this.#newRuntime(life), images: this.images };
      },
    });
    this.streaming = streamingService({ state: this.#state, shim: () => this.#shim, clock: this.#clock });
    this.host = {
      ip,
      runtime: this.#daemon.front(({ runtime }) => runtime, runtimes[profile].Runtime.prototype),
      images: this.#daemon.front((each) => each.images, this.images),
      network: nodeNetwork({ clock: this.#clock, namespace: () => this.#network.host }),
      tools: { run: (argv, stdin) => this.#network.tools.run(argv, stdin) },
      files: this.files,
      stats: this.#resources.stats(() => this.#bootID),
      csi,
    };
  }

  get history(): readonly MachineEvent[] {
    return this.#history.events;
  }

  get network(): MachineNetwork {
    return this.#network;
  }

  get powered(): boolean {
    return !this.#power.over;
  }

  powerOff(): void {
    if (!this.powered) return;
    this.#daemon.stop();
    this.images.stop();
    this.#power.end();
    this.#plugins.killAll();
    this.#cluster.unplug(this.#ip);
    this.#network.powerOff();
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
    const random = this.#random.fork(`power cut ${this.#boots}`);
    this.files.powerLoss(this.#options.losesUnsynced ? { random } : {});
    this.#history.record({ event: 'powered-off' });
  }

  powerOn(): void {
    if (this.powered) return;
    this.#power = this.#boot();
    this.#rebooted = true;
    this.#history.record({ event: 'powered-on' });
    this.#daemon.start();
  }

  stopRuntime(): void {
    if (!this.#daemon.running) return;
    this.#daemon.stop();
    this.images.stop();
    this.#history.record({ event: 'runtime-stopped' });
  }

  startRuntime(): void {
    if (this.#daemon.running || !this.powered) return;
    this.#daemon.start();
    this.#history.record({ event: 'runtime-started' });
  }

  loseTrack(containerId: string): void {
    const container = this.#state.containers.get(containerId);
    if (container?.task?.alive && this.#profile !== 'cri-dockerd') container.state = 'CONTAINER_UNKNOWN';
  }

  skewClock(byMs: number): void {
    this.#skewMs = byMs;
  }

  signal(id: string, signal: Signal): void {
    const task = this.#state.containers.get(id)?.task ?? this.#state.sandboxes.get(id)?.pause;
    task?.signal(signal);
  }

  runPlugin(type: string, io: Pick<CniProcess, 'env' | 'stdin'>): Promise<CniExit> {
    return this.#plugins.exec(type, io);
  }

  cutOff(): () => void {
    return this.#cluster.cutOff(this.#ip);
  }

  #boot(): Life {
    this.#boots++;
    this.#resources.boot();
    this.#bootID = this.#random.fork(`boot ${this.#boots}`).uuid();
    const power = new Life(this.#clockFor(this.node));
    this.#network = this.#newNetwork();
    this.#plugins = this.#newPlugins();
    this.#standIn?.boot();
    this.#shim = new Shim({
      clockFor: (actor) => this.#clockFor(actor),
      clock: power.clock,
      random: this.#random.fork(`processes of boot ${this.#boots}`),
      network: this.#network,
      files: this.files,
      programs: { ...standardPrograms, ...this.#options.programs },
      history: this.#history,
      resources: this.#resources,
    });
    return power;
  }

  #newNetwork(): MachineNetwork {
    const { sim, plugins } = this.#options;
    const network = new MachineNetwork({
      node: this.node,
      now: () => sim.elapsedMs,
      random: this.#random.fork(`network of boot ${this.#boots}`),
      onAttempt: this.#cluster.tell,
      // The stand-in reports its addresses itself, because it keeps them while the machine is off.
      ...(plugins && {
        onAddress: (change, ip, { name }) => this.#noteAddress(change, ip.text, `/var/run/netns/${name}`),
      }),
    });
    this.#cluster.plug(network, { ip: this.#ip, mac: this.#mac });
    // Kubernetes' installation requires this with br_netfilter: kubernetes.io/docs, "Container Runtimes".
    network.do('sysctl -w net.ipv4.ip_forward=1');
    return network;
  }

  #newPlugins(): PluginProcesses {
    const { plugins = {}, pluginLine } = this.#options;
    return new PluginProcesses({
      plugins,
      files: this.files,
      tools: this.#network.tools,
      newClock: () => this.#clockFor(`cni-${this.node}`),
      random: this.#random.fork(`plugins of boot ${this.#boots}`),
      ...(pluginLine && { newLine: pluginLine }),
    });
  }

  #newStandIn(number: number): StandInPlugin {
    const { line } = this.#options;
    const { plugin, boot } = standInPlugin({
      machine: () => this.#network,
      cluster: this.#cluster,
      podCIDR: `10.244.${number}.0/24`,
      hostIP: this.#ip,
      onAddress: (change, ip, netns) => this.#noteAddress(change, ip, netns),
    });
    const calls = { port: 'cni', reads: ['check'], objectOf: containerIDOf };
    return { plugin: line ? throughLine(plugin, line, calls) : plugin, boot };
  }

  /** Creates one of the machine's clocks. All have the same offset. */
  #clockFor(actor: string): LocalClock {
    const { sim } = this.#options;
    const now = (): number => sim.clock.now() + this.#skewMs;
    return new LocalClock(actor, now, (afterMs, run) => sim.schedule(afterMs, actor, 'timer', run));
  }

  /** Writes the network configuration, as a network provider does. Without this file the network is not ready. */
  #configureNetwork(): void {
    const plugins = [{ type: 'bridge', isDefaultGateway: true }, { type: 'portmap' }];
    const list = JSON.stringify({ name: 'cbr0', cniVersion: '1.1.0', plugins });
    // File operations take effect at once; only their answers come later. A disk that starts full gets no network.
    void this.files.mkdirAll(NETWORK_CONFIGURATION).catch(() => {});
    void this.files.writeFile(`${NETWORK_CONFIGURATION}/10-cbr0.conflist`, list).catch(() => {});
  }

  #load(name: string): void {
    const { domain, repository, tag } = parseImageName(name);
    const image = catalogue.find(
      (each) => each.repository === repository && each.tags.includes(tag ?? 'latest'),
    );
    if (!image)
      throw new Error(`Failed to load ${name} onto ${this.node}: it is not in the catalogue of ${domain}.`);
    this.images.load(name, image);
  }

  #newRuntime(life: Life): Runtime {
    const runtime: Runtime = new runtimes[this.#profile].Runtime({
      life,
      state: this.#state,
      shim: this.#shim,
      network: this.#network,
      plugin: this.#standIn?.plugin ?? this.#newInstalledNetwork(life),
      images: this.images,
      files: this.files,
      history: this.#history,
      timings: { ...defaultTimings, ...this.#options.timings },
      newId: () => Array.from({ length: 8 }, () => hex8(this.#random.int(2 ** 32))).join(''),
      newCgroup: (resources) => this.#resources.newCgroup(resources),
      canFork: () => this.#resources.canFork,
    });
    runtime.recover(this.#rebooted);
    this.#rebooted = false;
    return runtime;
  }

  #newInstalledNetwork(life: Life): NetworkPlugin {
    const { line } = this.#options;
    const exec = this.#plugins.exec.bind(this.#plugins);
    return new InstalledNetwork({ files: this.files, exec, life, ...(line && { line }) });
  }

  #noteAddress(change: AddressChange, ip: string, netns: string): void {
    const sandbox = this.#state.byNetns.get(netns);
    const event = change === 'added' ? 'address-allocated' : 'address-released';
    this.#history.record({ event, ip, ...(sandbox ? sandboxOf(sandbox) : {}) });
  }
}

/** Differs: real MAC addresses come from the manufacturer; these follow the machine's number. */
function macOf(number: number): string {
  return `52:54:00:00:${(number >> 8).toString(16).padStart(2, '0')}:${(number & 255).toString(16).padStart(2, '0')}`;
}

/** Formats a number as eight hex digits. */
function hex8(number: number): string {
  return number.toString(16).padStart(8, '0');
}

function containerIDOf(_: string, [attachment]: readonly unknown[]): string {
  return (attachment as { readonly containerID: string }).containerID;
}
