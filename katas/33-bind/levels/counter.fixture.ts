import type { scheduling } from '#given/33-bind';
import { framework, type Pod, pods } from '#harness';
import { type Cluster, createCluster, soFar } from '#harness/testing';
import { type bindingCycle, SchedulerCache, SchedulingQueue } from '#kata/33-bind/bind';
import { POD_GONE } from './events.fixture.ts';
import { aNode, aPod, key, sayCondition } from './objects.fixture.ts';
import { type Fault, PROCESS, type StagedFault } from './process.fixture.ts';
import { byName, filteringOf, room } from './profile.fixture.ts';
import { placesOf } from './queue.fixture.ts';

type Pieces = Parameters<typeof bindingCycle>[0];

interface CounterOptions {
  readonly reserve?: readonly framework.ReservePlugin[];
  readonly bind?: readonly framework.BindPlugin[];
}

/** A server, a queue and a cache with two nodes. The test plays the informers and the loop. */
export class Counter implements AsyncDisposable {
  readonly cluster: Cluster;
  readonly queue: SchedulingQueue;
  readonly cache = new SchedulerCache();
  readonly scheduler: Pieces;
  /** The pods in the informer's cache. */
  readonly informer = new Map<string, Pod>();
  /** The emitted events. */
  readonly told: string[] = [];
  readonly logged: string[] = [];
  readonly stop = new AbortController();
  /** The pods of the AssignedPod Delete events that the queue got. */
  readonly gone: unknown[] = [];

  private constructor(cluster: Cluster, { reserve = [], bind = [] }: CounterOptions) {
    this.cluster = cluster;
    const queueingHintFn: framework.QueueingHintFn = (_, pod) => {
      this.gone.push(pod);
      return 'Queue';
    };
    const plugins = [{ name: 'Room', eventsToRegister: () => [{ event: POD_GONE, queueingHintFn }] }];
    this.queue = new SchedulingQueue({ clock: cluster.clock, plugins });
    for (const name of ['node-1', 'node-2']) this.cache.addNode(aNode(name));
    this.scheduler = {
      profile: {
        schedulerName: 'default-scheduler',
        filtering: filteringOf([room]),
        scoring: byName,
        reserve,
        bind,
      },
      client: cluster.connect(PROCESS),
      clock: cluster.clock,
      recorder: {
        event: (about, type, reason, message) => {
          const { name } = 'metadata' in about ? about.metadata : about;
          this.told.push(`${name}: ${type} ${reason}: ${message}`);
        },
      },
      signal: this.stop.signal,
      random: { int: () => 0 },
      queue: this.queue,
      cache: this.cache,
      nextStartIndex: 0,
      namespaces: () => new Map(),
      getPod: ({ name }) => this.informer.get(name),
      log: (message) => this.logged.push(message),
    };
  }

  static async open(options: CounterOptions = {}): Promise<Counter> {
    return new Counter(await createCluster(), options);
  }

  /** Creates a pod on the server and in the informer's cache. */
  async create(name: string): Promise<Pod> {
    const { metadata, spec } = aPod(name);
    const created = await this.cluster.admin.create(pods, {
      metadata: { name: metadata.name, namespace: 'default' },
      spec,
    } as never);
    this.informer.set(name, created);
    return created;
  }

  /** Creates a pod, adds it to the queue and pops it. */
  async pop(name: string): Promise<scheduling.QueuedPodInfo> {
    this.queue.add(await this.create(name));
    return (await soFar(this.queue.pop())) as scheduling.QueuedPodInfo;
  }

  /** Creates and pops a pod, and assumes it on node-1. */
  async assign(name: string): Promise<scheduling.Assignment> {
    const info = await this.pop(name);
    const assumed = this.cache.assumePod(info.pod, 'node-1');
    return { info, assumed, state: new framework.CycleState() };
  }

  /** Adds the pod sleeper, which waits for room and whose backoff is over. */
  async sleeper(): Promise<void> {
    const info = await this.pop('sleeper');
    this.queue.addUnschedulableIfNotPresent({ ...info, unschedulablePlugins: new Set(['Room']) });
    await this.cluster.runFor(2_000);
  }

  /** Runs the cluster until the promise settles. */
  settle<T>(promise: Promise<T>): Promise<T> {
    return this.cluster.settle(promise);
  }

  strike(fault: StagedFault): void {
    this.cluster.nemesis.strike({ ...fault, process: PROCESS } as Fault);
  }

  /** The pod in storage. */
  pod(name: string): Pod | undefined {
    return this.cluster.storage.get(pods, key(name)) as Pod | undefined;
  }

  condition(name: string): string | undefined {
    return sayCondition(this.pod(name));
  }

  places(): Record<string, string[]> {
    return placesOf(this.queue);
  }

  /** The number of requests with this verb. */
  asked(verb: string): number {
    return this.askedMs(verb).length;
  }

  /** The times of the requests with this verb, in ms since the start of the cluster. */
  askedMs(verb: string): number[] {
    return this.cluster.trace.entries
      .filter((entry) => entry.actor === PROCESS && entry.verb === verb)
      .map(({ atMs }) => atMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster[Symbol.asyncDispose]();
  }
}
