import { describe, expect, test } from 'vitest';
import { components } from '#components';
import {
  type Client,
  events,
  framework,
  keyOf,
  type Node,
  NotImplemented,
  nodes,
  type Pod,
  pods,
} from '#harness';
import {
  type Cluster,
  type ClusterOptions,
  createCluster,
  type Process,
  Simulation,
  soFar,
  type VectorCase,
  vectors,
} from '#harness/testing';
import { scheduler } from '#kata/bind';

type Labels = Readonly<Record<string, string>>;

interface PodParts {
  readonly uid?: string;
  readonly labels?: Labels;
  readonly priority?: number;
  readonly nodeName?: string;
  readonly schedulerName?: string;
  readonly finalizers?: readonly string[];
  readonly phase?: string;
}

/** No two objects are of one version. */
let revision = 0;

/** A pod of one's own making: what is not said is plain. */
function aPod(name: string, parts: PodParts = {}): Pod {
  const { uid = `uid-of-${name}`, labels, priority, nodeName, finalizers, phase = 'Pending' } = parts;
  const { schedulerName = 'default-scheduler' } = parts;
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid,
      resourceVersion: String(++revision),
      ...(labels ? { labels } : {}),
      ...(finalizers ? { finalizers } : {}),
    },
    spec: {
      schedulerName,
      containers: [{ name: 'web', image: 'nginx' }],
      ...(priority === undefined ? {} : { priority }),
      ...(nodeName === undefined ? {} : { nodeName }),
    },
    status: { phase },
  };
  return pod as unknown as Pod;
}

/** @param parts.pods how many it has room for */
function aNode(name: string, parts: { readonly pods?: number; readonly labels?: Labels } = {}): Node {
  const { pods = 110, labels } = parts;
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: `uid-of-${name}`,
      resourceVersion: String(++revision),
      ...(labels ? { labels } : {}),
    },
    spec: {},
    status: { allocatable: { pods: String(pods) } },
  };
  return node as unknown as Node;
}

/** Turns a pod away where there are as many as the node has room for. */
const room: framework.FilterPlugin = {
  name: 'Room',
  filter: (_, __, { pods, allocatable }) =>
    pods.length < allocatable.allowedPodNumber ? framework.success : framework.unschedulable('Too many pods'),
  eventsToRegister: () => [
    { event: { resource: 'AssignedPod', actionType: 'Delete' } },
    { event: { resource: 'Node', actionType: 'Add' } },
    { event: { resource: 'Node', actionType: 'UpdateNodeAllocatable' } },
  ],
};

const diskOf = (object: unknown): string | undefined => (object as Pod | Node).metadata.labels?.disk;

/** Turns a pod away that asks for a disk by a label, where the node has another. */
const disk: framework.FilterPlugin = {
  name: 'Disk',
  filter: (_, pod, { node }) =>
    diskOf(pod) === undefined || diskOf(pod) === diskOf(node)
      ? framework.success
      : framework.unresolvable('Wrong disk'),
  eventsToRegister: () => [
    {
      event: { resource: 'Node', actionType: 'UpdateNodeLabel' },
      queueingHintFn: (pod, _, node) => (diskOf(node) === diskOf(pod) ? 'Queue' : 'QueueSkip'),
    },
    { event: { resource: 'Pod', actionType: 'UpdatePodLabel' } },
  ],
};

/** Never says anything. */
const broken: framework.FilterPlugin = {
  name: 'Broken',
  filter: () => {
    throw new Error('out of order');
  },
  eventsToRegister: () => [],
};

/**
 * What kata 31 builds, as little of it as will do here: every node is asked, and the first plugin that turns the pod away
 * is the one who did.
 *
 * @param looked is told of each pod that is looked at
 */
function filteringOf(
  plugins: readonly framework.FilterPlugin[],
  looked: (pod: string) => void = () => {},
): framework.Filtering {
  return {
    plugins,
    findNodesThatFit: ({ plugins, state, pod, snapshot }) => {
      looked(pod.metadata.name);
      const nodeToStatus = new Map<string, framework.Status>();
      const unschedulablePlugins = new Set<string>();
      const feasible = snapshot.nodeInfos.filter((info) => {
        for (const plugin of plugins) {
          const status = plugin.filter(state, pod, info);
          if (!framework.isRejected(status)) continue;
          nodeToStatus.set(info.name, status);
          unschedulablePlugins.add(plugin.name);
          return false;
        }
        return true;
      });
      const diagnosis = { nodeToStatus, unschedulablePlugins, preFilterMsg: '' };
      return { feasible, diagnosis, nextStartIndex: 0 };
    },
    fitErrorMessage: (numAllNodes, { nodeToStatus }) => {
      const reasons = [...nodeToStatus.values()].flatMap((status) => status.reasons);
      const counted = [...new Set(reasons)].map(
        (reason) => `${reasons.filter((each) => each === reason).length} ${reason}`,
      );
      return `0/${numAllNodes} nodes are available: ${counted.sort().join(', ')}.`;
    },
  };
}

/** What kata 32 builds, as little of it as will do here: the best node is the one whose name is first. */
const byName: framework.Scoring = {
  plugins: [],
  prioritizeNodes: ({ feasible }) => feasible.map(({ name }) => ({ name, scores: [], totalScore: 0 })),
  selectHost: (scores) => scores.map(({ name }) => name).sort()[0] ?? '',
};

type Diary = { readonly name: string; readonly atMs: number }[];
type Fault = Parameters<Cluster['nemesis']['strike']>[0];
/** `Omit` of each of several. */
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type StagedFault = DistributiveOmit<Extract<Fault, { readonly process: string }>, 'process'>;

const hasEnded = ({ phase }: Pod['status']): boolean => phase === 'Succeeded' || phase === 'Failed';

/** The process that the scheduler runs in. */
const PROCESS = 'default-scheduler';
const key = (name: string) => ({ namespace: 'default', name });

interface StageOptions extends ClusterOptions {
  /** @defaultValue {@link room} and {@link disk} */
  readonly filters?: readonly framework.FilterPlugin[];
  readonly reserve?: readonly framework.ReservePlugin[];
  readonly bind?: readonly framework.BindPlugin[];
}

/** A cluster in which a scheduler works, and in which the test does what all others do. */
class Stage implements AsyncDisposable {
  readonly cluster;
  readonly #options: StageOptions;
  readonly #diary: Diary;
  #process: Process | undefined;

  private constructor(
    cluster: Awaited<ReturnType<typeof createCluster>>,
    options: StageOptions,
    diary: Diary,
  ) {
    this.cluster = cluster;
    this.#options = options;
    this.#diary = diary;
  }

  /** One in which nobody works yet. */
  static async empty(options: StageOptions = {}): Promise<Stage> {
    const { filters = [room, disk] } = options;
    const diary: Diary = [];
    const filtering = filteringOf(filters, (name) => diary.push({ name, atMs: cluster.sim.elapsedMs }));
    const cluster = await createCluster({
      components: { ...components, filtering, scoring: byName, scheduler },
      ...options,
    });
    return new Stage(cluster, options, diary);
  }

  /** One in which the scheduler works. */
  static async begin(options: StageOptions = {}): Promise<Stage> {
    const stage = await Stage.empty(options);
    await stage.start();
    return stage;
  }

  /** @param replica the apiserver that it talks to */
  async start(replica = 0): Promise<void> {
    const { reserve = [], bind = [] } = this.#options;
    this.#process = this.cluster.run(
      PROCESS,
      (context) => scheduler({ ...context, profile: () => ({ ...context.profile(), reserve, bind }) }),
      { replica },
    );
    await this.pass();
  }

  get admin(): Client {
    return this.cluster.admin;
  }

  get process(): Process {
    return this.#process as Process;
  }

  /** Lets everybody do what is to be done, for so long. */
  async pass(ms = 500): Promise<void> {
    await this.cluster.runFor(ms);
    if (this.#process?.failure !== undefined) throw this.#process.failure;
  }

  /** @param parts.pods how many it has room for */
  async addNode(
    name: string,
    parts: { readonly pods?: number; readonly labels?: Labels } = {},
  ): Promise<void> {
    await this.admin.create(nodes, aNode(name, parts) as never);
    await this.pass();
  }

  /** Changes a node as `kubectl label` does, or `kubectl cordon`. */
  async patchNode(name: string, body: unknown, subresource?: 'status'): Promise<void> {
    await this.admin.patch(nodes, { name }, { type: 'merge', body }, subresource ? { subresource } : {});
    await this.pass();
  }

  /** Creates a pod, and does not wait for what comes of it. */
  async create(name: string, parts: PodParts = {}): Promise<Pod> {
    const { metadata, spec } = aPod(name, parts);
    const { labels = {} } = metadata;
    return this.admin.create(pods, { metadata: { ...key(name), labels }, spec } as never);
  }

  async addPod(name: string, parts: PodParts = {}): Promise<Pod> {
    const created = await this.create(name, parts);
    await this.pass();
    return created;
  }

  async deletePod(name: string): Promise<void> {
    await this.admin.delete(pods, key(name), { gracePeriodSeconds: 0 });
    await this.pass();
  }

  pod(name: string): Pod | undefined {
    return this.cluster.storage.get(pods, key(name)) as Pod | undefined;
  }

  nodeOf(name: string): string | undefined {
    return this.pod(name)?.spec.nodeName;
  }

  /** What the pod says about whether it is scheduled: `False Unschedulable: 0/1 nodes …`. */
  condition(name: string): string | undefined {
    const found = this.pod(name)?.status.conditions?.find(({ type }) => type === 'PodScheduled');
    return (
      found && [found.status, found.reason && `${found.reason}:`, found.message].filter(Boolean).join(' ')
    );
  }

  /** What the scheduler told people about a pod, each thing once. */
  told(name: string): string[] {
    const lines = this.cluster.journal
      .of(events)
      .filter(({ actor, object }) => actor === PROCESS && object.involvedObject.name === name)
      .map(({ object }) => `${object.type} ${object.reason}: ${object.message}`);
    return [...new Set(lines)];
  }

  /** When, in ms since the cluster began, the filters were asked about a pod. */
  tries(name: string): number[] {
    return this.#diary.flatMap((entry) => (entry.name === name ? [entry.atMs] : []));
  }

  /** What came of each time that the scheduler asked for a pod to be bound: `web ok`. */
  binds(): string[] {
    return this.cluster.trace.entries
      .filter(({ actor, verb }) => actor === PROCESS && verb === 'bind')
      .map(({ object = '', outcome }) => `${object.split('/')[2]} ${outcome}`);
  }

  /** The most pods that were ever on a node at once. */
  mostOn(node: string): number {
    let most = 0;
    for (const { objects } of this.cluster.journal.states(pods)) {
      const there = [...objects.values()].filter(
        ({ spec, status }) => spec.nodeName === node && !hasEnded(status),
      );
      most = Math.max(most, there.length);
    }
    return most;
  }

  /** The scheduler's own writes, events apart. */
  writes() {
    return this.cluster.journal.entries.filter(
      ({ actor, resource }) => actor === PROCESS && resource.plural === 'pods',
    );
  }

  strike(fault: StagedFault): void {
    this.cluster.nemesis.strike({ ...fault, process: PROCESS } as Fault);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster[Symbol.asyncDispose]();
  }
}

describe('Level 6 · The loop', () => {
  test('binds a pod to the node that fits it, and tells of it', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { labels: { disk: 'hdd' } });
    await stage.addNode('node-2', { labels: { disk: 'ssd' } });
    await stage.addPod('web', { labels: { disk: 'ssd' } });
    expect(stage.nodeOf('web')).toBe('node-2');
    expect(stage.condition('web')).toBe('True');
    expect(stage.told('web')).toEqual(['Normal Scheduled: Successfully assigned default/web to node-2']);
  });

  test('of several nodes takes the one that the scores prefer', async () => {
    await using stage = await Stage.begin();
    for (const name of ['node-3', 'node-1', 'node-2']) await stage.addNode(name);
    await stage.addPod('web');
    expect(stage.nodeOf('web')).toBe('node-1');
  });

  test('finds what was there before it began', async () => {
    await using stage = await Stage.empty();
    await stage.addNode('node-1', { pods: 2 });
    await stage.create('bound', { nodeName: 'node-1' });
    for (const name of ['a', 'b']) await stage.create(name);
    await stage.start();
    expect(stage.binds()).toHaveLength(1);
    expect(stage.mostOn('node-1')).toBe(2);
  });

  test('takes the most important first', async () => {
    await using stage = await Stage.empty();
    await stage.addNode('node-1', { pods: 1 });
    await stage.create('low');
    await stage.create('high', { priority: 10 });
    await stage.start();
    expect(stage.nodeOf('high')).toBe('node-1');
    expect(stage.nodeOf('low')).toBeUndefined();
  });

  test('says of a pod that fits nowhere why, once, and leaves it alone', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { pods: 0 });
    await stage.addPod('web');
    await stage.pass(60_000);
    const why = '0/1 nodes are available: 1 Too many pods.';
    expect(stage.condition('web')).toBe(`False Unschedulable: ${why}`);
    expect(stage.told('web')).toEqual([`Warning FailedScheduling: ${why}`]);
    expect(stage.tries('web')).toHaveLength(1);
    expect(stage.writes()).toHaveLength(1);
  });

  test('tries again by and by while there is no node at all', async () => {
    await using stage = await Stage.begin();
    await stage.addPod('web');
    const why = 'no nodes available to schedule pods';
    expect(stage.condition('web')).toBe(`False Unschedulable: ${why}`);
    expect(stage.told('web')).toEqual([`Warning FailedScheduling: ${why}`]);
    await stage.pass(20_000);
    await stage.addNode('node-1');
    await stage.pass(12_000);
    expect(stage.nodeOf('web')).toBe('node-1');
  });

  test('lets nobody wait for those who fit nowhere', async () => {
    await using stage = await Stage.empty();
    await stage.addNode('node-1', { labels: { disk: 'hdd' } });
    for (let i = 0; i < 20; i++) await stage.create(`big-${i}`, { priority: 10, labels: { disk: 'ssd' } });
    await stage.create('small');
    await stage.start();
    expect(stage.nodeOf('small')).toBe('node-1');
  });

  test('wakes a pod when there is room, and not before', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { pods: 1 });
    await stage.addPod('first');
    await stage.addPod('second');
    await stage.pass(3_000);
    await stage.patchNode('node-1', { metadata: { labels: { color: 'blue' } } });
    await stage.pass(3_000);
    expect(stage.tries('second')).toHaveLength(1);
    await stage.deletePod('first');
    expect(stage.nodeOf('second')).toBe('node-1');
    expect(stage.tries('second')).toHaveLength(2);
  });

  test('takes a pod that has ended for one that is gone (k#22398)', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { pods: 1 });
    await stage.addPod('job');
    await stage.addPod('next');
    await stage.pass(3_000);
    const job = stage.pod('job') as Pod;
    await stage.admin.updateStatus(pods, { ...job, status: { ...job.status, phase: 'Succeeded' } });
    await stage.pass();
    expect(stage.nodeOf('next')).toBe('node-1');
  });

  test('wakes only those whom the plugin that turned them away means', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { labels: { disk: 'hdd' } });
    await stage.addPod('a', { labels: { disk: 'ssd' } });
    await stage.addPod('b', { labels: { disk: 'nvme' } });
    await stage.pass(3_000);
    await stage.patchNode('node-1', { metadata: { labels: { disk: 'ssd' } } });
    await stage.pass(3_000);
    expect(stage.nodeOf('a')).toBe('node-1');
    expect(stage.tries('b')).toHaveLength(1);
  });

  test('tries a pod again that was changed so that it could fit', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { labels: { disk: 'hdd' } });
    await stage.addPod('web', { labels: { disk: 'ssd' } });
    await stage.pass(3_000);
    const body = { metadata: { labels: { disk: 'hdd' } } };
    await stage.admin.patch(pods, key('web'), { type: 'merge', body });
    await stage.pass();
    expect(stage.nodeOf('web')).toBe('node-1');
  });

  test('tries a pod that was woken too soon when its backoff has passed', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { pods: 0 });
    await stage.create('web');
    await stage.pass(100);
    await stage.patchNode('node-1', { status: { allocatable: { pods: '1' } } }, 'status');
    await stage.pass(3_000);
    const [first = 0, second = 0] = stage.tries('web');
    expect(stage.nodeOf('web')).toBe('node-1');
    expect(second - first).toBeGreaterThan(1_000);
  });

  test('tries what went wrong again after a second, then two, four, eight and ten', async () => {
    await using stage = await Stage.begin({ filters: [broken] });
    await stage.addNode('node-1');
    await stage.addPod('web');
    await stage.addPod('other');
    await stage.pass(50_000);
    const tries = stage.tries('web');
    for (const [i, waitMs] of [1_000, 2_000, 4_000, 8_000, 10_000, 10_000].entries()) {
      const waited = (tries[i + 1] ?? Number.POSITIVE_INFINITY) - (tries[i] ?? 0);
      expect(waited, `wait ${i + 1}`).toBeGreaterThanOrEqual(waitMs);
      // Who looks each second may look a second late.
      expect(waited, `wait ${i + 1}`).toBeLessThan(waitMs + 1_200);
    }
    expect(stage.condition('web')).toMatch(/^False SchedulerError: .*out of order/);
    expect(stage.told('web')).toContainEqual(
      expect.stringMatching(/^Warning FailedScheduling: .*out of order/),
    );
  });

  test('looks again after five minutes at whom nothing has woken', async () => {
    await using stage = await Stage.begin({ filters: [{ ...room, eventsToRegister: () => [] }] });
    await stage.addNode('node-1', { pods: 0 });
    await stage.addPod('web');
    await stage.patchNode('node-1', { status: { allocatable: { pods: '1' } } }, 'status');
    await stage.pass(340_000);
    const [first = 0, second = 0] = stage.tries('web');
    expect(stage.nodeOf('web')).toBe('node-1');
    expect(second - first).toBeGreaterThanOrEqual(300_000);
  });

  test('leaves alone the pods of another scheduler, and those that are being deleted', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1');
    await stage.addPod('theirs', { schedulerName: 'another' });
    await stage.create('going', { finalizers: ['example.com/wait'] });
    await stage.admin.delete(pods, key('going'));
    await stage.pass(30_000);
    expect(stage.nodeOf('theirs')).toBeUndefined();
    expect(stage.tries('theirs')).toEqual([]);
    expect(stage.writes()).toEqual([]);
  });

  test('knows of what it has decided before the server does', async () => {
    await using stage = await Stage.empty({ latencyMs: 200 });
    await stage.addNode('node-1', { pods: 2 });
    for (const name of ['a', 'b', 'c', 'd']) await stage.create(name);
    await stage.start();
    await stage.pass(10_000);
    expect(stage.mostOn('node-1')).toBe(2);
    expect(stage.binds()).toEqual(['a ok', 'b ok']);
  });

  test('does not wait for one pod to be bound before it tries the next', async () => {
    await using stage = await Stage.empty({ latencyMs: 1_000 });
    await stage.addNode('node-1');
    for (const name of ['a', 'b', 'c']) await stage.create(name);
    await stage.start();
    await stage.pass(60_000);
    const bound = stage.writes().filter(({ verb }) => verb === 'bind');
    expect(bound).toHaveLength(3);
    expect((bound[2]?.atMs ?? 0) - (bound[0]?.atMs ?? 0)).toBeLessThan(1_000);
  });

  test('gives the room back when the server refuses, and tries again', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { pods: 1 });
    stage.strike({ fault: 'refuse', reason: 'InternalError', requests: 1 });
    await stage.addPod('first');
    expect(stage.nodeOf('first')).toBeUndefined();
    expect(stage.told('first')).toContainEqual(expect.stringMatching(/^Warning FailedScheduling: ./));
    await stage.addPod('second');
    expect(stage.nodeOf('second')).toBe('node-1');
    await stage.deletePod('second');
    await stage.pass(5_000);
    expect(stage.nodeOf('first')).toBe('node-1');
  });

  test('gives the room back when another was faster, and lets the pod be', async () => {
    await using stage = await Stage.begin({ latencyMs: 100 });
    for (const name of ['node-1', 'node-2']) await stage.addNode(name, { pods: 1 });
    await stage.create('web');
    await stage.pass(150);
    // The scheduler has chosen, and its request is on the way.
    await stage.admin.bind(key('web'), 'node-2');
    await stage.pass(5_000);
    expect(stage.nodeOf('web')).toBe('node-2');
    await stage.addPod('other');
    await stage.pass(20_000);
    expect(stage.nodeOf('other')).toBe('node-1');
    expect(stage.tries('web')).toHaveLength(1);
  });

  test('gives the room back when the pod is gone before it is bound', async () => {
    await using stage = await Stage.begin({ latencyMs: 100 });
    await stage.addNode('node-1', { pods: 1 });
    await stage.create('web');
    await stage.pass(150);
    await stage.admin.delete(pods, key('web'));
    await stage.pass(5_000);
    await stage.addPod('other');
    await stage.pass(5_000);
    expect(stage.nodeOf('other')).toBe('node-1');
    expect(stage.tries('web')).toHaveLength(1);
  });

  test('tries again what nobody has answered', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { pods: 1 });
    stage.strike({ fault: 'time-out', performed: false });
    await stage.addPod('web');
    await stage.pass(80_000);
    expect(stage.nodeOf('web')).toBe('node-1');
  });

  test('gives no room away that is taken, though the answer was lost and the watch is late', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { pods: 0 });
    await stage.addPod('high', { priority: 10 });
    await stage.addPod('low');
    await stage.pass(15_000);
    stage.strike({ fault: 'delay-watches', resource: 'pods', forMs: 300_000 });
    stage.strike({ fault: 'time-out', performed: true });
    await stage.patchNode('node-1', { status: { allocatable: { pods: '1' } } }, 'status');
    expect(stage.nodeOf('high')).toBe('node-1');
    await stage.pass(200_000);
    expect(stage.mostOn('node-1')).toBe(1);
    await stage.pass(400_000);
    expect(stage.nodeOf('low')).toBeUndefined();
    expect(stage.mostOn('node-1')).toBe(1);
  });

  test('gives no room away that is taken, though it has just been started and sees an old list', async () => {
    await using stage = await Stage.empty({ replicas: 2 });
    await stage.addNode('node-1', { pods: 1 });
    await stage.create('low');
    await stage.create('high', { priority: 10 });
    await stage.pass();
    stage.cluster.nemesis.strike({ fault: 'lag', replica: 1, forMs: 60_000 });
    await stage.admin.bind(key('low'), 'node-1');
    await stage.start(1);
    await stage.pass(30_000);
    expect(stage.mostOn('node-1')).toBe(1);
    await stage.pass(120_000);
    expect(stage.mostOn('node-1')).toBe(1);
    expect(stage.nodeOf('high')).toBeUndefined();
    await stage.deletePod('low');
    await stage.pass(15_000);
    expect(stage.nodeOf('high')).toBe('node-1');
  });

  test.each([
    ['before', false],
    ['after', true],
  ])('goes on where it was, though it died just %s a pod was bound', async (_, performed) => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { pods: 2 });
    stage.strike({ fault: 'crash', skip: 0, performed, restartAfterMs: 5_000 });
    for (const name of ['a', 'b', 'c']) await stage.create(name);
    await stage.pass(30_000);
    expect(stage.process.starts).toBe(2);
    expect(stage.mostOn('node-1')).toBe(2);
    expect(['a', 'b', 'c'].filter((name) => stage.nodeOf(name))).toHaveLength(2);
  });

  test('puts nothing on a node that is gone', async () => {
    await using stage = await Stage.begin();
    for (const name of ['node-1', 'node-2']) await stage.addNode(name);
    await stage.admin.delete(nodes, { name: 'node-1' });
    await stage.pass();
    await stage.addPod('web');
    expect(stage.nodeOf('web')).toBe('node-2');
  });

  test('ends when it is told to, and does nothing after', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1');
    stage.process.stop();
    await stage.pass();
    expect(stage.process.running).toBe(false);
    await stage.addPod('web');
    expect(stage.nodeOf('web')).toBeUndefined();
  });
});
