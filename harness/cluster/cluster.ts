import { namespaces } from '../api/resource.ts';
import { SwitchedStorage } from '../apiserver/mirror/switched-storage.ts';
import type { ObjectWrites } from '../apiserver/storage/object-writes.ts';
import { Storage } from '../apiserver/storage/storage.ts';
import { Connection } from '../client/connection.ts';
import type { Impersonation, User } from '../contracts/access/index.ts';
import type { Client } from '../contracts/client.ts';
import type { Components } from '../contracts/component.ts';
import { Nemesis, type ProcessTarget } from '../faults/index.ts';
import type { Machine } from '../node/machine.ts';
import type { ClusterNetwork } from '../node/network/cluster-network.ts';
import { type Clock, Line, type Simulation, type Trace } from '../sim/index.ts';
import { ApiServers } from './apiservers.ts';
import { APISERVER, bootstrap } from './bootstrap.ts';
import { clientTarget } from './client-target.ts';
import { clusterKeys } from './cluster-keys.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { type ClusterUser, clusterUser } from './cluster-user.ts';
import { compactEvery } from './compaction.ts';
import type { ClusterStore } from './component-store.ts';
import {
  type ComponentName,
  type NodeComponentName,
  processCalled,
  processOf,
  roleOf,
  type StandInOptions,
} from './component-table.ts';
import { EventExpiry, EXPIRY_INTERVAL_MS } from './event-expiry.ts';
import { type Foundation, openFoundation, simulationOf } from './foundation.ts';
import { identityOf } from './identities.ts';
import { Journal } from './journal.ts';
import { type ClusterMachineOptions, Machines, noticing } from './nodes/machines.ts';
import { nodeContext } from './nodes/node-context.ts';
import { podPrograms } from './pod-programs.ts';
import { runPostStartHooks } from './post-start-hooks.ts';
import { Process, type Program } from './process.ts';
import type { Replica } from './replica.ts';
import { restore } from './saved-state.ts';
import { type Volumes, volumesOf } from './scheduler-profile.ts';
import { clusterWebhooks } from './webhooks/cluster-webhooks.ts';

export type { ClusterOptions } from './cluster-options.ts';

/** Node and apiserver replica of a process. */
interface RunOptions {
  /** The node of the process: faults of the node affect it. @defaultValue none */
  readonly node?: string;
  /** The apiserver of the process, while that is up. @defaultValue 0 */
  readonly replica?: number;
  /** Returns its bearer token. @defaultValue its user is known by its name: see {@link identityOf} */
  readonly token?: () => string | undefined;
}

/** Creates a cluster with the objects of every new cluster, or with saved objects. */
export async function createCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const cluster = new Cluster(options, options.store && (await openFoundation(options.store, options)));
  const client = cluster.as(APISERVER);
  const prepare = async (): Promise<void> => {
    if (options.saved && !cluster.isRestored) await restore(cluster.writes, options.saved);
    else if (!cluster.isRestored) await bootstrap(client, options);
    if (options.postStartHooks) await runPostStartHooks(client);
  };
  await cluster.prepared(prepare());
  return cluster;
}

/**
 * A cluster in one process: apiserver replicas over one storage, components as processes, a nemesis, and virtual time.
 * One seed gives one history.
 *
 *     await using cluster = await createCluster({ seed: 7 });
 *     const controller = cluster.run('replicaset-controller', component);
 *     cluster.nemesis.schedule([{ atMs: 50, fault: 'cut-watches', process: 'replicaset-controller' }]);
 *     await cluster.admin.create(deployments, nginx);
 *     await cluster.runFor(60_000);
 */
export class Cluster implements AsyncDisposable {
  readonly sim: Simulation;
  /** The stored objects. Write them through {@link writes}, or as a client. */
  readonly storage: Storage;
  readonly writes: ObjectWrites;
  /** Every write since the start, with its author. */
  readonly journal: Journal;
  readonly replicas: readonly Replica[];
  readonly nemesis: Nemesis;
  /** A client without faults and latency that is always current: to prepare a cluster, and to read the outcome. */
  readonly admin: Client;
  readonly #servers: ApiServers;
  readonly #options: ClusterOptions;
  readonly #processes = new Map<string, Process>();
  readonly #connections = new Map<string, Connection>();
  readonly #machines: Machines;
  readonly #ending: AbortController | undefined;
  readonly #switched: SwitchedStorage | undefined;
  readonly #volumes: () => Volumes | undefined;
  /** Whether the store had a cluster's objects when this cluster began. */
  readonly isRestored: boolean;

  constructor(options: ClusterOptions, foundation?: Foundation) {
    const { replicas = 1, streamingLists = [] } = options;
    const { compactionIntervalMs = 300_000, trackOnCreate = false } = options;
    this.#options = options;
    this.sim = foundation?.sim ?? simulationOf(options);
    const mirror = foundation?.mirror;
    this.#switched = options.canMove ? new SwitchedStorage() : undefined;
    const store = mirror ?? this.#switched;
    this.storage = store?.storage ?? new Storage(options.spaceLimits);
    const { storage } = this;
    this.writes = store ?? storage;
    this.#volumes = volumesOf(options, storage);
    this.#ending = foundation?.ending;
    this.isRestored = mirror !== undefined && storage.get(namespaces, { name: 'default' }) !== undefined;
    this.journal = new Journal(storage, () => this.sim.elapsedMs);
    const { access, admission, accessConfiguration, tokenKey, observe } = options;
    const webhooks = clusterWebhooks(this);
    const asking = { access, accessConfiguration, tokenKey, admission, observe, webhooks, trackOnCreate };
    this.#servers = new ApiServers(this.sim, { storage, store, replicas, streamingLists, ...asking });
    this.replicas = this.#servers.replicas;
    this.admin = this.as('admin');
    this.nemesis = new Nemesis(this.sim, {
      replicas: this.replicas,
      process: (name) => this.#processes.get(name) ?? this.#connected(name) ?? this.#machines.process(name),
      processesOn: (on) => [
        ...this.processes.filter(({ node }) => node === on),
        ...this.#machines.runtimesOn(on),
      ],
      powerOff: (node) => this.#machines.powerOff(node),
      cutOff: (node) => this.#machines.cutOff(node),
      compact: () => this.storage.compact(this.storage.revision),
    });
    this.#machines = new Machines(this.sim, options.registry, (name, onCrash) => {
      const interference = noticing(this.nemesis.interference(name), onCrash);
      return new Line(this.sim, { actor: name, latencyMs: this.#latency(name), interference });
    });
    if (compactionIntervalMs > 0) {
      const journal = options.forgetsHistory ? this.journal : undefined;
      compactEvery(this.sim, { storage, intervalMs: compactionIntervalMs, journal });
      if (store) this.sim.every(compactionIntervalMs, () => void store.compact());
    }
    // Another store deletes Events by itself, when their leases end.
    if (mirror) return;
    const expiry = new EventExpiry(storage, () => this.sim.elapsedMs, this.writes);
    this.sim.every(EXPIRY_INTERVAL_MS, () => expiry.expire());
  }

  /** Whether {@link useStore} has moved the objects to a store. */
  get isInStore(): boolean {
    return this.#switched?.isInStore ?? false;
  }

  /**
   * Moves the objects of a cluster that {@link ClusterOptions.canMove} to a fresh store; undefined: back to the memory of
   * the apiservers. Clients notice nothing. Virtual time must pass until it has ended.
   *
   * @throws any error of the store: then the objects stay where they are
   */
  async useStore(store: ClusterStore | undefined): Promise<void> {
    const switched = this.#switched;
    if (!switched) throw new Error('Failed to move the objects: create the cluster with canMove.');
    if (!store) return switched.toMemory();
    const clock = this.sim.clockFor('etcd');
    const onError = (error: unknown): void => this.#options.onError?.('etcd', error);
    await switched.toStore((signal) => store.open({ clock, signal }), { clock, onError });
  }

  /**
   * Returns the result of requests that prepare this cluster. A store in the simulation may need virtual time for them.
   *
   * @throws NeverSettled when the store never answers
   */
  prepared<T>(requests: Promise<T>): Promise<T> {
    const { store } = this.#options;
    return store && !store.isOutside ? this.settle(requests) : requests;
  }

  /** Returns a client like {@link admin} for this user, who may do everything. */
  as(user: string): Client {
    return this.#servers.as(user);
  }

  /** Returns the clients of the user behind an open connection, perhaps in the name of another user. */
  userOf(name: string, impersonates?: Impersonation): ClusterUser {
    const connection = this.#connections.get(name);
    if (!connection) throw new Error(`Failed to find the connection ${name}: connect it first.`);
    return clusterUser({ servers: this.#servers, connection, name, ...identityOf(name), impersonates });
  }

  get clock(): Clock {
    return this.sim.clock;
  }

  get trace(): Trace {
    return this.sim.trace;
  }

  /**
   * Starts a component as a process of this name. Each name can be used once. Calls to ports other than the API go over
   * the process's line:
   *
   *     cluster.run('kubelet', ({ line, ...context }) =>
   *       kubelet({ ...context, runtime: throughLine(runtime, line, { port: 'cri' }) }),
   *     );
   */
  run(name: string, program: Program, { node, replica = 0, token }: RunOptions = {}): Process {
    this.#mustBeNew(name);
    const { user, informerUser = user } = identityOf(name, node);
    const sessions = (of: User) => this.#servers.sessions(of, { actor: name, replica, token });
    const process = new Process(this.sim, {
      name,
      program,
      component: (part) => this.#component(part, name),
      server: sessions(user),
      informerServer: sessions(informerUser),
      interference: this.nemesis.interference(name),
      latencyMs: this.#latency(name),
      role: processCalled(name)?.eventSource ?? roleOf(name),
      node,
      actions: processCalled(name)?.actions,
      syncMs: this.#options.syncMs ?? 0,
      servesCustomResources: this.#options.servesCustomResources,
      keys: clusterKeys(this.#servers.tokens, this.#options.ca),
      volumes: this.#volumes,
      intercept: this.#options.intercept,
      onError: (error) => this.#options.onError?.(name, error),
    });
    this.#processes.set(name, process);
    process.start();
    return process;
  }

  /**
   * Runs components of this cluster, each as its process in the table of components: `replicaSetController` as
   * `replicaset-controller`. Each start uses the current component.
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
   * Adds a machine for the components that run on each node. The machine outlives them. Faults see its container
   * runtime as a separate process, `containerd-node-1`.
   *
   *     cluster.addMachine('node-1', { profile: 'cri-o', preloaded: ['nginx:1.27'] });
   */
  addMachine(node: string, options: ClusterMachineOptions = {}): Machine {
    return this.#machines.add(node, { ...options, programs: { ...podPrograms(this), ...options.programs } });
  }

  /** Returns the machine of this name, if it exists. */
  machine(node: string): Machine | undefined {
    return this.#machines.get(node);
  }

  /** All machines, oldest first. */
  get machines(): readonly Machine[] {
    return this.#machines.all;
  }

  /** The processes of components, in the order of their creation. */
  get processes(): readonly Process[] {
    return [...this.#processes.values()];
  }

  /** The network that connects the machines, and the hosts outside. */
  get network(): ClusterNetwork {
    return this.#machines.network;
  }

  /**
   * Runs components for nodes on this node: `kubelet` as `kubelet-node-1`.
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

  /** Returns a component that other components use. @throws Error when the cluster was created without it */
  component<K extends keyof Components>(part: K): Components[K] {
    return this.#component(part, 'a program');
  }

  /** Returns whether the cluster was created with this component. */
  has(part: keyof Components): boolean {
    return this.#options.components?.[part] !== undefined;
  }

  /**
   * Runs the script that stands in for a component.
   *
   * @param options the node, for a stand-in on a node; the behaviour of pods
   * @throws Error when the table of components has no stand-in for it
   */
  runStandIn(part: ComponentName | NodeComponentName, options: Partial<StandInOptions> = {}): Process {
    const { name, standIn } = processOf(part);
    if (!standIn) throw new Error(`Failed to run a script for ${name}: it has no stand-in.`);
    const { node } = options;
    const called = [standIn.name ?? name, ...(node === undefined ? [] : [node])].join('-');
    const program = standIn.program({ node: '', ...options });
    return this.run(called, program, node === undefined ? {} : { node });
  }

  /**
   * Opens a client with its own connection. The nemesis, the trace and the journal use its name as that of a process:
   * `kubectl`. Each name can be used once. A connection that crashes never reconnects.
   */
  connect(name: string, { replica = 0 }: Pick<RunOptions, 'replica'> = {}): Connection {
    this.#mustBeNew(name);
    const interference = this.nemesis.interference(name);
    const line = new Line(this.sim, { actor: name, latencyMs: this.#latency(name), interference });
    const { user } = identityOf(name);
    const connection = new Connection(line, this.#servers.sessions(user, { actor: name, replica }));
    this.#connections.set(name, connection);
    return connection;
  }

  /** Returns one of the apiservers. */
  replica(index = 0): Replica {
    return this.#servers.replica(index);
  }

  /** Lets this much virtual time pass. */
  runFor(ms: number): Promise<void> {
    return this.sim.run({ forMs: ms });
  }

  /**
   * Runs until `condition` holds. Returns whether it holds.
   *
   * @param withinMs the longest virtual time to wait
   */
  async runUntil(condition: () => boolean, withinMs: number): Promise<boolean> {
    await this.sim.run({ until: condition, forMs: withinMs });
    return condition();
  }

  /** Runs until the promise settles, and returns its result. @throws NeverSettled */
  settle<T>(promise: Promise<T>): Promise<T> {
    return this.sim.settle(promise);
  }

  /** Ends every process and every connection. This cluster does nothing after that. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const process of this.#processes.values()) process.retire();
    for (const { line } of this.#connections.values()) line.sever();
    for (const { server } of this.replicas) server.cache.endWatches();
    this.nemesis.heal();
    this.#ending?.abort();
    this.#switched?.end();
  }

  #mustBeNew(name: string): void {
    const isTaken = this.#processes.get(name)?.retired === false;
    if (!isTaken && !this.#connections.has(name)) return;
    throw new Error(`Failed to run ${name}: a process of that name exists already.`);
  }

  #connected(name: string): ProcessTarget | undefined {
    const connection = this.#connections.get(name);
    return connection && clientTarget(name, connection);
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
