import { allowManyListeners } from '#platform/listeners';
import { groupResource } from '../api/resource.ts';
import type { Status } from '../api/status.ts';
import { Connection } from '../client/connection.ts';
import { type EventRecorderOptions, newEventRecorder } from '../client/event-recorder.ts';
import { newEventSeriesRecorder } from '../client/event-series-recorder.ts';
import { sharedInformerFactory } from '../client/shared-informer-factory.ts';
import { noteCaught } from '../contracts/caught.ts';
import type { Client } from '../contracts/client.ts';
import type { ClusterKeys } from '../contracts/cluster-keys.ts';
import type { ComponentContext, Components } from '../contracts/component.ts';
import type { EventRecorder } from '../contracts/event-recorder.ts';
import type { WorkQueueOptions } from '../contracts/work-queue.ts';
import type { ProcessTarget } from '../faults/index.ts';
import { type Interference, Line, type LocalClock, type Simulation } from '../sim/index.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { countedQueue } from './counted-queue.ts';
import { discoverResources } from './discover-resources.ts';
import type { Observation, ObservedError, ObservedInformer, ObservedQueue } from './observation.ts';
import { QueueContents } from './queue-contents.ts';
import { schedulerProfile, type Volumes } from './scheduler-profile.ts';
import { tracedProfile } from './traced-profile.ts';

/** The context of a process: that of its component, and the connection to everything but the API. */
export interface ProcessContext extends ComponentContext {
  /** Calls over this line are lost when the process crashes, and faults can disturb them: see {@link throughLine}. */
  readonly line: Line;
}

/** The program of a process: a component, or a component whose container runtime is behind the process's line. */
export type Program = (context: ProcessContext) => Promise<void>;

interface ProcessOptions {
  readonly name: string;
  /** The source of its events: `kubelet` for the process `kubelet-node-1`. */
  readonly role: string;
  /** The node of the process, if it runs on a node. */
  readonly node: string | undefined;
  readonly program: Program;
  /** Returns a component that this component uses. @throws Error when the cluster was created without it */
  readonly component: <K extends keyof Components>(name: K) => Components[K];
  /** Returns the apiserver that currently answers. @throws ConnectionError when none does */
  readonly server: () => Client;
  /** As `server`, for the requests of informers, which can have another user. */
  readonly informerServer: () => Client;
  readonly interference: Interference;
  /** Returns the latency of a message, one way, in ms. */
  readonly latencyMs: () => number;
  /** The action of each event reason. If present, the process emits events of events.k8s.io. */
  readonly actions?: Readonly<Record<string, string>> | undefined;
  /** Time that a worker needs for an item, in virtual ms. */
  readonly syncMs: number;
  /** Whether custom resources can exist, so that the process must discover them. @defaultValue false */
  readonly servesCustomResources?: boolean | undefined;
  readonly keys: ClusterKeys;
  /** Returns the volume plugin for a scheduler. @defaultValue the cluster binds no volumes */
  readonly volumes?: (() => Volumes | undefined) | undefined;
  /** As in the options of the cluster. */
  readonly intercept?: ClusterOptions['intercept'];
  /** Called with each error that the component survives. */
  readonly onError: (error: unknown) => void;
}

/** Host name of processes that run on no node. */
const HOSTNAME = 'control-plane';

/** One incarnation of a process: the resources that it loses in a crash. */
interface Incarnation {
  readonly connection: Connection;
  readonly clock: LocalClock;
  readonly controller: AbortController;
  /** By resource and version. */
  readonly informers: Map<string, ObservedInformer>;
  readonly queues: ObservedQueue[];
  lastError: ObservedError | undefined;
}

/**
 * A component that runs, crashes and restarts. Each start gives it a new connection, a new clock and empty memory.
 * Calls of an earlier incarnation have no effect.
 */
export class Process implements ProcessTarget {
  readonly name: string;
  /** The node of the process, if it runs on a node. */
  readonly node: string | undefined;
  readonly #sim: Simulation;
  readonly #options: ProcessOptions;
  #incarnation: Incarnation | undefined;
  #starts = 0;
  #retired = false;
  #skewMs = 0;
  #failure: unknown;

  constructor(sim: Simulation, options: ProcessOptions) {
    this.name = options.name;
    this.node = options.node;
    this.#sim = sim;
    this.#options = options;
  }

  /** Whether the process has ended permanently: a new process may use its name. */
  get retired(): boolean {
    return this.#retired;
  }

  get running(): boolean {
    return this.#incarnation !== undefined;
  }

  /** Number of starts. */
  get starts(): number {
    return this.#starts;
  }

  /** The error that the component rejected with, if it gave up: a real process would have exited. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Returns the memory of the process; undefined while it does not run. */
  observe(): Observation | undefined {
    if (!this.#incarnation) return undefined;
    const { connection, informers, queues, lastError } = this.#incarnation;
    const { watches } = connection;
    return { client: connection, informers: [...informers.values()], queues, watches, lastError };
  }

  start(): void {
    if (this.#incarnation || this.#retired) return;
    const { name, program, component, server, interference, latencyMs, onError: told } = this.#options;
    const { servesCustomResources = false, syncMs, informerServer, volumes, intercept } = this.#options;
    this.#starts++;
    const line = new Line(this.#sim, { actor: name, latencyMs, interference });
    const clock = this.#sim.clockFor(name);
    clock.skewMs = this.#skewMs;
    const incarnation: Incarnation = {
      connection: new Connection(line, server),
      clock,
      controller: new AbortController(),
      informers: new Map(),
      queues: [],
      lastError: undefined,
    };
    this.#incarnation = incarnation;
    this.#record('start');

    const { connection, controller } = incarnation;
    const { signal } = controller;
    const client = intercept?.(connection, { name, sim: this.#sim }) ?? connection;
    // Every wait in a component listens to this signal, and Node warns of a leak above ten listeners.
    allowManyListeners(signal);
    const random = this.#sim.random.fork(`${name}#${this.#starts}`);
    const survived = (error: unknown): void => {
      incarnation.lastError = { atMs: this.#sim.elapsedMs, error };
      noteCaught(error);
      told(error);
    };
    const onError = (error: unknown): void => {
      survived(error);
      line.record({ verb: 'error', note: String(error) });
    };
    const context: ProcessContext = {
      name,
      client,
      informers: sharedInformerFactory({
        newInformer: (options) => {
          const informer = component('informer')(options);
          const { resource } = options;
          const observed = { resource, informer } as unknown as ObservedInformer;
          incarnation.informers.set(`${resource.version} ${groupResource(resource)}`, observed);
          return informer;
        },
        client: connection.to(informerServer),
        clock,
        random,
        signal,
        onError,
      }),
      recorder: this.#recorder({ client: connection, clock, random: random.fork('events'), signal }),
      clock,
      random,
      signal,
      newWorkQueue: <T>(options?: Omit<WorkQueueOptions<T>, 'clock'>) => {
        const queue = component('workQueue')<T>({ ...options, clock });
        const contents = new QueueContents<T>(() => this.#sim.elapsedMs);
        incarnation.queues.push({ len: () => queue.len(), state: () => contents.state(queue) });
        return countedQueue(queue, this.#sim, name, contents);
      },
      runWorkers: (options) =>
        component('workers')({
          ...options,
          sync: syncMs > 0 ? (item) => clock.sleep(syncMs).then(() => options.sync(item)) : options.sync,
          onError: (error, item) => {
            survived(error);
            return options.onError?.(error, item);
          },
          signal,
        }),
      profile: () => {
        const parts = {
          filtering: component('filtering'),
          scoring: component('scoring'),
          volumes: volumes?.(),
        };
        return tracedProfile(schedulerProfile(context, parts), (object, note) =>
          line.record({ verb: 'explain', object, note }),
        );
      },
      ...(servesCustomResources && { discoverResources: () => discoverResources(connection, signal) }),
      keys: this.#options.keys,
      log: (note) => line.record({ verb: 'log', note }),
      line,
    };
    // Also catches an error that is thrown before the promise exists.
    const life = (async () => program(context))();
    life.then(
      () => this.#exited(incarnation),
      (error) => this.#exited(incarnation, error ?? new Error(`${name} rejected with nothing`)),
    );
  }

  /** Asks the process to stop, as SIGTERM does; it may take any time. */
  stop(): void {
    this.#incarnation?.controller.abort();
  }

  crash(): void {
    if (!this.#incarnation) return;
    const { connection, clock } = this.#incarnation;
    this.#incarnation = undefined;
    connection.line.sever();
    clock.sever();
    this.#record('crash');
  }

  /** Ends the process permanently: it never starts again. */
  retire(): void {
    this.crash();
    this.#retired = true;
  }

  skewClock(byMs: number): void {
    this.#skewMs = byMs;
    if (this.#incarnation) this.#incarnation.clock.skewMs = byMs;
  }

  cutWatches(): void {
    this.#incarnation?.connection.cutWatches();
  }

  failWatches(status: Status): void {
    this.#incarnation?.connection.failWatches(status);
  }

  holdWatches(resource?: string): () => void {
    return this.#incarnation?.connection.holdWatches(resource) ?? (() => {});
  }

  #exited(incarnation: Incarnation, failure?: unknown): void {
    if (this.#incarnation !== incarnation) return;
    const { signal } = incarnation.controller;
    if (!signal.aborted) {
      this.#failure = failure;
      noteCaught(failure);
    }
    this.#incarnation = undefined;
    incarnation.connection.line.sever();
    incarnation.clock.sever();
    this.#record('exit', failure === undefined || signal.aborted ? undefined : String(failure));
  }

  #recorder(options: Omit<EventRecorderOptions, 'component'>): EventRecorder {
    const { name, role, node, actions } = this.#options;
    if (!actions) return newEventRecorder({ ...options, component: role, host: node });
    const reportingInstance = `${name}-${HOSTNAME}`;
    return newEventSeriesRecorder({ ...options, actions, reportingController: name, reportingInstance });
  }

  #record(verb: string, note?: string): void {
    this.#sim.trace.record({ actor: this.name, verb, ...(note === undefined ? {} : { note }) });
  }
}
