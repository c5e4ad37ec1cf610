import { describe, expect, test } from 'vitest';
import { components } from '#components';
import {
  type Client,
  ConnectionError,
  errors,
  events,
  framework,
  type List,
  type Node,
  NotImplemented,
  namespaces,
  nodes,
  type Pod,
  pods,
} from '#harness';
import {
  type Cluster,
  type ClusterOptions,
  createCluster,
  type Process,
  soFar,
  type VectorCase,
  vectors,
} from '#harness/testing';
import {
  type Assignment,
  backoffDurationMs,
  bindingCycle,
  defaultBinder,
  FitError,
  handleSchedulingFailure,
  isPodWorthRequeuing,
  less,
  mayBeBound,
  NoNodesAvailableError,
  nodeChanged,
  nodeSchedulingPropertiesChange,
  POD_MAX_IN_UNSCHEDULABLE_PODS_MS,
  type PodCondition,
  podChanged,
  podScheduledCondition,
  podSchedulingPropertiesChange,
  type QueuedPodInfo,
  type QueueingPlugin,
  runBindPlugins,
  runReservePluginsReserve,
  runReservePluginsUnreserve,
  type SchedulePod,
  SchedulerCache,
  SchedulingQueue,
  schedulePod,
  scheduler,
  skipPodSchedule,
} from '#kata/33-bind/bind';

type Labels = Readonly<Record<string, string>>;

interface PodParts {
  readonly uid?: string;
  readonly labels?: Labels;
  readonly priority?: number;
  readonly nodeName?: string;
  readonly schedulerName?: string;
  readonly finalizers?: readonly string[];
  readonly phase?: string;
  readonly gates?: readonly string[];
}

/** No two objects are of one version. */
let revision = 0;

/** A pod of one's own making: what is not said is plain. */
function aPod(name: string, parts: PodParts = {}): Pod {
  const { uid = `uid-of-${name}`, labels, priority, nodeName, finalizers, phase = 'Pending' } = parts;
  const { schedulerName = 'default-scheduler', gates } = parts;
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
      ...(gates ? { schedulingGates: gates.map((name) => ({ name })) } : {}),
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
 * @param looked is told of each time that it is asked
 */
function filteringOf(
  plugins: readonly framework.FilterPlugin[],
  looked: (request: framework.FindNodes) => void = () => {},
): framework.Filtering {
  return {
    plugins,
    findNodesThatFit: (request) => {
      looked(request);
      const { plugins, state, pod, snapshot, startIndex = 0 } = request;
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
      return { feasible, diagnosis, nextStartIndex: startIndex + 1 };
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

type Diary = { readonly request: framework.FindNodes; readonly atMs: number }[];
type Fault = Parameters<Cluster['nemesis']['strike']>[0];
/** `Omit` of each of several. */
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type StagedFault = DistributiveOmit<Extract<Fault, { readonly process: string }>, 'process'>;

const hasEnded = ({ phase }: Pod['status']): boolean => phase === 'Succeeded' || phase === 'Failed';

/** The process that the scheduler runs in. */
const PROCESS = 'default-scheduler';
const key = (name: string) => ({ namespace: 'default', name });

/** What a pod says about whether it is scheduled: `False Unschedulable: 0/1 nodes …`. */
function sayCondition(pod: Pod | undefined): string | undefined {
  const found = pod?.status.conditions?.find(({ type }) => type === 'PodScheduled');
  return found && [found.status, found.reason && `${found.reason}:`, found.message].filter(Boolean).join(' ');
}

/** So that each row of a table is a test with the row's name. */
const named = <I, E>(rows: readonly VectorCase<I, E>[]) => rows.map((row) => [row.name, row] as const);

/** The rows of upstream's tables of one kind. */
const table = <I, E>(op: string, count: number) => named(vectors<I, E>('scheduler-queue', op, count));

const namesOf = (all: readonly { readonly metadata: { readonly name: string } }[]): string[] =>
  all.map(({ metadata }) => metadata.name).sort();

/** Who is where, in order of their names; places where nobody is are left out. */
function placesOf(queue: SchedulingQueue): Record<string, string[]> {
  const places = {
    active: namesOf(queue.podsInActiveQ()),
    backoff: namesOf(queue.podsInBackoffQ()),
    unschedulable: namesOf(queue.unschedulablePods()),
    inFlight: namesOf(queue.inFlightPods()),
  };
  return Object.fromEntries(Object.entries(places).filter(([, names]) => names.length > 0));
}

/** A queue, and a clock that stands still until the test moves it. */
class Desk {
  nowMs = Date.UTC(2024, 3, 17);
  readonly queue: SchedulingQueue;

  constructor(plugins: readonly QueueingPlugin[] = []) {
    this.queue = new SchedulingQueue({ clock: { now: () => this.nowMs }, plugins });
  }

  /** Lets time pass, and looks whose backoff is over. */
  pass(ms: number): void {
    this.nowMs += ms;
    this.queue.flushBackoffQCompleted();
  }

  places(): Record<string, string[]> {
    return placesOf(this.queue);
  }

  /** Takes the next one, which must be there. */
  async take(): Promise<QueuedPodInfo> {
    const info = await soFar(this.queue.pop());
    if (info === 'waits' || info === undefined) {
      throw new Error(
        `pop() gives no pod at once (${info ?? 'undefined'}). This is who is where: ${JSON.stringify(this.places())}`,
      );
    }
    return info;
  }

  /** Takes all that are active, and gives their names in that order. */
  async takeAll(): Promise<string[]> {
    const names: string[] = [];
    while (this.queue.podsInActiveQ().length > 0) names.push((await this.take()).pod.metadata.name);
    return names;
  }

  /** Takes the next one and brings it back: these plugins have turned it away, or, without any, something went wrong. */
  async fail(...plugins: readonly string[]): Promise<QueuedPodInfo> {
    const info = await this.take();
    this.bringBack(info, ...plugins);
    return info;
  }

  bringBack(info: QueuedPodInfo, ...plugins: readonly string[]): void {
    this.queue.addUnschedulableIfNotPresent({ ...info, unschedulablePlugins: new Set(plugins) });
  }
}

describe('Level 1 · The queue', () => {
  test('lets a pod wait a second after its first failure, twice as long after each more, and ten at most', () => {
    expect([1, 2, 3, 4, 5, 6, 7].map((count) => backoffDurationMs(count))).toEqual([
      1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000,
    ]);
    expect(backoffDurationMs(0)).toBe(0);
    expect(backoffDurationMs(5_000)).toBe(10_000);
  });

  interface BackoffRow {
    readonly attempts: number;
    readonly initial: string;
    readonly max: string;
  }
  // In nanoseconds, which is all the same to it.
  test.each(table<BackoffRow, { duration: string }>('backoffDuration', 6))(
    'waits as long as Kubernetes does: %s',
    (_, { input, expect: wanted }) => {
      const limits = { initialMs: Number(input.initial), maxMs: Number(input.max) };
      expect(backoffDurationMs(input.attempts, limits)).toBe(Number(wanted.duration));
    },
  );

  interface LessPod {
    readonly priority: number;
    readonly queuedAtSeconds: number;
  }
  const queued = ({ priority, queuedAtSeconds }: LessPod) => ({
    pod: aPod('pod', { priority }),
    timestampMs: queuedAtSeconds * 1_000,
  });
  test.each(table<{ first: LessPod; second: LessPod }, { less: boolean }>('less', 3))(
    'puts in order as Kubernetes does: %s',
    (_, { input, expect: wanted }) =>
      expect(less(queued(input.first), queued(input.second))).toBe(wanted.less),
  );

  test('takes a pod without a priority for one of 0, and puts no one before their equal', () => {
    const [plain, zero, minus] = [undefined, 0, -1].map((priority) => ({
      pod: aPod('pod', priority === undefined ? {} : { priority }),
      timestampMs: 5,
    })) as [QueuedPodInfo, QueuedPodInfo, QueuedPodInfo];
    expect([less(plain, zero), less(zero, plain)]).toEqual([false, false]);
    expect([less(plain, minus), less(minus, plain)]).toEqual([true, false]);
  });

  test('hands out who was added, and has them in flight from then on', async () => {
    const desk = new Desk();
    desk.queue.add(aPod('web'));
    expect(desk.places()).toEqual({ active: ['web'] });
    const info = await desk.take();
    expect(info).toMatchObject({ attempts: 1, unschedulableCount: 0, consecutiveErrorsCount: 0 });
    expect(info.timestampMs).toBe(desk.nowMs);
    expect([...info.unschedulablePlugins]).toEqual([]);
    expect(desk.places()).toEqual({ inFlight: ['web'] });
    desk.queue.done('uid-of-web');
    expect(desk.places()).toEqual({});
  });

  test('hands out the most important first, and of those the one who has waited longest', async () => {
    const desk = new Desk();
    for (const [name, priority] of [
      ['b', 0],
      ['a', 0],
      ['high', 5],
      ['low', -5],
    ] as const) {
      desk.queue.add(aPod(name, { priority }));
      desk.pass(1);
    }
    expect(await desk.takeAll()).toEqual(['high', 'b', 'a', 'low']);
  });

  test('lets those wait who come too early, and serves them in turn', async () => {
    const { queue } = new Desk();
    const [first, second] = [queue.pop(), queue.pop()];
    expect(await soFar(first)).toBe('waits');
    queue.add(aPod('a'));
    queue.add(aPod('b'));
    expect((await soFar(first)) as QueuedPodInfo).toMatchObject({ pod: { metadata: { name: 'a' } } });
    expect((await soFar(second)) as QueuedPodInfo).toMatchObject({ pod: { metadata: { name: 'b' } } });
    expect(namesOf(queue.inFlightPods())).toEqual(['a', 'b']);
  });

  test('has each pod once, but another of the same name is another pod', async () => {
    const desk = new Desk();
    desk.queue.add(aPod('web'));
    desk.queue.add(aPod('web'));
    expect(desk.places()).toEqual({ active: ['web'] });
    await desk.take();
    desk.queue.add(aPod('web'));
    expect(desk.places()).toEqual({ inFlight: ['web'] });
    desk.queue.add(aPod('web', { uid: 'another' }));
    expect(desk.places()).toEqual({ active: ['web'], inFlight: ['web'] });
  });

  test('lets a pod with which something went wrong wait for a second, and a little more', async () => {
    const desk = new Desk();
    desk.queue.add(aPod('web'));
    await desk.fail();
    expect(desk.places()).toEqual({ backoff: ['web'] });
    desk.pass(1_000);
    expect(desk.places(), 'after exactly a second').toEqual({ backoff: ['web'] });
    desk.pass(1);
    expect(desk.places(), 'after a second and 1 ms').toEqual({ active: ['web'] });
    const again = await desk.take();
    expect(again).toMatchObject({ attempts: 2, consecutiveErrorsCount: 1, unschedulableCount: 0 });
  });

  test('lets a pod that was turned away sleep, however long its backoff has been over', async () => {
    const desk = new Desk();
    desk.queue.add(aPod('web'));
    await desk.fail('Room');
    expect(desk.places()).toEqual({ unschedulable: ['web'] });
    desk.pass(60_000);
    expect(desk.places()).toEqual({ unschedulable: ['web'] });
  });

  test('counts what went wrong apart from who was turned away', async () => {
    const desk = new Desk();
    desk.queue.add(aPod('web'));
    for (let times = 0; times < 3; times++) {
      await desk.fail('Room');
      desk.nowMs += 400_000;
      desk.queue.flushUnschedulablePodsLeftover();
    }
    await desk.fail();
    desk.pass(1_001);
    expect(desk.places(), 'a second after the first error').toEqual({ active: ['web'] });
    await desk.fail();
    desk.pass(1_001);
    expect(desk.places(), 'a second after the second error').toEqual({ backoff: ['web'] });
    desk.pass(1_000);
    const before = await desk.fail('Room');
    expect(before).toMatchObject({ attempts: 6, unschedulableCount: 3, consecutiveErrorsCount: 2 });
    desk.nowMs += 400_000;
    desk.queue.flushUnschedulablePodsLeftover();
    const last = await desk.take();
    expect(last).toMatchObject({ attempts: 7, unschedulableCount: 4, consecutiveErrorsCount: 0 });
    expect([...last.unschedulablePlugins], 'who turned it away the last time').toEqual([]);
  });

  interface OrderingRow {
    readonly priorityWithinWindow: boolean;
    readonly pods: readonly { name: string; priority: number; timestampMs: number }[];
  }
  // With the windows of SchedulerPopFromBackoffQ, which is off here, the same pods are let go in another order.
  test.each(table<OrderingRow, { popped: string[]; alsoAcceptable?: string[][] }>('ordering', 2))(
    'lets go whom Kubernetes lets go: %s',
    async (_, { input, expect: wanted }) => {
      const desk = new Desk();
      const start = desk.nowMs;
      for (const { name, priority, timestampMs } of input.pods) {
        desk.nowMs = start + timestampMs;
        desk.queue.add(aPod(name, { priority }));
        await desk.fail();
      }
      // Who is let go first shows as time passes.
      const popped: string[] = [];
      for (desk.nowMs = start - 3_000; desk.nowMs <= start; desk.nowMs++) {
        desk.queue.flushBackoffQCompleted();
        popped.push(...(await desk.takeAll()));
      }
      if (input.priorityWithinWindow) expect([...popped].sort()).toEqual([...wanted.popped].sort());
      else expect([wanted.popped, ...(wanted.alsoAcceptable ?? [])]).toContainEqual(popped);
    },
  );

  test('counts the time in line from when it came back', async () => {
    const desk = new Desk();
    desk.queue.add(aPod('early'));
    desk.pass(10);
    desk.queue.add(aPod('late'));
    desk.pass(10);
    await desk.fail();
    desk.pass(10);
    desk.queue.add(aPod('last'));
    desk.pass(5_000);
    expect(await desk.takeAll()).toEqual(['late', 'early', 'last']);
  });

  test('takes back the version that it is given, and no one who waits already', async () => {
    const desk = new Desk();
    desk.queue.add(aPod('web'));
    const info = await desk.take();
    const newer = aPod('web', { labels: { version: '2' } });
    desk.bringBack({ ...info, pod: newer });
    expect(desk.queue.podsInBackoffQ()).toEqual([newer]);
    expect(desk.places()).toEqual({ backoff: ['web'] });
    desk.bringBack({ ...info, pod: newer }, 'Room');
    expect(desk.places()).toEqual({ backoff: ['web'] });
    desk.pass(1_001);
    desk.bringBack(info);
    expect(desk.places()).toEqual({ active: ['web'] });
    expect(await desk.take()).toMatchObject({ pod: newer, attempts: 2 });
  });

  test('tries again whoever has slept for more than five minutes', async () => {
    const desk = new Desk();
    desk.queue.add(aPod('web'));
    desk.nowMs += 200_000;
    await desk.fail('Room');
    desk.nowMs += POD_MAX_IN_UNSCHEDULABLE_PODS_MS;
    desk.queue.flushUnschedulablePodsLeftover();
    expect(desk.places(), 'after exactly five minutes').toEqual({ unschedulable: ['web'] });
    desk.nowMs += 1;
    desk.queue.flushUnschedulablePodsLeftover();
    expect(desk.places(), 'after five minutes and 1 ms').toEqual({ active: ['web'] });
  });

  test('has the new version of a pod that changes while it waits, in its old place, with what became of it', async () => {
    const desk = new Desk();
    const old = aPod('web');
    desk.queue.add(old);
    desk.pass(1);
    desk.queue.add(aPod('other'));
    const second = aPod('web', { labels: { version: '2' } });
    desk.queue.update(old, second);
    expect(await desk.fail()).toMatchObject({ pod: second });
    const third = aPod('web', { labels: { version: '3' } });
    desk.queue.update(second, third);
    expect(desk.queue.podsInBackoffQ()).toEqual([third]);
    await desk.fail('Room');
    const other = aPod('other', { labels: { version: '2' } });
    desk.queue.update(aPod('other'), other);
    expect(desk.queue.unschedulablePods()).toEqual([other]);
    desk.pass(1_001);
    expect(await desk.take()).toMatchObject({ pod: third, attempts: 2, consecutiveErrorsCount: 1 });
    desk.nowMs += 400_000;
    desk.queue.flushUnschedulablePodsLeftover();
    expect(await desk.take()).toMatchObject({ pod: other, attempts: 2, unschedulableCount: 1 });
  });

  test('leaves a pod in flight as it was popped when it changes, and adds one that it does not know', async () => {
    const desk = new Desk();
    const old = aPod('web');
    desk.queue.add(old);
    await desk.take();
    desk.queue.update(old, aPod('web', { labels: { version: '2' } }));
    expect(desk.places()).toEqual({ inFlight: ['web'] });
    expect(desk.queue.inFlightPods()).toEqual([old]);
    desk.queue.update(aPod('new'), aPod('new'));
    expect(desk.places()).toEqual({ active: ['new'], inFlight: ['web'] });
  });

  test('holds a pod that is gated until it has no gate any more', async () => {
    const desk = new Desk();
    const gated = aPod('web', { gates: ['a', 'b'] });
    desk.queue.add(gated);
    expect(desk.places()).toEqual({ unschedulable: ['web'] });
    desk.nowMs += 400_000;
    desk.queue.flushUnschedulablePodsLeftover();
    expect(desk.places(), 'after five minutes').toEqual({ unschedulable: ['web'] });
    const less = aPod('web', { gates: ['b'] });
    desk.queue.update(gated, less);
    expect(desk.places(), 'with one gate less').toEqual({ unschedulable: ['web'] });
    expect(desk.queue.unschedulablePods()).toEqual([less]);
    const free = aPod('web');
    desk.queue.update(less, free);
    expect(desk.places(), 'without gates').toEqual({ active: ['web'] });
    expect(await desk.take()).toMatchObject({ pod: free, attempts: 1 });
  });

  test('forgets a pod that is gone, wherever it is, unless it is in flight', async () => {
    const desk = new Desk();
    for (const name of ['sleeps', 'backs-off', 'flies', 'stands']) {
      desk.queue.add(aPod(name));
      desk.pass(1);
    }
    await desk.fail('Room');
    await desk.fail();
    await desk.take();
    for (const name of ['sleeps', 'backs-off', 'flies', 'stands', 'unknown']) desk.queue.delete(aPod(name));
    expect(desk.places()).toEqual({ inFlight: ['flies'] });
    desk.queue.done('uid-of-unknown');
    expect(desk.places()).toEqual({ inFlight: ['flies'] });
  });

  test('ends for those who wait and for those who come later when it is closed', async () => {
    const { queue } = new Desk();
    const waiting = queue.pop();
    queue.close();
    queue.close();
    expect(await soFar(waiting)).toBeUndefined();
    queue.add(aPod('web'));
    expect(await soFar(queue.pop())).toBeUndefined();
  });
});

const ADD_NODE: framework.ClusterEvent = { resource: 'Node', actionType: 'Add' };
const NODE_LABEL: framework.ClusterEvent = { resource: 'Node', actionType: 'UpdateNodeLabel' };
const POD_GONE: framework.ClusterEvent = { resource: 'AssignedPod', actionType: 'Delete' };
const FORCED: framework.ClusterEvent = { resource: '*', actionType: 'All' };

describe('Level 2 · Who wakes whom', () => {
  const nodeChange = (before: object, after: object): string[] => {
    const node = (parts: object) =>
      ({ ...aNode('node-1'), spec: {}, status: {}, ...parts }) as unknown as Node;
    const found = nodeSchedulingPropertiesChange(node(after), node(before));
    expect(found.map(({ resource }) => resource)).toEqual(found.map(() => 'Node'));
    return found.map(({ actionType }) => actionType);
  };
  const meta = (parts: object) => ({ metadata: { name: 'node-1', ...parts } });
  const conditions = (...all: readonly object[]) => ({ status: { conditions: all } });
  const ready = { type: 'Ready', status: 'True' };
  const taint = { key: 'a', effect: 'NoSchedule' };

  test.each([
    ['that it takes pods again', { spec: { unschedulable: true } }, {}, ['UpdateNodeTaint']],
    ['what there is for pods', {}, { status: { allocatable: { cpu: '1' } } }, ['UpdateNodeAllocatable']],
    ['its labels', {}, meta({ labels: { disk: 'ssd' } }), ['UpdateNodeLabel']],
    ['its taints', { spec: { taints: [taint] } }, {}, ['UpdateNodeTaint']],
    ['a condition', conditions(ready), conditions({ ...ready, status: 'False' }), ['UpdateNodeCondition']],
    ['a new condition', conditions(), conditions(ready), ['UpdateNodeCondition']],
    ['its annotations', meta({ annotations: { a: 'b' } }), meta({}), ['UpdateNodeAnnotation']],
  ])('notices what changes about a node: %s', (_, before, after, wanted) =>
    expect(nodeChange(before, after)).toEqual(wanted),
  );

  test.each([
    ['that it takes no pods any more', {}, { spec: { unschedulable: true } }],
    [
      'the same amounts, written otherwise',
      { status: { allocatable: { cpu: '1' } } },
      { status: { allocatable: { cpu: '1000m' } } },
    ],
    ['nothing, written otherwise', meta({}), meta({ labels: {}, annotations: {} })],
    ['no taints, written otherwise', { spec: { taints: [] } }, {}],
    [
      'a heartbeat',
      conditions({ ...ready, lastHeartbeatTime: '1' }),
      conditions({ ...ready, lastHeartbeatTime: '2', message: 'hi' }),
    ],
    [
      'conditions in another order',
      conditions(ready, { type: 'A', status: 'True' }),
      conditions({ type: 'A', status: 'True' }, ready),
    ],
    ['its images', {}, { status: { images: [{ names: ['nginx'] }] } }],
    ['its capacity', {}, { status: { capacity: { cpu: '2' } } }],
  ])('leaves be what makes no difference to a pod: %s', (_, before, after) =>
    expect(nodeChange(before, after)).toEqual([]),
  );

  test('tells all that has changed about a node, one after the other', () => {
    const before = { ...meta({}), spec: { unschedulable: true, taints: [taint] }, status: {} };
    const after = {
      ...meta({ labels: { a: 'b' }, annotations: { a: 'b' } }),
      spec: {},
      status: { allocatable: { cpu: '1' }, conditions: [ready] },
    };
    expect(nodeChange(before, after)).toEqual([
      'UpdateNodeTaint',
      'UpdateNodeAllocatable',
      'UpdateNodeLabel',
      'UpdateNodeTaint',
      'UpdateNodeCondition',
      'UpdateNodeAnnotation',
    ]);
  });

  const podChange = (before: object, after: object, labels: { before?: Labels; after?: Labels } = {}) => {
    const pod = (spec: object, parts: PodParts) => {
      const plain = aPod('web', parts);
      return { ...plain, spec: { ...plain.spec, ...spec } } as Pod;
    };
    return podSchedulingPropertiesChange(
      pod(after, labels.after ? { labels: labels.after } : {}),
      pod(before, labels.before ? { labels: labels.before } : {}),
    ).map(({ resource, actionType }) => `${resource}/${actionType}`);
  };
  const asks = (...requests: readonly object[]) => ({
    containers: requests.map((each, i) => ({ name: `c${i}`, image: 'nginx', resources: { requests: each } })),
  });

  test.each([
    ['that it asks for less', asks({ cpu: '2' }), asks({ cpu: '1' }), ['Pod/UpdatePodScaleDown']],
    [
      'that it does not ask for something any more',
      asks({ 'example.com/gpu': '1' }),
      asks({}),
      ['Pod/UpdatePodScaleDown'],
    ],
    [
      'that it asks for less of one thing',
      asks({ cpu: '1', memory: '2Gi' }),
      asks({ cpu: '4', memory: '1Gi' }),
      ['Pod/UpdatePodScaleDown'],
    ],
    ['that it asks for more', asks({ cpu: '1' }), asks({ cpu: '2', memory: '1Gi' }), []],
    ['who asks for it', asks({ cpu: '2' }, {}), asks({ cpu: '1' }, { cpu: '1' }), []],
    [
      'its last gate',
      { schedulingGates: [{ name: 'a' }] },
      { schedulingGates: [] },
      ['Pod/UpdatePodSchedulingGatesEliminated'],
    ],
    [
      'one of its gates',
      { schedulingGates: [{ name: 'a' }, { name: 'b' }] },
      { schedulingGates: [{ name: 'b' }] },
      [],
    ],
    [
      'one toleration more',
      {},
      { tolerations: [{ key: 'a', operator: 'Exists' }] },
      ['Pod/UpdatePodToleration'],
    ],
    ['nothing that matters', {}, { activeDeadlineSeconds: 5 }, []],
  ])('notices what changes about a pod: %s', (_, before, after, wanted) =>
    expect(podChange(before, after)).toEqual(wanted),
  );

  test('tells all that has changed about a pod, and whether it has a node', () => {
    expect(podChange({}, {}, { before: { a: 'b' }, after: { a: 'c' } })).toEqual(['Pod/UpdatePodLabel']);
    expect(podChange({}, {}, { after: {} })).toEqual([]);
    const placed = podChange(
      { ...asks({ cpu: '2' }) },
      { ...asks({ cpu: '1' }), nodeName: 'node-1' },
      { after: { a: 'b' } },
    );
    expect(placed).toEqual(['AssignedPod/UpdatePodLabel', 'AssignedPod/UpdatePodScaleDown']);
    const all = podChange(
      { ...asks({ cpu: '2' }), schedulingGates: [{ name: 'a' }] },
      { ...asks({ cpu: '1' }), nodeName: '', tolerations: [{ key: 'a', operator: 'Exists' }] },
      { after: { a: 'b' } },
    );
    expect(all).toEqual([
      'Pod/UpdatePodLabel',
      'Pod/UpdatePodScaleDown',
      'Pod/UpdatePodSchedulingGatesEliminated',
      'Pod/UpdatePodToleration',
    ]);
  });

  const never: framework.QueueingHintFn = () => 'QueueSkip';
  const always: framework.QueueingHintFn = () => 'Queue';
  const throwing: framework.QueueingHintFn = () => {
    throw new Error('out of order');
  };
  const plugin = (
    name: string,
    ...registered: readonly (readonly [framework.ClusterEvent, framework.QueueingHintFn?])[]
  ): QueueingPlugin => ({
    name,
    eventsToRegister: () =>
      registered.map(([event, hint]) => ({ event, ...(hint ? { queueingHintFn: hint } : {}) })),
  });
  const worth = (
    by: readonly string[],
    event: framework.ClusterEvent,
    ...plugins: readonly QueueingPlugin[]
  ) =>
    isPodWorthRequeuing(
      { pod: aPod('web'), unschedulablePlugins: new Set(by) },
      event,
      undefined,
      aNode('node-1'),
      plugins,
    );

  test('wakes a pod for an event that a plugin has registered for that turned it away', () => {
    expect(worth(['Room'], ADD_NODE, plugin('Room', [ADD_NODE]))).toBe(true);
    expect(worth(['Room'], NODE_LABEL, plugin('Room', [ADD_NODE]))).toBe(false);
    expect(worth(['Room'], ADD_NODE, plugin('Room'))).toBe(false);
    expect(worth(['Room'], ADD_NODE)).toBe(false);
    const anyNode: framework.ClusterEvent = { resource: 'Node', actionType: 'All' };
    expect(worth(['Room'], NODE_LABEL, plugin('Room', [anyNode]))).toBe(true);
    expect(worth(['Room'], POD_GONE, plugin('Room', [anyNode]))).toBe(false);
  });

  test('asks no plugin that did not turn the pod away', () => {
    expect(worth(['Disk'], ADD_NODE, plugin('Room', [ADD_NODE]), plugin('Disk', [NODE_LABEL]))).toBe(false);
    expect(worth(['Disk'], ADD_NODE, plugin('Room', [ADD_NODE, throwing]), plugin('Disk'))).toBe(false);
  });

  test('asks the hint, if there is one: one that says Queue is enough, and one that throws says so', () => {
    expect(worth(['Room'], ADD_NODE, plugin('Room', [ADD_NODE, never]))).toBe(false);
    expect(worth(['Room'], ADD_NODE, plugin('Room', [ADD_NODE, always]))).toBe(true);
    expect(worth(['Room'], ADD_NODE, plugin('Room', [ADD_NODE, throwing]))).toBe(true);
    expect(worth(['Room'], ADD_NODE, plugin('Room', [ADD_NODE, never], [ADD_NODE, always]))).toBe(true);
    expect(
      worth(['Room', 'Disk'], ADD_NODE, plugin('Room', [ADD_NODE, never]), plugin('Disk', [ADD_NODE])),
    ).toBe(true);
  });

  test('shows the hint which pod it is about, what was and what is', () => {
    const asked: unknown[] = [];
    const info = { pod: aPod('web'), unschedulablePlugins: new Set(['Room']) };
    const [before, after] = [aNode('node-1'), aNode('node-1', { pods: 5 })];
    const note: framework.QueueingHintFn = (...args) => {
      asked.push(...args);
      return 'QueueSkip';
    };
    isPodWorthRequeuing(info, NODE_LABEL, before, after, [plugin('Room', [NODE_LABEL, note])]);
    expect(asked).toEqual([info.pod, before, after]);
  });

  test('wakes whoever nobody has turned away, and everybody when it is forced', () => {
    expect(worth([], ADD_NODE, plugin('Room'))).toBe(true);
    expect(worth(['Room'], FORCED, plugin('Room'))).toBe(true);
  });

  /** A queue with a plugin for room, which hears of nodes and of pods that go, and one for disks. */
  const hotel = () => {
    const hint: framework.QueueingHintFn = (pod, _, node) =>
      diskOf(node) === diskOf(pod) ? 'Queue' : 'QueueSkip';
    return new Desk([plugin('Room', [ADD_NODE], [POD_GONE]), plugin('Disk', [NODE_LABEL, hint])]);
  };

  test('wakes those who sleep for what has happened, and lets the others sleep', async () => {
    const desk = hotel();
    for (const [name, by] of [
      ['a', 'Room'],
      ['b', 'Disk'],
      ['c', 'Room'],
    ] as const) {
      desk.queue.add(aPod(name));
      await desk.fail(by);
    }
    desk.pass(1_001);
    desk.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
    expect(desk.places(), 'a node was added: Room wants to know, Disk does not').toEqual({
      active: ['a', 'c'],
      unschedulable: ['b'],
    });
  });

  test('lets those who are woken too soon wait for the end of their backoff', async () => {
    const desk = hotel();
    desk.queue.add(aPod('web'));
    await desk.fail('Room');
    desk.pass(1_000);
    desk.queue.moveAllToActiveOrBackoffQueue(POD_GONE, aPod('other'), undefined);
    expect(desk.places(), 'after exactly a second').toEqual({ backoff: ['web'] });
    desk.pass(1);
    expect(desk.places(), 'after a second and 1 ms').toEqual({ active: ['web'] });
    await desk.fail('Room');
    desk.pass(1_001);
    desk.queue.moveAllToActiveOrBackoffQueue(POD_GONE, aPod('other'), undefined);
    expect(desk.places(), 'a second after it was turned away twice').toEqual({ backoff: ['web'] });
  });

  test('asks each hint about the version of the pod that it has', async () => {
    const desk = hotel();
    for (const [name, disk] of [
      ['a', 'ssd'],
      ['b', 'nvme'],
    ] as const) {
      desk.queue.add(aPod(name, { labels: { disk } }));
      await desk.fail('Disk');
    }
    desk.pass(2_000);
    desk.queue.moveAllToActiveOrBackoffQueue(NODE_LABEL, aNode('n'), aNode('n', { labels: { disk: 'ssd' } }));
    expect(desk.places()).toEqual({ active: ['a'], unschedulable: ['b'] });
  });

  test('looks only at those who pass the check, if there is one', async () => {
    const desk = hotel();
    for (const name of ['a', 'b']) {
      desk.queue.add(aPod(name));
      await desk.fail('Room');
    }
    desk.pass(2_000);
    const check = ({ metadata }: Pod) => metadata.name !== 'a';
    desk.queue.moveAllToActiveOrBackoffQueue(POD_GONE, aPod('other'), undefined, check);
    expect(desk.places()).toEqual({ active: ['b'], unschedulable: ['a'] });
  });

  test('wakes no one who is gated, though it is forced, nor for what no plugin has registered for', async () => {
    const desk = hotel();
    desk.queue.add(aPod('gated', { gates: ['a'] }));
    desk.queue.add(aPod('web'));
    await desk.fail('Room');
    desk.pass(2_000);
    const nothing: framework.ClusterEvent = { resource: 'Node', actionType: 'UpdateNodeAnnotation' };
    desk.queue.moveAllToActiveOrBackoffQueue(nothing, aNode('n'), aNode('n'));
    expect(desk.places()).toEqual({ unschedulable: ['gated', 'web'] });
    desk.queue.moveAllToActiveOrBackoffQueue(FORCED, undefined, undefined);
    expect(desk.places()).toEqual({ active: ['web'], unschedulable: ['gated'] });
  });

  test('loses nothing that happens while a pod is in flight', async () => {
    const desk = hotel();
    desk.queue.add(aPod('web'));
    const info = await desk.take();
    desk.queue.moveAllToActiveOrBackoffQueue(NODE_LABEL, aNode('n'), aNode('n'));
    desk.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
    desk.queue.moveAllToActiveOrBackoffQueue(NODE_LABEL, aNode('n'), aNode('n'));
    desk.bringBack(info, 'Room');
    expect(desk.places(), 'Room turned it away, and a node was added meanwhile').toEqual({
      backoff: ['web'],
    });
  });

  test('lets a pod sleep that comes back, when nothing has happened that could help', async () => {
    const desk = hotel();
    desk.queue.add(aPod('web'));
    desk.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
    const info = await desk.take();
    const other = aNode('n', { labels: { disk: 'ssd' } });
    desk.queue.moveAllToActiveOrBackoffQueue(NODE_LABEL, aNode('n'), other);
    desk.bringBack(info, 'Room');
    expect(desk.places(), 'a node was added, but before it was popped').toEqual({ unschedulable: ['web'] });
  });

  test('knows of each pod in flight what has happened since it was popped, and no more', async () => {
    const desk = hotel();
    for (const name of ['a', 'b', 'c']) {
      desk.queue.add(aPod(name));
      desk.pass(1);
    }
    const [a, b] = [await desk.take(), await desk.take()];
    desk.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
    const c = await desk.take();
    desk.queue.done(a.pod.metadata.uid);
    desk.bringBack(c, 'Room');
    desk.bringBack(b, 'Room');
    expect(desk.places(), 'a node was added while a and b were in flight, and c was not yet').toEqual({
      backoff: ['b'],
      unschedulable: ['c'],
    });
  });

  test('does not hold against a pod what happened during an earlier try', async () => {
    const desk = hotel();
    desk.queue.add(aPod('web'));
    desk.queue.add(aPod('long'));
    const infos = [await desk.take(), await desk.take()];
    const web = infos.find(({ pod }) => pod.metadata.name === 'web') as QueuedPodInfo;
    desk.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
    desk.bringBack(web, 'Room');
    desk.pass(1_001);
    await desk.fail('Room');
    expect(
      desk.places(),
      'a node was added during its first try, and nothing happened during its second',
    ).toEqual({ unschedulable: ['web'], inFlight: ['long'] });
  });

  test('tries a pod again of which it does not know since when it was in flight', async () => {
    const desk = hotel();
    desk.queue.add(aPod('web'));
    const info = await desk.take();
    desk.queue.done('uid-of-web');
    desk.bringBack(info, 'Room');
    expect(desk.places(), 'it comes back and was not in flight').toEqual({ backoff: ['web'] });
  });

  test('remembers what is forced, too, and asks no check about a pod in flight', async () => {
    const desk = hotel();
    desk.queue.add(aPod('web'));
    const info = await desk.take();
    desk.queue.moveAllToActiveOrBackoffQueue(FORCED, undefined, undefined, () => false);
    desk.bringBack(info, 'Room');
    expect(desk.places()).toEqual({ backoff: ['web'] });
  });

  const labelled = (): Desk => {
    const label: framework.ClusterEvent = { resource: 'Pod', actionType: 'UpdatePodLabel' };
    return new Desk([plugin('Disk', [label]), plugin('Room', [ADD_NODE])]);
  };

  test('wakes a pod that is changed so that it could fit', async () => {
    const desk = labelled();
    const old = aPod('web');
    desk.queue.add(old);
    await desk.fail('Disk');
    const same = aPod('web');
    desk.queue.update(old, same);
    expect(desk.places(), 'nothing of it has changed').toEqual({ unschedulable: ['web'] });
    const next = aPod('web', { labels: { disk: 'ssd' } });
    desk.queue.update(same, next);
    expect(desk.places(), 'its labels have changed').toEqual({ backoff: ['web'] });
    expect(desk.queue.podsInBackoffQ()).toEqual([next]);
    desk.pass(1_001);
    await desk.fail('Room');
    desk.queue.update(next, aPod('web'));
    expect(desk.places(), 'its labels do not matter to Room').toEqual({ unschedulable: ['web'] });
  });

  test('wakes a pod that was changed while it was in flight', async () => {
    const desk = labelled();
    const old = aPod('web');
    desk.queue.add(old);
    const info = await desk.take();
    const next = aPod('web', { labels: { disk: 'ssd' } });
    desk.queue.update(old, next);
    desk.bringBack({ ...info, pod: next }, 'Disk');
    expect(desk.places(), 'Disk turned it away, and its labels were changed meanwhile').toEqual({
      backoff: ['web'],
    });
  });

  interface CompletedRow {
    readonly pods: readonly { name: string; timestampMs: number; queue: 'normal' | 'error' }[];
  }
  test.each(table<CompletedRow, { popped: string[]; left: number }>('popCompleted', 4))(
    'agrees with Kubernetes on who has waited enough: %s',
    async (_, { input, expect: wanted }) => {
      const desk = hotel();
      const start = desk.nowMs;
      for (const { name, timestampMs, queue } of input.pods) {
        desk.nowMs = start + timestampMs;
        desk.queue.add(aPod(name));
        const info = await desk.take();
        if (queue === 'normal')
          desk.queue.moveAllToActiveOrBackoffQueue(ADD_NODE, undefined, aNode('node-1'));
        desk.bringBack(info, ...(queue === 'normal' ? ['Room'] : []));
      }
      desk.nowMs = start;
      desk.queue.flushBackoffQCompleted();
      expect(namesOf(desk.queue.podsInActiveQ())).toEqual(wanted.popped);
      expect(desk.queue.podsInBackoffQ()).toHaveLength(wanted.left);
    },
  );
});

/** Which pods a snapshot shows on which node. */
const shownBy = ({ nodeInfos }: framework.Snapshot): Record<string, string[]> =>
  Object.fromEntries(nodeInfos.map(({ name, pods }) => [name, namesOf(pods.map(({ pod }) => pod))]));

describe('Level 3 · The cache', () => {
  /** One with these nodes. */
  const cacheOf = (...names: readonly string[]): SchedulerCache => {
    const cache = new SchedulerCache();
    for (const name of names) cache.addNode(aNode(name));
    return cache;
  };
  const placed = (name: string, nodeName: string, parts: PodParts = {}): Pod =>
    aPod(name, { nodeName, ...parts });

  test('shows each node with the pods on it', () => {
    const cache = cacheOf('node-1', 'node-2');
    cache.addPod(placed('a', 'node-1'));
    cache.addPod(placed('b', 'node-1'));
    expect(shownBy(cache.snapshot())).toEqual({ 'node-1': ['a', 'b'], 'node-2': [] });
    cache.removePod(placed('a', 'node-1'));
    expect(shownBy(cache.snapshot())).toEqual({ 'node-1': ['b'], 'node-2': [] });
  });

  test('has what is newest of nodes and pods', () => {
    const cache = cacheOf('node-1');
    const old = placed('a', 'node-1');
    cache.addPod(old);
    cache.updateNode(aNode('node-1'), aNode('node-1', { pods: 7 }));
    const next = placed('a', 'node-1', { labels: { version: '2' } });
    cache.updatePod(old, next);
    const [info] = cache.snapshot().nodeInfos;
    expect(info?.allocatable.allowedPodNumber).toBe(7);
    expect(info?.pods.map(({ pod }) => pod)).toEqual([next]);
    expect(cache.getPod(old)).toBe(next);
  });

  test('shows a snapshot as it was, whatever happens after it', () => {
    const cache = cacheOf('node-1');
    const snapshot = cache.snapshot();
    cache.addPod(placed('a', 'node-1'));
    cache.addNode(aNode('node-2'));
    expect(shownBy(snapshot)).toEqual({ 'node-1': [] });
  });

  test('shows a node that has not changed as the same object, and nodes in the same order', () => {
    const cache = cacheOf('node-2', 'node-1', 'node-3');
    const before = cache.snapshot().nodeInfos;
    cache.addPod(placed('a', 'node-1'));
    const after = cache.snapshot().nodeInfos;
    expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
    expect(after.map((info, i) => info === before[i])).toEqual(before.map(({ name }) => name !== 'node-1'));
  });

  test('puts the namespaces into the snapshot that it is given', () => {
    const namespaces = new Map([['default', { team: 'a' }]]);
    expect(cacheOf().snapshot(namespaces).namespaces).toBe(namespaces);
  });

  test('remembers pods whose node is not known yet', () => {
    const cache = cacheOf();
    cache.addPod(placed('a', 'node-1'));
    expect(shownBy(cache.snapshot())).toEqual({});
    cache.addNode(aNode('node-1'));
    expect(shownBy(cache.snapshot())).toEqual({ 'node-1': ['a'] });
  });

  test('remembers pods whose node is gone, until they are gone, too', () => {
    const cache = cacheOf('node-1');
    cache.addPod(placed('a', 'node-1'));
    cache.addPod(placed('b', 'node-1'));
    cache.removeNode(aNode('node-1'));
    cache.removeNode(aNode('unknown'));
    expect(shownBy(cache.snapshot())).toEqual({});
    cache.removePod(placed('a', 'node-1'));
    cache.addNode(aNode('node-1'));
    expect(shownBy(cache.snapshot())).toEqual({ 'node-1': ['b'] });
  });

  test('takes a pod to be where it was decided that it goes', () => {
    const cache = cacheOf('node-1');
    const pod = Object.freeze(aPod('web'));
    Object.freeze(pod.spec);
    const assumed = cache.assumePod(pod, 'node-1');
    expect(assumed).toEqual({ ...pod, spec: { ...pod.spec, nodeName: 'node-1' } });
    expect(shownBy(cache.snapshot())).toEqual({ 'node-1': ['web'] });
    expect(cache.isAssumedPod(pod)).toBe(true);
    expect(cache.getPod(pod)).toEqual(assumed);
  });

  test('assumes no pod that it knows already', () => {
    const cache = cacheOf('node-1', 'node-2');
    cache.assumePod(aPod('assumed'), 'node-1');
    cache.addPod(placed('added', 'node-1'));
    expect(() => cache.assumePod(aPod('assumed'), 'node-2')).toThrow(/assumed/);
    expect(() => cache.assumePod(aPod('added'), 'node-2')).toThrow(/added/);
    expect(shownBy(cache.snapshot())).toEqual({ 'node-1': ['added', 'assumed'], 'node-2': [] });
    expect(cache.isAssumedPod(aPod('added'))).toBe(false);
  });

  test('knows that a pod is where it was assumed to be when an informer shows it there', () => {
    const cache = cacheOf('node-1');
    const assumed = cache.assumePod(aPod('web'), 'node-1');
    const shown = placed('web', 'node-1');
    cache.addPod(shown);
    expect(cache.isAssumedPod(assumed)).toBe(false);
    expect(cache.getPod(assumed)).toBe(shown);
    expect(shownBy(cache.snapshot())).toEqual({ 'node-1': ['web'] });
  });

  test('believes the informer that shows a pod on another node than the one that was assumed', () => {
    const cache = cacheOf('node-1', 'node-2');
    const assumed = cache.assumePod(aPod('web'), 'node-1');
    cache.addPod(placed('web', 'node-2'));
    expect(shownBy(cache.snapshot())).toEqual({ 'node-1': [], 'node-2': ['web'] });
    expect(cache.isAssumedPod(assumed)).toBe(false);
    expect(cache.forgetPod(assumed), 'that it forgot a pod which an informer has shown').toBe(false);
    expect(shownBy(cache.snapshot())).toEqual({ 'node-1': [], 'node-2': ['web'] });
  });

  test('forgets a pod that came to nothing, and no pod that an informer has shown', () => {
    const cache = cacheOf('node-1');
    const assumed = cache.assumePod(aPod('web'), 'node-1');
    expect(cache.forgetPod(assumed)).toBe(true);
    expect(cache.forgetPod(assumed)).toBe(false);
    expect(shownBy(cache.snapshot())).toEqual({ 'node-1': [] });
    expect(cache.isAssumedPod(assumed)).toBe(false);
    expect(cache.getPod(assumed)).toBeUndefined();
    const again = cache.assumePod(aPod('web'), 'node-1');
    cache.addPod(placed('web', 'node-1'));
    expect(cache.forgetPod(again)).toBe(false);
    expect(shownBy(cache.snapshot())).toEqual({ 'node-1': ['web'] });
  });

  test('removes a pod wherever it is, whatever its last known state says', () => {
    const cache = cacheOf('node-1');
    cache.addPod(placed('a', 'node-1'));
    cache.assumePod(aPod('b'), 'node-1');
    cache.removePod(aPod('a'));
    cache.removePod(aPod('b'));
    cache.removePod(aPod('unknown'));
    expect(shownBy(cache.snapshot())).toEqual({ 'node-1': [] });
    expect(cache.isAssumedPod(aPod('b'))).toBe(false);
  });

  test('takes two pods of one name for two, which they are for a moment', () => {
    const cache = cacheOf('node-1');
    cache.addPod(placed('web', 'node-1', { uid: 'old' }));
    const assumed = cache.assumePod(aPod('web', { uid: 'new' }), 'node-1');
    expect(shownBy(cache.snapshot())).toEqual({ 'node-1': ['web', 'web'] });
    cache.removePod(placed('web', 'node-1', { uid: 'old' }));
    expect(cache.isAssumedPod(assumed)).toBe(true);
    expect(shownBy(cache.snapshot())).toEqual({ 'node-1': ['web'] });
  });

  test('assumes a pod on a node that has gone meanwhile, and shows it when the node is back', () => {
    const cache = cacheOf('node-1');
    cache.removeNode(aNode('node-1'));
    cache.assumePod(aPod('web'), 'node-1');
    expect(shownBy(cache.snapshot())).toEqual({});
    cache.addNode(aNode('node-1'));
    expect(shownBy(cache.snapshot())).toEqual({ 'node-1': ['web'] });
  });
});

describe('Level 4 · One cycle', () => {
  const snapshotOf = (...nodes: readonly Node[]) =>
    new framework.Snapshot(nodes.map((node) => framework.NodeInfo.of(node)));
  const random = { int: () => 0 };
  const state = () => new framework.CycleState();
  /** What it throws. */
  const thrownBy = (request: SchedulePod): unknown => {
    try {
      schedulePod(request);
    } catch (error) {
      return error;
    }
    return 'it did not throw';
  };

  test('finds the node that fits', () => {
    const snapshot = snapshotOf(aNode('node-1', { pods: 0 }), aNode('node-2'));
    const profile = { filtering: filteringOf([room]), scoring: byName };
    const result = schedulePod({ profile, state: state(), pod: aPod('web'), snapshot, random });
    expect(result).toMatchObject({ suggestedHost: 'node-2', feasibleNodes: 1 });
  });

  test('of several nodes takes the one that the scores prefer', () => {
    const profile = { filtering: filteringOf([]), scoring: byName };
    const snapshot = snapshotOf(aNode('node-3'), aNode('node-1'), aNode('node-2'));
    const result = schedulePod({ profile, state: state(), pod: aPod('web'), snapshot, random });
    expect(result).toMatchObject({ suggestedHost: 'node-1', feasibleNodes: 3 });
  });

  test('does not ask for scores where there is no choice', () => {
    const scoring: framework.Scoring = {
      ...byName,
      prioritizeNodes: () => {
        throw new Error('prioritizeNodes was asked about one node');
      },
    };
    const profile = { filtering: filteringOf([]), scoring };
    const request = {
      profile,
      state: state(),
      pod: aPod('web'),
      snapshot: snapshotOf(aNode('node-1')),
      random,
    };
    expect(schedulePod(request).suggestedHost).toBe('node-1');
  });

  test('hands on what it is given: plugins, state, where to begin, chance', () => {
    const asked: unknown[] = [];
    const filtering = filteringOf([room]);
    const plugins = [{ plugin: { name: 'Score', score: () => 1 }, weight: 1 }];
    const profile = {
      filtering: {
        ...filtering,
        findNodesThatFit: (request: framework.FindNodes) => {
          asked.push([request.plugins, request.state, request.startIndex]);
          return { ...filtering.findNodesThatFit(request), nextStartIndex: 7 };
        },
      },
      scoring: {
        plugins,
        prioritizeNodes: (request: framework.PrioritizeNodes) => {
          asked.push([request.plugins, request.state]);
          return byName.prioritizeNodes(request);
        },
        selectHost: (scores: readonly framework.NodePluginScores[], chance: { int(max: number): number }) =>
          scores[chance.int(scores.length)]?.name ?? '',
      },
    };
    const cycle = state();
    const result = schedulePod({
      profile,
      state: cycle,
      pod: aPod('web'),
      snapshot: snapshotOf(aNode('node-1'), aNode('node-2')),
      random: { int: () => 1 },
      startIndex: 1,
    });
    expect(asked).toEqual([
      [filtering.plugins, cycle, 1],
      [plugins, cycle],
    ]);
    expect(result).toEqual({ suggestedHost: 'node-2', feasibleNodes: 2, nextStartIndex: 7 });
  });

  test('says of a pod that fits nowhere who turned it away, and why', () => {
    const snapshot = snapshotOf(aNode('node-1', { pods: 0 }), aNode('node-2', { labels: { disk: 'hdd' } }));
    const profile = { filtering: filteringOf([room, disk]), scoring: byName };
    const pod = aPod('web', { labels: { disk: 'ssd' } });
    const error = thrownBy({ profile, state: state(), pod, snapshot, random }) as FitError;
    if (!(error instanceof FitError)) throw error;
    expect(error.message).toBe('0/2 nodes are available: 1 Too many pods, 1 Wrong disk.');
    expect(error).toMatchObject({ pod, numAllNodes: 2 });
    expect([...error.diagnosis.unschedulablePlugins].sort()).toEqual(['Disk', 'Room']);
  });

  test('says that there are no nodes where there are none', () => {
    const profile = { filtering: filteringOf([room]), scoring: byName };
    const error = thrownBy({ profile, state: state(), pod: aPod('web'), snapshot: snapshotOf(), random });
    if (!(error instanceof NoNodesAvailableError)) throw error;
    expect(error.message).toBe('no nodes available to schedule pods');
  });

  test('lets through what a plugin throws', () => {
    const profile = { filtering: filteringOf([broken]), scoring: byName };
    const request = {
      profile,
      state: state(),
      pod: aPod('web'),
      snapshot: snapshotOf(aNode('node-1')),
      random,
    };
    const error = thrownBy(request);
    if (error instanceof NotImplemented) throw error;
    expect(String(error)).toMatch(/out of order/);
  });

  test('skips a pod that is being deleted, and one that is assumed', () => {
    const cache = { isAssumedPod: ({ metadata }: Pod) => metadata.name === 'assumed' };
    const plain = aPod('web');
    const going = { ...plain, metadata: { ...plain.metadata, deletionTimestamp: '2024-04-17T00:00:00Z' } };
    expect([plain, aPod('assumed'), going].map((pod) => skipPodSchedule(pod, cache))).toEqual([
      false,
      true,
      true,
    ]);
  });
});

type Pieces = Parameters<typeof bindingCycle>[0];

interface CounterOptions {
  readonly reserve?: readonly framework.ReservePlugin[];
  readonly bind?: readonly framework.BindPlugin[];
}

/** A server, a queue and a cache with two nodes, and one pod after the other on its way. What is not ready, the test does. */
class Counter implements AsyncDisposable {
  readonly cluster: Cluster;
  readonly queue: SchedulingQueue;
  readonly cache = new SchedulerCache();
  readonly scheduler: Pieces;
  /** What the informer has. */
  readonly informer = new Map<string, Pod>();
  readonly told: string[] = [];
  readonly logged: string[] = [];
  readonly stop = new AbortController();
  /** What the queue was told has gone. */
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
        event: ({ metadata }, type, reason, message) =>
          this.told.push(`${metadata.name}: ${type} ${reason}: ${message}`),
      },
      signal: this.stop.signal,
      queue: this.queue,
      cache: this.cache,
      getPod: ({ name }) => this.informer.get(name),
      log: (message) => this.logged.push(message),
    };
  }

  static async open(options: CounterOptions = {}): Promise<Counter> {
    return new Counter(await createCluster(), options);
  }

  /** A pod that the server has, and the informer. */
  async create(name: string): Promise<Pod> {
    const { metadata, spec } = aPod(name);
    const created = await this.cluster.admin.create(pods, {
      metadata: { name: metadata.name, namespace: 'default' },
      spec,
    } as never);
    this.informer.set(name, created);
    return created;
  }

  /** The same, and it has been popped. */
  async pop(name: string): Promise<QueuedPodInfo> {
    this.queue.add(await this.create(name));
    return (await soFar(this.queue.pop())) as QueuedPodInfo;
  }

  /** The same, and it is assumed on node-1. */
  async assign(name: string): Promise<Assignment> {
    const info = await this.pop(name);
    const assumed = this.cache.assumePod(info.pod, 'node-1');
    return { info, assumed, state: new framework.CycleState() };
  }

  /** A pod that waits for room, and whose backoff is over. */
  async sleeper(): Promise<void> {
    const info = await this.pop('sleeper');
    this.queue.addUnschedulableIfNotPresent({ ...info, unschedulablePlugins: new Set(['Room']) });
    await this.cluster.runFor(2_000);
  }

  /** Lets everything happen that the promise waits for. */
  settle<T>(promise: Promise<T>): Promise<T> {
    return this.cluster.settle(promise);
  }

  strike(fault: StagedFault): void {
    this.cluster.nemesis.strike({ ...fault, process: PROCESS } as Fault);
  }

  /** The pod as the server has it. */
  pod(name: string): Pod | undefined {
    return this.cluster.storage.get(pods, key(name)) as Pod | undefined;
  }

  condition(name: string): string | undefined {
    return sayCondition(this.pod(name));
  }

  places(): Record<string, string[]> {
    return placesOf(this.queue);
  }

  /** How often the server was asked to do this. */
  asked(verb: string): number {
    return this.cluster.trace.entries.filter((entry) => entry.actor === PROCESS && entry.verb === verb)
      .length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster[Symbol.asyncDispose]();
  }
}

/** What it rejects with, as text. @throws NotImplemented as it is, so that it is the failure that a learner reads */
async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof NotImplemented) throw error;
    return String(error);
  }
  return 'it did not fail';
}

describe('Level 5 · Binding', () => {
  const state = new framework.CycleState();
  /** Plugins that write down that they were asked. */
  const reserving = (
    diary: string[],
    name: string,
    answer: () => framework.Status = () => framework.success,
  ) => ({
    name,
    reserve: (_: framework.CycleState, pod: Pod, nodeName: string): framework.Status => {
      diary.push(`reserve ${name} ${pod.metadata.name} ${nodeName}`);
      return answer();
    },
    unreserve: (_: framework.CycleState, pod: Pod, nodeName: string): void => {
      diary.push(`unreserve ${name} ${pod.metadata.name} ${nodeName}`);
    },
  });
  const explode = (): never => {
    throw new Error('out of order');
  };

  test('asks each plugin in turn to reserve', () => {
    const diary: string[] = [];
    const plugins = [reserving(diary, 'a'), reserving(diary, 'b')];
    const decision = runReservePluginsReserve(plugins, state, aPod('web'), 'node-1');
    expect(decision.status.code).toBe('Success');
    expect(decision.plugin).toBeUndefined();
    expect(diary).toEqual(['reserve a web node-1', 'reserve b web node-1']);
    expect(runReservePluginsReserve([], state, aPod('web'), 'node-1').status.code).toBe('Success');
  });

  test('undoes with all plugins, the last first, what one of them refuses or breaks', () => {
    const undone = ['unreserve c web node-1', 'unreserve b web node-1', 'unreserve a web node-1'];
    const no = framework.unschedulable('no');
    for (const answer of [() => no, explode]) {
      const diary: string[] = [];
      const plugins = [reserving(diary, 'a'), reserving(diary, 'b', answer), reserving(diary, 'c')];
      const run = () => runReservePluginsReserve(plugins, state, aPod('web'), 'node-1');
      if (answer === explode) expect(run).toThrow('out of order');
      else expect(run()).toEqual({ status: no, plugin: 'b' });
      expect(diary).toEqual(['reserve a web node-1', 'reserve b web node-1', ...undone]);
    }
    const diary: string[] = [];
    const all = ['a', 'b', 'c'].map((name) => reserving(diary, name));
    runReservePluginsUnreserve(all, state, aPod('web'), 'node-1');
    expect(diary).toEqual(undone);
  });

  test('binds a pod by telling the server, and means this pod only', async () => {
    await using counter = await Counter.open();
    const pod = await counter.create('web');
    const binder = defaultBinder(counter.cluster.admin);
    expect(binder.name).toBe('DefaultBinder');
    const other = { ...pod, metadata: { ...pod.metadata, uid: 'another' } };
    expect(await failureOf(binder.bind(state, other, 'node-1'))).toMatch(/Precondition failed: UID/);
    expect(counter.pod('web')?.spec.nodeName ?? '').toBe('');
    expect((await binder.bind(state, pod, 'node-1')).code).toBe('Success');
    expect(counter.pod('web')?.spec.nodeName).toBe('node-1');
    expect(await failureOf(binder.bind(state, pod, 'node-2'))).toMatch(/already assigned/);
  });

  test('lets the first plugin bind that does not skip', async () => {
    const diary: string[] = [];
    const binding = (name: string, answer: () => framework.Status): framework.BindPlugin => ({
      name,
      bind: async (_, pod, nodeName) => {
        diary.push(`${name} ${pod.metadata.name} ${nodeName}`);
        return answer();
      },
    });
    const [a, b, c, d] = [
      binding('a', () => framework.skip),
      binding('b', () => framework.success),
      binding('c', () => framework.unschedulable('no')),
      binding('d', explode),
    ] as const;
    const run = (...plugins: framework.BindPlugin[]) => runBindPlugins(plugins, state, aPod('web'), 'node-1');
    expect((await run(a, b, c)).code).toBe('Success');
    expect(diary).toEqual(['a web node-1', 'b web node-1']);
    expect(await run(a, c, b)).toEqual(framework.unschedulable('no'));
    expect((await run(a)).code).toBe('Skip');
    expect((await run()).code).toBe('Skip');
    diary.length = 0;
    expect(await failureOf(run(a, d, b))).toMatch(/out of order/);
    expect(diary).toEqual(['a web node-1', 'd web node-1']);
  });

  test.each([
    ['a server that did not answer in time', errors.timeout('too late'), true],
    ['a server that failed', errors.internal('oops'), true],
    ['a server that goes away', errors.unavailable('shutting down'), true],
    ['a connection that broke', new ConnectionError('ECONNRESET', 'reset'), true],
    ['a connection on which nothing came', new ConnectionError('ETIMEDOUT', 'timeout'), true],
    ['anything else that was thrown', new Error('oops'), true],
    ['nothing that was thrown', undefined, true],
    ['a conflict', errors.conflict(pods, 'web', 'it is already assigned'), true],
    ['nobody who listens', new ConnectionError('ECONNREFUSED', 'refused'), false],
    ['a pod that is not there', errors.notFound(pods, 'web'), false],
    ['a refusal', errors.forbidden(pods, 'web', 'no'), false],
    ['too many requests', errors.tooManyRequests('slow down', 1), false],
  ])('knows whether the pod could have been bound all the same: %s', (_, error, wanted) =>
    expect(mayBeBound(error), 'that it may be bound').toBe(wanted),
  );

  test('says why a pod is not scheduled, unless it says so already', () => {
    const now = Date.UTC(2024, 3, 17, 12);
    const withCondition = (condition: object): Pod => ({
      ...aPod('web'),
      status: {
        phase: 'Pending',
        conditions: [{ type: 'Ready', status: 'False' }, condition as PodCondition],
      },
    });
    const said = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'full' };
    const since = '2024-04-17T11:00:00Z';
    const say = (pod: Pod, message = 'full') => podScheduledCondition(pod, 'Unschedulable', message, now);
    expect(say(aPod('web'))).toEqual({ ...said, lastTransitionTime: '2024-04-17T12:00:00Z' });
    expect(say(withCondition({ ...said, lastTransitionTime: since }))).toBeUndefined();
    expect(say(withCondition({ ...said, lastTransitionTime: since }), 'fuller')).toEqual({
      ...said,
      message: 'fuller',
      lastTransitionTime: since,
    });
    const other = withCondition({ ...said, reason: 'SchedulerError', lastTransitionTime: since });
    expect(say(other)).toEqual({ ...said, lastTransitionTime: since });
    const was = withCondition({ type: 'PodScheduled', status: 'True', lastTransitionTime: since });
    expect(say(was)).toEqual({ ...said, lastTransitionTime: '2024-04-17T12:00:00Z' });
  });

  const noRoom = (pod: Pod): FitError =>
    new FitError({
      pod,
      numAllNodes: 2,
      diagnosis: { nodeToStatus: new Map(), unschedulablePlugins: new Set(['Room']), preFilterMsg: '' },
      message: '0/2 nodes are available: 2 Too many pods.',
    });

  test('takes back a pod that was turned away, and tells why', async () => {
    await using counter = await Counter.open();
    const info = await counter.pop('web');
    const newer = { ...info.pod, metadata: { ...info.pod.metadata, labels: { version: '2' } } };
    counter.informer.set('web', newer);
    const done = counter.settle(handleSchedulingFailure(counter.scheduler, info, noRoom(info.pod)));
    const places = counter.places();
    await done;
    expect(places, 'before anything is awaited').toEqual({ unschedulable: ['web'] });
    expect(counter.queue.unschedulablePods()).toEqual([newer]);
    const why = '0/2 nodes are available: 2 Too many pods.';
    expect(counter.told).toEqual([`web: Warning FailedScheduling: ${why}`]);
    expect(counter.condition('web')).toBe(`False Unschedulable: ${why}`);
  });

  test('takes back a pod with which something went wrong, and tells what', async () => {
    await using counter = await Counter.open();
    for (const [name, error, said] of [
      ['a', new Error('oops'), 'False SchedulerError: oops'],
      ['b', new NoNodesAvailableError(), 'False Unschedulable: no nodes available to schedule pods'],
    ] as const) {
      const info = await counter.pop(name);
      await counter.settle(handleSchedulingFailure(counter.scheduler, info, error));
      expect(counter.condition(name)).toBe(said);
      expect(counter.told.at(-1)).toBe(`${name}: Warning FailedScheduling: ${error.message}`);
    }
    expect(counter.places()).toEqual({ backoff: ['a', 'b'] });
  });

  test('cuts a long message short in the event, and not in the condition', async () => {
    await using counter = await Counter.open();
    const info = await counter.pop('web');
    const message = 'x'.repeat(2_000);
    await counter.settle(handleSchedulingFailure(counter.scheduler, info, new Error(message)));
    expect(counter.told).toEqual([`web: Warning FailedScheduling: ${'x'.repeat(1_020)} ...`]);
    expect(counter.condition('web')).toBe(`False SchedulerError: ${message}`);
  });

  test('writes nothing that the pod says already', async () => {
    await using counter = await Counter.open();
    const info = await counter.pop('web');
    await counter.settle(handleSchedulingFailure(counter.scheduler, info, noRoom(info.pod)));
    const written = counter.pod('web') as Pod;
    counter.informer.set('web', written);
    counter.queue.delete(written);
    counter.queue.add(written);
    const again = (await soFar(counter.queue.pop())) as QueuedPodInfo;
    const before = counter.cluster.storage.revision;
    await counter.settle(handleSchedulingFailure(counter.scheduler, again, noRoom(written)));
    expect(counter.cluster.storage.revision).toBe(before);
    expect(counter.told).toHaveLength(2);
  });

  test('keeps what others say of the pod', async () => {
    await using counter = await Counter.open();
    const info = await counter.pop('web');
    const conditions = [{ type: 'example.com/checked', status: 'True' }];
    await counter.cluster.admin.updateStatus(pods, {
      ...info.pod,
      status: { ...info.pod.status, conditions },
    });
    await counter.settle(handleSchedulingFailure(counter.scheduler, info, noRoom(info.pod)));
    // It may have written it, or have been told that it is late: the condition of others stays.
    expect(counter.pod('web')?.status.conditions).toContainEqual(
      expect.objectContaining(conditions[0] as object),
    );
  });

  test('does not say of a pod that it has no node when it has one by now', async () => {
    await using counter = await Counter.open();
    const info = await counter.pop('web');
    await counter.cluster.admin.bind(key('web'), 'node-2');
    await counter.settle(handleSchedulingFailure(counter.scheduler, info, noRoom(info.pod)));
    expect(counter.condition('web')).toBe('True');
  });

  test('says nothing of another pod of the same name', async () => {
    await using counter = await Counter.open();
    const info = await counter.pop('web');
    await counter.cluster.admin.delete(pods, key('web'));
    await counter.create('web');
    counter.informer.set('web', info.pod);
    await counter.settle(handleSchedulingFailure(counter.scheduler, info, noRoom(info.pod)));
    expect(counter.condition('web')).toBeUndefined();
  });

  test.each<readonly [string, (pod: Pod) => Pod | undefined]>([
    ['is gone', () => undefined],
    ['has a node', (pod) => ({ ...pod, spec: { ...pod.spec, nodeName: 'node-2' } })],
    ['has ended', (pod) => ({ ...pod, status: { ...pod.status, phase: 'Failed' } })],
    ['is another one', (pod) => ({ ...pod, metadata: { ...pod.metadata, uid: 'another' } })],
  ])('lets a pod be that %s by now', async (_, become) => {
    await using counter = await Counter.open();
    const info = await counter.pop('web');
    const now = become(info.pod);
    if (now) counter.informer.set('web', now);
    else counter.informer.delete('web');
    await counter.settle(handleSchedulingFailure(counter.scheduler, info, noRoom(info.pod)));
    expect(counter.places()).toEqual({});
    expect(counter.told).toEqual([]);
    expect(counter.asked('patch')).toBe(0);
  });

  test('logs it when the condition cannot be written, and goes on', async () => {
    await using counter = await Counter.open();
    const info = await counter.pop('web');
    counter.strike({ fault: 'refuse', reason: 'InternalError', requests: 20 });
    await counter.settle(handleSchedulingFailure(counter.scheduler, info, noRoom(info.pod)));
    expect(counter.places()).toEqual({ unschedulable: ['web'] });
    expect(counter.logged.length).toBeGreaterThan(0);
  });

  test('binds a pod, tells of it, and takes it to be there from then on', async () => {
    await using counter = await Counter.open();
    const assignment = await counter.assign('web');
    const cycle = bindingCycle(counter.scheduler, assignment);
    const places = counter.places();
    await counter.settle(cycle);
    expect(places, 'before anything is awaited').toEqual({});
    expect(counter.pod('web')?.spec.nodeName).toBe('node-1');
    expect(counter.told).toEqual(['web: Normal Scheduled: Successfully assigned default/web to node-1']);
    expect(counter.cache.isAssumedPod(assignment.assumed)).toBe(true);
    expect(counter.places()).toEqual({});
  });

  test('asks the plugins of the profile first', async () => {
    const bind = [{ name: 'Own', bind: async () => framework.success }];
    await using counter = await Counter.open({ bind });
    await counter.settle(bindingCycle(counter.scheduler, await counter.assign('web')));
    expect(counter.asked('bind')).toBe(0);
    expect(counter.told).toEqual(['web: Normal Scheduled: Successfully assigned default/web to node-1']);
  });

  test('gives back everything when the server refuses: what is reserved, the room, the pod', async () => {
    const diary: string[] = [];
    await using counter = await Counter.open({ reserve: [reserving(diary, 'a'), reserving(diary, 'b')] });
    await counter.sleeper();
    const assignment = await counter.assign('web');
    counter.strike({ fault: 'refuse', reason: 'TooManyRequests', requests: 1 });
    await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(diary).toEqual(['unreserve b web node-1', 'unreserve a web node-1']);
    expect(shownBy(counter.cache.snapshot())).toEqual({ 'node-1': [], 'node-2': [] });
    expect(counter.gone, 'what the queue was told has gone').toEqual([assignment.assumed]);
    expect(counter.places()).toEqual({ active: ['sleeper'], backoff: ['web'] });
    expect(counter.told).toContainEqual(expect.stringMatching(/^web: Warning FailedScheduling: ./));
    expect(counter.condition('web')).toMatch(/^False SchedulerError: ./);
  });

  test('takes it for a failure when a plugin says anything but Success', async () => {
    const bind = [{ name: 'Own', bind: async () => framework.unschedulable('not now', 'not here') }];
    await using counter = await Counter.open({ bind });
    const assignment = await counter.assign('web');
    await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(counter.cache.isAssumedPod(assignment.assumed)).toBe(false);
    expect(counter.told).toEqual(['web: Warning FailedScheduling: not now, not here']);
    expect(counter.places()).toEqual({ backoff: ['web'] });
  });

  test('asks the server when nobody knows whether the pod is bound, and believes it when it is', async () => {
    await using counter = await Counter.open();
    await counter.sleeper();
    const assignment = await counter.assign('web');
    counter.strike({ fault: 'time-out', performed: true });
    await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(counter.told).toEqual(['web: Normal Scheduled: Successfully assigned default/web to node-1']);
    expect(shownBy(counter.cache.snapshot())).toEqual({ 'node-1': ['web'], 'node-2': [] });
    expect(counter.places()).toEqual({ unschedulable: ['sleeper'] });
  });

  test('asks the server when nobody knows whether the pod is bound, and tries again when it is not', async () => {
    await using counter = await Counter.open();
    const assignment = await counter.assign('web');
    counter.strike({ fault: 'time-out', performed: false });
    await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(shownBy(counter.cache.snapshot())).toEqual({ 'node-1': [], 'node-2': [] });
    expect(counter.told).toContainEqual(expect.stringMatching(/^web: Warning FailedScheduling: ./));
    expect(counter.places()).toEqual({ backoff: ['web'] });
  });

  test('keeps the room until the server has answered, however often it must be asked', async () => {
    await using counter = await Counter.open();
    const assignment = await counter.assign('web');
    counter.strike({ fault: 'refuse', reason: 'ServiceUnavailable', requests: 4 });
    const cycle = counter.settle(bindingCycle(counter.scheduler, assignment));
    let mostAsked = 0;
    counter.cluster.sim.every(1, () => {
      if (counter.cache.isAssumedPod(assignment.assumed)) mostAsked = counter.asked('get');
    });
    await cycle;
    expect(mostAsked, 'how often it had asked in vain while it kept the room').toBeGreaterThanOrEqual(3);
    expect(shownBy(counter.cache.snapshot())).toEqual({ 'node-1': [], 'node-2': [] });
    expect(counter.places()).toEqual({ backoff: ['web'] });
  });

  test('takes the pod to be where the server says, when another has bound it', async () => {
    await using counter = await Counter.open();
    await counter.sleeper();
    const assignment = await counter.assign('web');
    await counter.cluster.admin.bind(key('web'), 'node-2');
    await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(shownBy(counter.cache.snapshot())).toEqual({ 'node-1': [], 'node-2': ['web'] });
    expect(counter.cache.isAssumedPod(assignment.assumed)).toBe(true);
    expect(counter.places()).toEqual({ active: ['sleeper'] });
    expect(counter.told).toEqual([]);
  });

  test('lets the informer have the last word, when another has bound the pod', async () => {
    await using counter = await Counter.open();
    const [shown, gone] = [await counter.assign('shown'), await counter.assign('gone')];
    for (const name of ['shown', 'gone']) await counter.cluster.admin.bind(key(name), 'node-2');
    const bound = counter.pod('shown') as Pod;
    counter.informer.set('shown', bound);
    counter.cache.addPod(bound);
    counter.informer.delete('gone');
    for (const assignment of [shown, gone]) await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(shownBy(counter.cache.snapshot())).toEqual({ 'node-1': [], 'node-2': ['shown'] });
    expect(counter.cache.isAssumedPod(bound)).toBe(false);
    expect(counter.places()).toEqual({});
  });

  test('lets go of a pod that is gone, and of one in whose place there is another', async () => {
    await using counter = await Counter.open();
    const [gone, replaced] = [await counter.assign('gone'), await counter.assign('replaced')];
    for (const name of ['gone', 'replaced']) {
      await counter.cluster.admin.delete(pods, key(name));
      counter.informer.delete(name);
    }
    await counter.create('replaced');
    for (const assignment of [gone, replaced]) {
      counter.strike({ fault: 'time-out', performed: true });
      await counter.settle(bindingCycle(counter.scheduler, assignment));
    }
    expect(shownBy(counter.cache.snapshot())).toEqual({ 'node-1': [], 'node-2': [] });
    expect(counter.places()).toEqual({});
    expect(counter.told).toEqual([]);
    expect(counter.pod('replaced')?.spec.nodeName ?? '').toBe('');
  });

  test('does nothing more after it was told to stop', async () => {
    await using counter = await Counter.open();
    const assignment = await counter.assign('web');
    counter.strike({ fault: 'time-out', performed: false });
    const cycle = bindingCycle(counter.scheduler, assignment);
    await counter.cluster.runFor(10);
    counter.stop.abort();
    await counter.settle(cycle);
    expect([counter.asked('get'), counter.asked('patch')]).toEqual([0, 0]);
    expect(counter.told).toEqual([]);
  });
});

interface StageOptions extends ClusterOptions {
  /** @defaultValue {@link room} and {@link disk} */
  readonly filters?: readonly framework.FilterPlugin[];
  readonly reserve?: readonly framework.ReservePlugin[];
  readonly bind?: readonly framework.BindPlugin[];
  /** What a list that the scheduler asks for itself gives, when it is told what the server would. */
  readonly listed?: (fromServer: List<Pod>) => List<Pod>;
}

/** The client, but for what its lists give. */
function withLists(client: Client, listed: NonNullable<StageOptions['listed']>): Client {
  const list = async (...args: Parameters<Client['list']>) =>
    listed((await client.list(...args)) as unknown as List<Pod>);
  return new Proxy(client, {
    get(target, verb) {
      const method = Reflect.get(target, verb) as unknown;
      if (verb === 'list') return list;
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
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
    const filtering = filteringOf(filters, (request) => diary.push({ request, atMs: cluster.sim.elapsedMs }));
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
    const { reserve = [], bind = [], listed = (list) => list } = this.#options;
    this.#process = this.cluster.run(
      PROCESS,
      (context) =>
        scheduler({
          ...context,
          client: withLists(context.client, listed),
          profile: () => ({ ...context.profile(), reserve, bind }),
        }),
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
    const { labels = {}, ...rest } = parts;
    const { spec, status } = aNode(name, rest);
    await this.admin.create(nodes, { metadata: { name, labels }, spec, status } as never);
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
    const { labels = {}, finalizers = [] } = metadata;
    return this.admin.create(pods, { metadata: { ...key(name), labels, finalizers }, spec } as never);
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

  condition(name: string): string | undefined {
    return sayCondition(this.pod(name));
  }

  /** What the scheduler told people about a pod, each thing once. */
  told(name: string): string[] {
    const lines = this.cluster.journal
      .of(events)
      .filter(({ actor, object }) => actor === PROCESS && object.involvedObject.name === name)
      .map(({ object }) => `${object.type} ${object.reason}: ${object.message}`);
    return [...new Set(lines)];
  }

  /** Each time that the filters were asked about a pod. */
  asked(name: string): Diary {
    return this.#diary.filter(({ request }) => request.pod.metadata.name === name);
  }

  /** When that was, in ms since the cluster began. */
  tries(name: string): number[] {
    return this.asked(name).map(({ atMs }) => atMs);
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
  /** A queue and a cache, and what happens to them. */
  const desk = () => {
    const { queue } = new Desk([
      { name: 'Room', eventsToRegister: () => [{ event: POD_GONE }] },
      { name: 'Friend', eventsToRegister: () => [{ event: { resource: 'AssignedPod', actionType: 'Add' } }] },
      {
        name: 'Label',
        eventsToRegister: () => [{ event: { resource: 'AssignedPod', actionType: 'UpdatePodLabel' } }],
      },
      { name: 'Node', eventsToRegister: () => [{ event: ADD_NODE }] },
      { name: 'Disk', eventsToRegister: () => [{ event: NODE_LABEL }] },
      { name: 'Gone', eventsToRegister: () => [{ event: { resource: 'Node', actionType: 'Delete' } }] },
    ]);
    const cache = new SchedulerCache();
    const profile: framework.Profile = {
      schedulerName: 'default-scheduler',
      filtering: filteringOf([]),
      scoring: byName,
      reserve: [],
      bind: [],
    };
    const pieces = { queue, cache, profile };
    return {
      ...pieces,
      pod: (previous: Pod | undefined, current: Pod | undefined) => podChanged(pieces, previous, current),
      node: (previous: Node | undefined, current: Node | undefined) => nodeChanged(pieces, previous, current),
      places: () => placesOf(queue),
      shown: () => shownBy(cache.snapshot()),
      /** Pods that sleep, each because of the plugin that it is called after. */
      sleepers: async () => {
        for (const name of ['Room', 'Friend', 'Label', 'Node', 'Disk', 'Gone']) {
          queue.add(aPod(name));
          const info = (await soFar(queue.pop())) as QueuedPodInfo;
          queue.addUnschedulableIfNotPresent({ ...info, unschedulablePlugins: new Set([name]) });
        }
      },
    };
  };
  const placed = (name: string, parts: PodParts = {}): Pod => aPod(name, { nodeName: 'node-1', ...parts });
  const awake = (places: Record<string, string[]>) => [...(places.backoff ?? []), ...(places.active ?? [])];

  test('puts a pod that waits into the queue, keeps it up to date there, and takes it out when it is gone', () => {
    const { pod, queue, places } = desk();
    const [first, second] = [aPod('web'), aPod('web', { labels: { version: '2' } })];
    pod(undefined, first);
    expect(queue.podsInActiveQ()).toEqual([first]);
    pod(first, second);
    expect(queue.podsInActiveQ()).toEqual([second]);
    pod(second, undefined);
    expect(places()).toEqual({});
  });

  test('lets be a pod of another scheduler, and one that has ended', () => {
    const { pod, places } = desk();
    pod(undefined, aPod('theirs', { schedulerName: 'another' }));
    pod(undefined, aPod('done', { phase: 'Succeeded' }));
    pod(undefined, placed('failed', { phase: 'Failed' }));
    const ours = aPod('ours');
    pod(undefined, ours);
    pod(ours, aPod('ours', { phase: 'Failed' }));
    expect(places()).toEqual({});
  });

  test('puts a pod that has a node into the cache, and who waited for one wakes', async () => {
    const { pod, node, places, shown, sleepers } = desk();
    node(undefined, aNode('node-1'));
    await sleepers();
    const theirs = placed('theirs', { schedulerName: 'another' });
    pod(undefined, theirs);
    expect(shown()).toEqual({ 'node-1': ['theirs'] });
    expect(awake(places())).toEqual(['Friend']);
    const next = placed('theirs', { schedulerName: 'another', labels: { a: 'b' } });
    pod(theirs, next);
    expect(awake(places())).toEqual(['Friend', 'Label']);
    pod(next, undefined);
    expect(shown()).toEqual({ 'node-1': [] });
    expect(awake(places())).toEqual(['Friend', 'Label', 'Room']);
  });

  test('takes a pod out of the queue that has got a node, and one out of the cache that has ended', async () => {
    const { pod, node, places, shown, sleepers } = desk();
    node(undefined, aNode('node-1'));
    const waiting = aPod('web');
    pod(undefined, waiting);
    pod(waiting, placed('web'));
    expect(places()).toEqual({});
    expect(shown()).toEqual({ 'node-1': ['web'] });
    await sleepers();
    pod(placed('web'), placed('web', { phase: 'Succeeded' }));
    expect(shown()).toEqual({ 'node-1': [] });
    expect(awake(places())).toEqual(['Room']);
  });

  test('leaves a pod that is assumed to the one who binds it, unless it goes', async () => {
    const { pod, node, places, shown, cache, sleepers } = desk();
    node(undefined, aNode('node-1'));
    await sleepers();
    const [first, second] = [aPod('web'), aPod('web', { labels: { version: '2' } })];
    cache.assumePod(first, 'node-1');
    pod(first, second);
    pod(undefined, second);
    expect(places().active).toBeUndefined();
    expect(shown()).toEqual({ 'node-1': ['web'] });
    pod(second, undefined);
    expect(shown()).toEqual({ 'node-1': [] });
    expect(awake(places())).toEqual(['Room']);
  });

  test('takes two of one name for two, and a resync for nothing', async () => {
    const { pod, queue, shown, node, places } = desk();
    node(undefined, aNode('node-1'));
    const [old, next] = [placed('web', { uid: 'old' }), aPod('web', { uid: 'new' })];
    pod(undefined, old);
    pod(old, next);
    expect(shown()).toEqual({ 'node-1': [] });
    expect(queue.podsInActiveQ()).toEqual([next]);
    await soFar(queue.pop());
    queue.done('new');
    pod(next, next);
    expect(places()).toEqual({});
  });

  test('follows the nodes, and wakes who waits for them', async () => {
    const { node, shown, places, sleepers } = desk();
    await sleepers();
    const [first, second] = [aNode('node-1'), aNode('node-1', { labels: { disk: 'ssd' } })];
    node(undefined, first);
    expect(shown()).toEqual({ 'node-1': [] });
    expect(awake(places())).toEqual(['Node']);
    node(first, aNode('node-1'));
    expect(awake(places())).toEqual(['Node']);
    node(first, second);
    expect(awake(places())).toEqual(['Disk', 'Node']);
    node(second, undefined);
    expect(shown()).toEqual({});
    expect(awake(places())).toEqual(['Disk', 'Gone', 'Node']);
  });

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

  test('gives back the room of a pod that went while nobody watched', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { pods: 1 });
    await stage.addPod('first');
    await stage.addPod('second');
    await stage.pass(3_000);
    stage.strike({ fault: 'delay-watches', resource: 'pods', forMs: 2_000 });
    await stage.deletePod('first');
    stage.cluster.nemesis.strike({ fault: 'compact' });
    stage.strike({ fault: 'cut-watches' });
    await stage.pass(20_000);
    expect(stage.nodeOf('second')).toBe('node-1');
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

  test('leaves alone the pods of another scheduler', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1');
    await stage.addPod('theirs', { schedulerName: 'another' });
    await stage.pass(30_000);
    expect(stage.nodeOf('theirs')).toBeUndefined();
    expect(stage.tries('theirs')).toEqual([]);
  });

  test('looks for no node for a pod that is being deleted, and says so', async () => {
    await using stage = await Stage.empty();
    await stage.addNode('node-1');
    await stage.create('going', { finalizers: ['example.com/wait'] });
    await stage.admin.delete(pods, key('going'));
    await stage.start();
    await stage.pass(30_000);
    expect(stage.pod('going')?.metadata.deletionTimestamp).toBeDefined();
    expect(stage.tries('going')).toEqual([]);
    expect(stage.writes()).toEqual([]);
    expect(stage.told('going')).toEqual([
      'Warning FailedScheduling: skip schedule deleting pod: default/going',
    ]);
  });

  test('holds a pod that is gated until it has no gate any more', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1');
    await stage.addPod('web', { gates: ['example.com/wait'] });
    expect(stage.tries('web')).toEqual([]);
    const body = { spec: { schedulingGates: [] } };
    await stage.admin.patch(pods, key('web'), { type: 'merge', body });
    await stage.pass();
    expect(stage.nodeOf('web')).toBe('node-1');
  });

  test('knows of what it has decided before the server does', async () => {
    await using stage = await Stage.empty({ latencyMs: 200 });
    await stage.addNode('node-1', { pods: 2 });
    for (const name of ['a', 'b', 'c', 'd']) await stage.create(name);
    await stage.start();
    await stage.pass(10_000);
    expect(stage.mostOn('node-1')).toBe(2);
    expect(stage.binds().sort()).toEqual(['a ok', 'b ok']);
  });

  test('takes another pod when a plugin will not reserve, and takes it for turned away', async () => {
    let full = true;
    const reserve = [
      {
        name: 'License',
        reserve: (_: framework.CycleState, { metadata }: Pod) =>
          full && metadata.name === 'first' ? framework.unschedulable('no license') : framework.success,
        unreserve: () => {},
      },
    ];
    await using stage = await Stage.begin({ reserve });
    await stage.addNode('node-1', { pods: 1 });
    await stage.addPod('first');
    expect(stage.condition('first')).toBe('False Unschedulable: 0/1 nodes are available: 1 no license.');
    await stage.addPod('second');
    expect(stage.nodeOf('second'), 'where the second pod is, for which there is room').toBe('node-1');
    await stage.pass(20_000);
    full = false;
    await stage.deletePod('second');
    await stage.pass(12_000);
    expect(stage.nodeOf('first')).toBe('node-1');
  });

  test('tries nobody again whom a plugin would not reserve for, as long as nothing happens', async () => {
    const license = {
      name: 'License',
      reserve: () => framework.unschedulable('no license'),
      unreserve: () => {},
    };
    await using stage = await Stage.begin({ reserve: [license] });
    await stage.addNode('node-1', { pods: 1 });
    await stage.addPod('first');
    await stage.pass(60_000);
    expect(stage.tries('first'), 'to take the room back helps only others').toHaveLength(1);
  });

  test('does not wait for one pod to be told why it waits before it tries the next', async () => {
    await using stage = await Stage.empty({ latencyMs: 1_000 });
    await stage.addNode('node-1', { pods: 1 });
    await stage.create('placed');
    await stage.admin.bind(key('placed'), 'node-1');
    for (const name of ['a', 'b', 'c']) await stage.create(name);
    await stage.start();
    await stage.pass(60_000);
    const first = ['a', 'b', 'c'].map((name) => stage.tries(name)[0] ?? Number.NaN);
    expect(Math.max(...first) - Math.min(...first), `first tried at ${first.join(', ')} ms`).toBeLessThan(
      1_000,
    );
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

  test('begins with each pod where it was told that the one before had ended', async () => {
    await using stage = await Stage.begin();
    for (const name of ['node-1', 'node-2', 'node-3']) await stage.addNode(name);
    for (const name of ['a', 'b', 'c']) await stage.addPod(name);
    const begins = ['a', 'b', 'c'].map((name) => stage.asked(name)[0]?.request.startIndex ?? 0);
    expect(begins).toEqual([0, 1, 2]);
  });

  test('shows the plugins the labels of namespaces, which may change', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1');
    const body = { metadata: { labels: { team: 'a' } } };
    await stage.admin.patch(namespaces, { name: 'default' }, { type: 'merge', body });
    await stage.pass();
    await stage.addPod('web');
    const shown = stage.asked('web')[0]?.request.snapshot.namespaces;
    expect(shown?.get('default')).toMatchObject({ team: 'a' });
    expect([...(shown?.keys() ?? [])]).toContain('kube-system');
  });

  test('has no more than 500 pods on their way at a time', async () => {
    const under: (() => void)[] = [];
    const slow: framework.BindPlugin = {
      name: 'Slow',
      bind: async () => {
        await new Promise<void>((resolve) => under.push(resolve));
        return framework.success;
      },
    };
    await using stage = await Stage.empty({ bind: [slow], filters: [] });
    await stage.addNode('node-1', { pods: 1_000 });
    for (let i = 0; i < 520; i++) await stage.create(`web-${i}`);
    await stage.start();
    let bound = 0;
    let most = 0;
    while (under.length > 0) {
      most = Math.max(most, under.length);
      for (const resolve of under.splice(0)) {
        resolve();
        bound++;
      }
      await stage.pass();
    }
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(500);
    expect(bound).toBe(520);
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
    ['also when that is refused at first', { refusals: 1 }],
    ['also by pods of another scheduler', { schedulerName: 'another' }],
  ])(
    'asks what is taken before it begins, %s',
    async (_, { refusals = 0, ...parts }: PodParts & { refusals?: number }) => {
      let asked = 0;
      await using stage = await Stage.empty({
        replicas: 2,
        listed(list) {
          if (asked++ < refusals) throw errors.unavailable('not now');
          return list;
        },
      });
      await stage.addNode('node-1', { pods: 1 });
      await stage.create('low', parts);
      await stage.create('high', { priority: 10 });
      await stage.pass();
      stage.cluster.nemesis.strike({ fault: 'lag', replica: 1, forMs: 60_000 });
      await stage.admin.bind(key('low'), 'node-1');
      await stage.start(1);
      await stage.pass(120_000);
      expect(stage.mostOn('node-1'), 'pods on node-1 at once, which has room for one').toBe(1);
      expect(stage.told('low'), 'said of a pod that has a node').toEqual([]);
      await stage.deletePod('low');
      await stage.pass(15_000);
      expect(stage.nodeOf('high')).toBe('node-1');
    },
  );

  test('keeps no room for a pod that had ended before it began', async () => {
    await using stage = await Stage.empty();
    await stage.addNode('node-1', { pods: 1 });
    await stage.create('job');
    await stage.admin.bind(key('job'), 'node-1');
    const job = stage.pod('job') as Pod;
    await stage.admin.updateStatus(pods, { ...job, status: { ...job.status, phase: 'Succeeded' } });
    await stage.create('web');
    await stage.start();
    await stage.pass(2_000);
    expect(stage.nodeOf('web'), 'where the pod is for which there is room').toBe('node-1');
  });

  test('keeps no room for ever for a pod that only the list knew, and wakes who waits for it', async () => {
    let ghost: Pod | undefined;
    await using stage = await Stage.empty({
      listed: (list) => ({ ...list, items: ghost ? [...list.items, ghost] : list.items }),
    });
    await stage.addNode('node-1', { pods: 1 });
    await stage.create('ghost');
    await stage.admin.bind(key('ghost'), 'node-1');
    ghost = stage.pod('ghost');
    await stage.admin.delete(pods, key('ghost'), { gracePeriodSeconds: 0 });
    await stage.create('web');
    await stage.pass();
    await stage.start();
    await stage.pass(120_000);
    expect(
      stage.nodeOf('web'),
      'where the pod is, two minutes after it was listed beside a pod that is gone',
    ).toBe('node-1');
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
