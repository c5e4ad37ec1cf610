import { ApiServer } from '../apiserver/apiserver.ts';
import { Storage } from '../apiserver/storage/storage.ts';
import { Connection } from '../client/connection.ts';
import type { Client } from '../contracts/client.ts';
import type { Components } from '../contracts/component.ts';
import { ConnectionError } from '../contracts/connection-error.ts';
import type { KubeletConfiguration } from '../contracts/node/index.ts';
import { Nemesis, type ProcessTarget } from '../faults/index.ts';
import type { Machine } from '../node/machine.ts';
import type { ClusterNetwork } from '../node/network/cluster-network.ts';
import {
  atRandom,
  type Clock,
  Line,
  type Random,
  Simulation,
  scripted,
  seededRandom,
  type Trace,
} from '../sim/index.ts';
import { APISERVER, bootstrap } from './bootstrap.ts';
import { compactEvery } from './compaction.ts';
import {
  type ComponentName,
  type NodeComponentName,
  processCalled,
  processOf,
  roleOf,
  type StandInOptions,
} from './component-table.ts';
import { EventExpiry, EXPIRY_INTERVAL_MS } from './event-expiry.ts';
import { Journal } from './journal.ts';
import { type ClusterMachineOptions, Machines, noticing } from './nodes/machines.ts';
import { nodeContext } from './nodes/node-context.ts';
import { podPrograms } from './pod-programs.ts';
import { Process, type Program } from './process.ts';
import { Replica } from './replica.ts';
import { restore, type StoredObject } from './saved-state.ts';

/** What one cluster, and one run of it, differ in from others. */
export interface ClusterOptions {
  /** Of everything random in the run. @defaultValue 1 */
  readonly seed?: number;
  /**
   * Who goes first among what happens at the same instant, choice by choice; then first come, first served.
   * @defaultValue chosen at random from the seed
   */
  readonly schedule?: readonly number[];
  /** How many apiservers share the storage. @defaultValue 1 */
  readonly replicas?: number;
  /** Which of them serve streaming lists: the feature gate WatchList. @defaultValue all of them */
  readonly streamingLists?: readonly boolean[];
  /** How long a message travels, one way: a number of ms, or between two. @defaultValue 1 */
  readonly latencyMs?: number | { readonly min: number; readonly max: number };
  /** How long a worker needs for an item, in virtual ms. The events meanwhile lead to a single further sync. @defaultValue 0 */
  readonly syncMs?: number;
  /** What the cluster is made of. It needs only what is used in it. */
  readonly components?: Partial<Components>;
  /** Whether objects have managedFields from their creation on. @defaultValue false: from their first apply on */
  readonly trackOnCreate?: boolean;
  /** How its kubelets are set up. @defaultValue as each of them is by default */
  readonly kubeletConfiguration?: KubeletConfiguration;
  /**
   * How often old revisions are forgotten, in ms: each time, what is older than the last time. 0: never. Upstream: kubernetes/kubernetes@v1.36.3
   * kube-apiserver --etcd-compaction-interval
   *
   * @defaultValue 300,000
   */
  readonly compactionIntervalMs?: number;
  /**
   * The objects that it begins with, of a cluster that was saved. What was on its machines is gone, as if all of them had been set up
   * anew.
   *
   * @defaultValue what every cluster has from the start
   */
  readonly saved?: readonly StoredObject[];
  /** When the cluster begins, in ms since 1970. @defaultValue that of {@link Simulation} */
  readonly startMs?: number;
  /**
   * Whether journal and trace forget what is older than what storage was compacted to: for a cluster that runs until it is
   * stopped.
   *
   * @defaultValue false: laws read all of it
   */
  readonly forgetsHistory?: boolean;
  /** Where the Service `default/kubernetes` leads. Upstream: kube-apiserver --advertise-address. @defaultValue nowhere: it has no endpoints */
  readonly advertiseAddress?: string;
  /**
   * Whether the apiserver writes roles and priority classes once it serves, as upstream's does. Upstream:
   * kubernetes/apiserver@v0.36.3 pkg/server/hooks.go PostStartHookFunc
   *
   * @defaultValue false: a simulation asks for none of them, and begins faster
   */
  readonly postStartHooks?: boolean;
  /** Whether there may be custom resources: what works on all resources asks which there are. @defaultValue false */
  readonly servesCustomResources?: boolean;
  /** Told of what a component failed with, and goes on after: a sync that it tries again, say. @defaultValue the trace alone is told */
  readonly onError?: (process: string, error: unknown) => void;
}

/** Where a process runs, and which replica it talks to. */
interface RunOptions {
  /** The node that it runs on: what happens to the node happens to it. @defaultValue none */
  readonly node?: string;
  /** The apiserver that it talks to, as long as that is up. @defaultValue 0 */
  readonly replica?: number;
}

/** A cluster with what every cluster has from the start, and nothing else in it; or with what was saved of another one. */
export async function createCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const cluster = new Cluster(options);
  if (options.saved) restore(cluster.storage, options.saved);
  else await bootstrap(cluster.as(APISERVER), options);
  return cluster;
}

/**
 * A cluster in one process: apiserver replicas over one storage, components as processes, a nemesis, and virtual
 * time. One seed, one history.
 *
 *     await using cluster = await createCluster({ seed: 7 });
 *     const controller = cluster.run('replicaset-controller', component);
 *     cluster.nemesis.schedule([{ atMs: 50, fault: 'cut-watches', process: 'replicaset-controller' }]);
 *     await cluster.admin.create(deployments, nginx);
 *     await cluster.runFor(60_000);
 */
export class Cluster implements AsyncDisposable {
  readonly sim: Simulation;
  readonly storage: Storage;
  /** Every write since the beginning, and who asked for it. */
  readonly journal: Journal;
  readonly replicas: readonly Replica[];
  readonly nemesis: Nemesis;
  /** An apiserver without faults and latency, which is never behind: it prepares a scene, and reads the outcome. */
  readonly admin: Client;
  readonly #undisturbed: ApiServer;
  readonly #options: ClusterOptions;
  readonly #processes = new Map<string, { process: Process; node: string | undefined }>();
  readonly #connections = new Map<string, Connection>();
  readonly #machines: Machines;

  constructor(options: ClusterOptions) {
    const { seed = 1, schedule, startMs, replicas = 1, streamingLists = [] } = options;
    const { compactionIntervalMs = 300_000, trackOnCreate = false } = options;
    this.#options = options;
    const choose = schedule ? scripted(schedule) : atRandom(seededRandom(seed).fork('schedule'));
    this.sim = new Simulation({ seed, choose, ...(startMs === undefined ? {} : { startMs }) });
    this.storage = new Storage();
    this.journal = new Journal(this.storage, () => this.sim.elapsedMs);
    const { storage } = this;
    const randoms = Array.from({ length: replicas }, (_, i) => this.sim.random.fork(`apiserver-${i}`));
    this.replicas = randoms.map((random, i) => {
      const clock = this.sim.clockFor(`apiserver-${i}`);
      const servesStreamingLists = streamingLists[i] ?? true;
      return new Replica(new ApiServer({ storage, clock, random, servesStreamingLists, trackOnCreate }));
    });
    const random = randoms[0] as Random;
    this.#undisturbed = new ApiServer({ storage, clock: this.sim.clock, random, trackOnCreate });
    this.admin = this.as('admin');
    this.nemesis = new Nemesis(this.sim, {
      replicas: this.replicas,
      process: (name) =>
        this.#processes.get(name)?.process ?? this.#connected(name) ?? this.#machines.process(name),
      processesOn: (node) => [
        ...[...this.#processes.values()].filter((each) => each.node === node).map(({ process }) => process),
        ...this.#machines.runtimesOn(node),
      ],
      powerOff: (node) => this.#machines.powerOff(node),
      cutOff: (node) => this.#machines.cutOff(node),
      compact: () => this.storage.compact(this.storage.revision),
    });
    this.#machines = new Machines(this.sim, (name, onCrash) => {
      const interference = noticing(this.nemesis.interference(name), onCrash);
      return new Line(this.sim, { actor: name, latencyMs: this.#latency(name), interference });
    });
    if (compactionIntervalMs > 0) {
      const journal = options.forgetsHistory ? this.journal : undefined;
      compactEvery(this.sim, { storage, intervalMs: compactionIntervalMs, journal });
    }
    const expiry = new EventExpiry(this.storage, () => this.sim.elapsedMs);
    this.sim.every(EXPIRY_INTERVAL_MS, () => expiry.expire());
  }

  /** Like {@link admin}, in the name of this user. */
  as(user: string): Client {
    return this.#undisturbed.as(user);
  }

  get clock(): Clock {
    return this.sim.clock;
  }

  get trace(): Trace {
    return this.sim.trace;
  }

  /**
   * Starts a component as a process of this name. Each name is used once. What it calls besides the API goes over
   * the process's line:
   *
   *     cluster.run('kubelet', ({ line, ...context }) =>
   *       kubelet({ ...context, runtime: throughLine(runtime, line, { port: 'cri' }) }),
   *     );
   */
  run(name: string, program: Program, { node, replica = 0 }: RunOptions = {}): Process {
    this.#mustBeNew(name);
    const process = new Process(this.sim, {
      name,
      program,
      component: (part) => this.#component(part, name),
      server: () => this.#serverFor(replica, name),
      interference: this.nemesis.interference(name),
      latencyMs: this.#latency(name),
      role: roleOf(name),
      node,
      actions: processCalled(name)?.actions,
      syncMs: this.#options.syncMs ?? 0,
      servesCustomResources: this.#options.servesCustomResources,
      onError: (error) => this.#options.onError?.(name, error),
    });
    this.#processes.set(name, { process, node });
    process.start();
    return process;
  }

  /**
   * Runs components of this cluster, each as the process that the table of components has for it: `replicaSetController` is
   * `replicaset-controller`. Each start takes the component that there is by then.
   *
   * @throws Error when the cluster was created without one of them
   */
  runComponents(...parts: readonly ComponentName[]): Process[] {
    return parts.map((part) => {
      const { name } = processOf(part);
      this.#component(part, name);
      return this.run(name, (context) => this.#component(part, name)(context));
    });
  }

  /**
   * Gives the cluster a machine, for the components that run once a node: it outlives them. Its container runtime is a process
   * of its own to faults, `containerd-node-1`.
   *
   *     cluster.addMachine('node-1', { profile: 'cri-o', preloaded: ['nginx:1.27'] });
   */
  addMachine(node: string, options: ClusterMachineOptions = {}): Machine {
    return this.#machines.add(node, { ...options, programs: { ...podPrograms(this), ...options.programs } });
  }

  /** The machine of this name, if there is one. */
  machine(node: string): Machine | undefined {
    return this.#machines.get(node);
  }

  /** What its machines are plugged into, and what is outside. */
  get network(): ClusterNetwork {
    return this.#machines.network;
  }

  /**
   * Runs those components of this cluster that run once a node, on this node: `kubelet` is `kubelet-node-1`.
   *
   * @throws Error when the cluster was created without one of them, or has no such machine
   */
  runOnNode(node: string, ...parts: readonly NodeComponentName[]): Process[] {
    return parts.map((part) => {
      const { name: role } = processOf(part);
      const name = `${role}-${node}`;
      this.#component(part, name);
      const machine = this.#machines.get(node);
      if (!machine) throw new Error(`Failed to run ${name}: add the machine ${node} to the cluster first.`);
      const { host } = machine;
      const component = <K extends keyof Components>(of: K) => this.#component(of, name);
      const on = { node, host, kubeletConfiguration: this.#options.kubeletConfiguration, component };
      const run: Program = (context) => this.#component(part, name)(nodeContext(context, on));
      return this.run(name, run, { node });
    });
  }

  /** A part that other components work with. @throws Error when the cluster was created without it */
  component<K extends keyof Components>(part: K): Components[K] {
    return this.#component(part, 'a program');
  }

  /** Whether the cluster was created with this component. */
  has(part: keyof Components): boolean {
    return this.#options.components?.[part] !== undefined;
  }

  /**
   * Runs the script that stands in for a component.
   *
   * @param options which node, for one that runs once a node; what becomes of pods
   * @throws Error when the table of components has no stand-in for it
   */
  runStandIn(part: ComponentName | NodeComponentName, options: Partial<StandInOptions> = {}): Process {
    const { name, standIn } = processOf(part);
    if (!standIn) throw new Error(`Failed to run a script for ${name}: there is none.`);
    const { node } = options;
    const called = [standIn.name ?? name, ...(node === undefined ? [] : [node])].join('-');
    const program = standIn.program({ node: '', ...options });
    return this.run(called, program, node === undefined ? {} : { node });
  }

  /**
   * A client over a connection of its own, which the nemesis, the trace and the journal know under this name like any
   * process: `kubectl`. Each name is used once. One that crashes is never heard of again.
   */
  connect(name: string, { replica = 0 }: Pick<RunOptions, 'replica'> = {}): Connection {
    this.#mustBeNew(name);
    const interference = this.nemesis.interference(name);
    const line = new Line(this.sim, { actor: name, latencyMs: this.#latency(name), interference });
    const connection = new Connection(line, () => this.#serverFor(replica, name));
    this.#connections.set(name, connection);
    return connection;
  }

  /** One of its apiservers. */
  replica(index = 0): Replica {
    const replica = this.replicas[index];
    if (!replica) throw new RangeError(`There is no apiserver ${index}; there are ${this.replicas.length}.`);
    return replica;
  }

  /** Lets so much virtual time pass. */
  runFor(ms: number): Promise<void> {
    return this.sim.run({ forMs: ms });
  }

  /**
   * Runs until `condition` holds. Gives whether it does.
   *
   * @param withinMs how much virtual time it may take
   */
  async runUntil(condition: () => boolean, withinMs: number): Promise<boolean> {
    await this.sim.run({ until: condition, forMs: withinMs });
    return condition();
  }

  /** Runs until the promise settles, and gives its result. @throws NeverSettled */
  settle<T>(promise: Promise<T>): Promise<T> {
    return this.sim.settle(promise);
  }

  /** Ends every process and every connection. Nothing of this cluster happens after that. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { process } of this.#processes.values()) process.retire();
    for (const { line } of this.#connections.values()) line.sever();
    for (const { server } of this.replicas) server.cache.endWatches();
    this.nemesis.heal();
  }

  #mustBeNew(name: string): void {
    const isTaken = this.#processes.get(name)?.process.retired === false;
    if (!isTaken && !this.#connections.has(name)) return;
    throw new Error(`Failed to run ${name}: a process of that name exists already.`);
  }

  #connected(name: string): ProcessTarget | undefined {
    const connection = this.#connections.get(name);
    return (
      connection && {
        name,
        cutWatches: () => connection.cutWatches(),
        failWatches: (status) => connection.failWatches(status),
        holdWatches: (resource) => connection.holdWatches(resource),
        crash: () => connection.line.sever(),
        start: () => {},
        skewClock: () => {},
      }
    );
  }

  /** The replica of one's own, or the next one that is up: a load balancer, in short. It knows who asks. */
  #serverFor(index: number, user: string): Client {
    for (let i = 0; i < this.replicas.length; i++) {
      const replica = this.replica((index + i) % this.replicas.length);
      if (replica.up) return replica.server.as(user);
    }
    throw new ConnectionError('ECONNREFUSED', 'dial tcp 10.96.0.1:443: connect: connection refused');
  }

  #latency(actor: string): () => number {
    const { latencyMs = 1 } = this.#options;
    if (typeof latencyMs === 'number') return () => latencyMs;
    const random = this.sim.random.fork(`latency of ${actor}`);
    return () => latencyMs.min + random.int(latencyMs.max - latencyMs.min + 1);
  }

  #component<K extends keyof Components>(part: K, process: string): Components[K] {
    const component = this.#options.components?.[part];
    if (component) return component as Components[K];
    throw new Error(
      `Failed to give ${process} its ${part}: this cluster was created without components.${part}.`,
    );
  }
}
