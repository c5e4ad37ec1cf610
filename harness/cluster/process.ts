import { setMaxListeners } from 'node:events';
import type { Status } from '../api/status.ts';
import { Connection } from '../client/connection.ts';
import { type EventRecorderOptions, newEventRecorder } from '../client/event-recorder.ts';
import { newEventSeriesRecorder } from '../client/event-series-recorder.ts';
import { sharedInformerFactory } from '../client/shared-informer-factory.ts';
import { noteCaught } from '../contracts/caught.ts';
import type { Client } from '../contracts/client.ts';
import type { ComponentContext, Components } from '../contracts/component.ts';
import type { EventRecorder } from '../contracts/event-recorder.ts';
import type { ProcessTarget } from '../faults/index.ts';
import { type Interference, Line, type LocalClock, type Simulation } from '../sim/index.ts';
import { countedQueue } from './counted-queue.ts';
import { discoverResources } from './discover-resources.ts';
import { tracedProfile } from './traced-profile.ts';

/** Upstream: kubernetes/api@v0.36.3 core/v1/types.go DefaultSchedulerName */
const DEFAULT_SCHEDULER_NAME = 'default-scheduler';

/** What a process is given: all that its component is given, and its connection to everything but the API. */
export interface ProcessContext extends ComponentContext {
  /** What it calls over this line dies with it, and faults strike it: see {@link throughLine}. */
  readonly line: Line;
}

/** What a process runs: a component as it is, or one with its container runtime put behind the process's line. */
export type Program = (context: ProcessContext) => Promise<void>;

interface ProcessOptions {
  readonly name: string;
  /** What its events say that they are from: `kubelet` for the process `kubelet-node-1`. */
  readonly role: string;
  /** The node that it runs on, if it runs on one. */
  readonly node: string | undefined;
  readonly program: Program;
  /** The parts that a component stands on. @throws Error when the cluster was made without it */
  readonly component: <K extends keyof Components>(name: K) => Components[K];
  /** The apiserver that answers a call just now. @throws ConnectionError when none does */
  readonly server: () => Client;
  readonly interference: Interference;
  /** How long a message travels, one way, in ms. */
  readonly latencyMs: () => number;
  /** What it is doing when it tells of something, by reason: then its events are those of events.k8s.io. */
  readonly actions?: Readonly<Record<string, string>> | undefined;
  /** How long a worker needs for an item, in virtual ms. */
  readonly syncMs: number;
  /** Are there custom resources, so that it has to ask what there is? @defaultValue false */
  readonly servesCustomResources?: boolean | undefined;
  /** Told of what the component failed with, and goes on after. */
  readonly onError: (error: unknown) => void;
}

/** Where those run that are on no node. */
const HOSTNAME = 'control-plane';

/** One life of a process: what it holds on to, and loses. */
interface Incarnation {
  readonly connection: Connection;
  readonly clock: LocalClock;
  readonly controller: AbortController;
}

/**
 * A component that runs, dies and runs again. Each start gives it a new connection, a new clock and empty memory;
 * what the old one still does goes nowhere.
 */
export class Process implements ProcessTarget {
  readonly name: string;
  readonly #sim: Simulation;
  readonly #options: ProcessOptions;
  #incarnation: Incarnation | undefined;
  #starts = 0;
  #retired = false;
  #skewMs = 0;
  #failure: unknown;

  constructor(sim: Simulation, options: ProcessOptions) {
    this.name = options.name;
    this.#sim = sim;
    this.#options = options;
  }

  /** It ended for good: another one may have its name. */
  get retired(): boolean {
    return this.#retired;
  }

  get running(): boolean {
    return this.#incarnation !== undefined;
  }

  /** How often it was started. */
  get starts(): number {
    return this.#starts;
  }

  /** What the component rejected with, if it gave up by itself: a real process would have exited. */
  get failure(): unknown {
    return this.#failure;
  }

  start(): void {
    if (this.#incarnation || this.#retired) return;
    const { name, program, component, server, interference, latencyMs, onError: told } = this.#options;
    const { servesCustomResources = false, syncMs } = this.#options;
    this.#starts++;
    const line = new Line(this.#sim, { actor: name, latencyMs, interference });
    const clock = this.#sim.clockFor(name);
    clock.skewMs = this.#skewMs;
    const incarnation: Incarnation = {
      connection: new Connection(line, server),
      clock,
      controller: new AbortController(),
    };
    this.#incarnation = incarnation;
    this.#record('start');

    const { connection: client, controller } = incarnation;
    const { signal } = controller;
    // Whatever waits in a component listens for its end: to Node, more than ten look like a leak.
    setMaxListeners(0, signal);
    const random = this.#sim.random.fork(`${name}#${this.#starts}`);
    const onError = (error: unknown): void => {
      noteCaught(error);
      told(error);
      line.record({ verb: 'error', note: String(error) });
    };
    const context: ProcessContext = {
      name,
      client,
      informers: sharedInformerFactory({
        newInformer: (options) => component('informer')(options),
        client,
        clock,
        random,
        signal,
        onError,
      }),
      recorder: this.#recorder({ client, clock, random: random.fork('events'), signal }),
      clock,
      random,
      signal,
      newWorkQueue: (options) => countedQueue(component('workQueue')({ ...options, clock }), this.#sim, name),
      runWorkers: (options) =>
        component('workers')({
          ...options,
          sync: syncMs > 0 ? (item) => clock.sleep(syncMs).then(() => options.sync(item)) : options.sync,
          onError: (error, item) => {
            noteCaught(error);
            told(error);
            return options.onError?.(error, item);
          },
          signal,
        }),
      profile: () =>
        tracedProfile(
          {
            schedulerName: DEFAULT_SCHEDULER_NAME,
            filtering: component('filtering'),
            scoring: component('scoring'),
            reserve: [],
            bind: [],
          },
          (object, note) => line.record({ verb: 'explain', object, note }),
        ),
      ...(servesCustomResources && { discoverResources: () => discoverResources(client, signal) }),
      log: (note) => line.record({ verb: 'log', note }),
      line,
    };
    // Also one that throws before it has a promise to give.
    const life = (async () => program(context))();
    life.then(
      () => this.#exited(incarnation),
      (error) => this.#exited(incarnation, error ?? new Error(`${name} rejected with nothing`)),
    );
  }

  /** Asks it to end, as SIGTERM does; it has all the time that it needs. */
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

  /** Ends it for good: no fault and no one else starts it again. */
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
