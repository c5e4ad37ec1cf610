import { describe, expect, test } from 'vitest';
import { components } from '#components';
import {
  type Deployment,
  deployments,
  framework,
  type New,
  type Node,
  nodes,
  type Pod,
  pods,
} from '#harness';
import { type Cluster, createCluster, holds, remembering, scriptedKubelet } from '#harness/testing';
import { scheduler } from '#kata/33-bind/bind';
import { schedulerLaws as laws, runScheduler, schedulerWorkloads } from '#laws/33-bind';
import { overcommitments } from '#laws/scheduling';

const mine = { ...components, scheduler };

/** All laws share the same runs; each scenario runs once. */
const live = remembering((scenario: Parameters<typeof runScheduler>[2]) =>
  runScheduler(scheduler, mine, scenario),
);

describe('The laws of a scheduler', () => {
  test('Never two nodes: the scheduler binds no pod that it is already binding, or that it can know to have a node', () =>
    holds(laws.neverTwoNodes, schedulerWorkloads, live));

  test('Never overcommits: a pod that the scheduler binds fits beside all pods that it has bound or its informers have reported', () =>
    holds(laws.neverOvercommits, schedulerWorkloads, live));

  test('Retries with a pause: after a failed read, the scheduler waits before it repeats the read', () =>
    holds(laws.asksWithAPause, schedulerWorkloads, live));

  test('Only where allowed: a pod is bound to an existing node that accepts it', () =>
    holds(laws.onlyWhereItMay, schedulerWorkloads, live));

  test('Highest score: of the nodes that can run a pod, the scheduler binds it to one with the highest score', () =>
    holds(laws.goesWhereItIsBest, schedulerWorkloads, live));

  test('Newest version: the scheduler tries a pod in the newest version that its informer has reported', () =>
    holds(laws.knowsTheNewest, schedulerWorkloads, live));

  test('Rotates: each search for a node starts where the previous one ended', () =>
    holds(laws.takesTurns, schedulerWorkloads, live));

  test('Leaves others alone: the scheduler ignores pods that are gated, deleted, ended, bound, or for another scheduler', () =>
    holds(laws.leavesAlone, schedulerWorkloads, live));

  test('Every pod is bound: once faults stop, every pod that fits on a node gets one', () =>
    holds(laws.everyPodIsBound, schedulerWorkloads, live));

  test('Starves no pod: a new pod is tried soon, however many other pods wait or are being bound', () =>
    holds(laws.starvesNoPod, schedulerWorkloads, live));

  test('Wakes in time: a change that makes a pod fit wakes it, and the pod gets a node as soon as its backoff is over', () =>
    holds(laws.wakesInTime, schedulerWorkloads, live));

  test('Wakes for good reason: a rejected pod is not retried before a change could help it', () =>
    holds(laws.wakesForGoodReason, schedulerWorkloads, live));

  test('Retries leftovers: a pod that no event wakes is retried after five minutes', () =>
    holds(laws.triesOnceMore, schedulerWorkloads, live));

  test('Backs off: 1 s after the first failure, then 2, 4, 8 and 10 s; errors and rejections are counted separately', () =>
    holds(laws.backsOff, schedulerWorkloads, live));

  test('Important first: of pods that become ready at the same moment, the one with the highest priority is tried first', () =>
    holds(laws.importantFirst, schedulerWorkloads, live));

  test('Forgets failed binds: a pod that could not be bound takes up no room', () =>
    holds(laws.forgetsWhatFailed, schedulerWorkloads, live));

  test('Unreserves: the scheduler calls unreserve for a pod that it reserved and could not bind', () =>
    holds(laws.givesBack, schedulerWorkloads, live));

  test('The cache is true: without faults, each snapshot has exactly the nodes and pods of the cluster', () =>
    holds(laws.cacheIsTrue, schedulerWorkloads, live));

  test('Reports the truth: conditions and events are true, and without faults none is missing', () =>
    holds(laws.tellsTheTruth, schedulerWorkloads, live));

  test('Quiet at rest: when nothing happens, the scheduler writes nothing and tries no pod', () =>
    holds(laws.quietAtRest, schedulerWorkloads, live));
});

describe('In a cluster', () => {
  test('End to end: the pods of a Deployment get nodes despite errors, timeouts, restarts and a node that is replaced', async () => {
    await using cluster = await createCluster({
      seed: 33,
      replicas: 2,
      latencyMs: { min: 1, max: 20 },
      components: mine,
    });
    for (const name of ['node-1', 'node-2', 'node-3']) await addNode(cluster, name);
    cluster.runComponents('deploymentController', 'replicaSetController', 'scheduler');
    cluster.nemesis.schedule([
      { atMs: 0, fault: 'crash', process: PROCESS, skip: 9, performed: true, restartAfterMs: 5_000 },
      { atMs: 10_000, fault: 'refuse', process: PROCESS, reason: 'InternalError', requests: 2 },
      { atMs: 10_000, fault: 'time-out', process: PROCESS, performed: true },
      { atMs: 10_000, fault: 'delay-watches', process: PROCESS, resource: 'pods', forMs: 90_000 },
      { atMs: 120_000, fault: 'cut-watches', process: PROCESS },
    ]);
    await cluster.admin.create(deployments, web(3));
    await cluster.runFor(20_000);
    await cluster.admin.patch(deployments, WEB, { type: 'merge', body: { spec: { replicas: 7 } } });
    expect(
      await cluster.runUntil(() => placed(cluster).length === 6, 300_000),
      `after 300 s ${placed(cluster).length} pods have a node; three nodes have room for two each`,
    ).toBe(true);
    await cluster.runFor(60_000);
    const [seventh] = waiting(cluster);
    expect(conditionOf(seventh)).toMatchObject({
      status: 'False',
      reason: 'Unschedulable',
      message: '0/3 nodes are available: 3 Insufficient cpu.',
    });

    await cluster.admin.delete(nodes, { name: 'node-3' });
    // Nodes and pods come over separate watches: the scheduler must observe the deleted node first.
    await cluster.runFor(1_000);
    for (const { metadata, spec } of placed(cluster)) {
      if (spec.nodeName !== 'node-3') continue;
      const key = { namespace: 'default', name: metadata.name };
      await cluster.admin.delete(pods, key, { gracePeriodSeconds: 0 });
    }
    await cluster.runFor(60_000);
    expect(
      [placed(cluster).length, waiting(cluster).length],
      'pods with a node, and pods that wait: node-3 is gone with its two pods',
    ).toEqual([4, 3]);

    cluster.nemesis.strike({
      fault: 'crash',
      process: PROCESS,
      skip: 1,
      performed: false,
      restartAfterMs: 3_000,
    });
    for (const name of ['node-4', 'node-5']) await addNode(cluster, name);
    expect(
      await cluster.runUntil(() => ready(cluster) === 7, 60_000),
      `${ready(cluster)} of 7 pods are ready 60 s after two nodes were added`,
    ).toBe(true);
    expect(everOvercommitted(cluster), 'nodes that were overcommitted').toEqual([]);
  });

  test('No flood: at most 500 pods are being bound at the same time', async () => {
    const pending: (() => void)[] = [];
    const slow: framework.BindPlugin = {
      name: 'Slow',
      bind: async () => {
        await new Promise<void>((resolve) => pending.push(resolve));
        return framework.success;
      },
    };
    await using cluster = await createCluster({ components: mine });
    await addNode(cluster, 'node-1', { pods: '1000' });
    for (let i = 0; i < 520; i++) {
      await cluster.admin.create(pods, {
        metadata: { name: `web-${i}`, namespace: 'default' },
        spec: { containers: [{ name: 'nginx', image: 'nginx:1.27' }] },
      });
    }
    cluster.run(PROCESS, (context) =>
      scheduler({ ...context, profile: () => ({ ...context.profile(), bind: [slow] }) }),
    );
    let most = 0;
    for (let bound = 0; bound < 520; bound += pending.splice(0).length) {
      await cluster.runFor(2_000);
      expect(
        pending.length,
        `binds in flight after ${bound} pods: binding one pod must not block the next`,
      ).toBeGreaterThan(1);
      most = Math.max(most, pending.length);
      for (const resolve of pending) resolve();
    }
    expect(most, 'the most binds that were in flight at once').toBeLessThanOrEqual(500);
  });

  test('Failing plugins: a pod whose plugins reject it or throw gives back its room and is retried; the others are bound', async () => {
    /** The number of times that a plugin has failed each pod. */
    const times = new Map<string, number>();
    const isFailing = ({ metadata }: Pod, name: string): boolean => {
      const before = times.get(metadata.name) ?? 0;
      if (metadata.name !== name || before === 2) return false;
      times.set(name, before + 1);
      return true;
    };
    const wrong = (): never => {
      throw new Error('this plugin went wrong');
    };
    const filter: framework.FilterPlugin = {
      name: 'Erratic',
      filter: (_state, pod) => (isFailing(pod, 'erratic') ? wrong() : framework.success),
      eventsToRegister: () => [],
    };
    const setAside = framework.stateKey<string>('SetAside');
    /** The node for which each pod is reserved. */
    const held = new Map<string, string>();
    /** Calls of `unreserve` without an earlier call of `reserve`. */
    const strange: string[] = [];
    const ledger: framework.ReservePlugin = {
      name: 'Ledger',
      reserve(state, { metadata }, nodeName) {
        state.write(setAside, metadata.name);
        held.set(metadata.name, nodeName);
        return framework.success;
      },
      unreserve(state, { metadata }, nodeName) {
        const { name } = metadata;
        const reserved = held.get(name);
        if (reserved !== nodeName)
          strange.push(
            `unreserve(${name}, nodeName "${nodeName}") after reserve(${name}, nodeName "${reserved}")`,
          );
        held.delete(name);
        try {
          state.read(setAside);
        } catch {
          strange.push(`unreserve(${name}) with a state other than that of reserve(${name})`);
        }
      },
    };
    const picky: framework.ReservePlugin = {
      name: 'Picky',
      reserve: (_state, pod) => {
        if (isFailing(pod, 'clumsy')) wrong();
        return isFailing(pod, 'picky') ? framework.unschedulable('it is picky') : framework.success;
      },
      unreserve: () => {},
    };
    const bind: framework.BindPlugin = {
      name: 'Stubborn',
      bind: async (_state, pod) => {
        if (isFailing(pod, 'broken')) wrong();
        return isFailing(pod, 'stubborn') ? framework.unschedulable('it is stubborn') : framework.skip;
      },
    };
    await using cluster = await createCluster({ components: mine });
    await addNode(cluster, 'node-1', { cpu: '6500m' });
    const moodOf: Record<string, string> = {
      erratic: 'the filter threw',
      clumsy: 'reserve threw',
      picky: 'reserve returned Unschedulable',
      broken: 'bind threw',
      stubborn: 'bind returned Unschedulable',
    };
    const moods = Object.keys(moodOf);
    for (const name of [...moods, 'good']) {
      await cluster.admin.create(pods, {
        metadata: { name, namespace: 'default' },
        spec: { containers: [{ name: 'nginx', image: 'nginx:1.27', resources: { requests: { cpu: '1' } } }] },
      });
    }
    cluster.run(PROCESS, (context) =>
      scheduler({
        ...context,
        profile: () => {
          const profile = context.profile();
          const plugins = [...profile.filtering.plugins, filter];
          return {
            ...profile,
            filtering: { ...profile.filtering, plugins },
            reserve: [ledger, picky],
            bind: [bind],
          };
        },
      }),
    );
    const names = (): string[] => placed(cluster).map(({ metadata }) => metadata.name);
    // Node heartbeats and other binds are events that wake a pod which a reserve plugin rejected.
    await cluster.runFor(90_000);
    const bound = new Set(names());
    expect(
      moods.filter((name) => !bound.has(name)).map((name) => `${name}: ${moodOf[name]}`),
      'pods without a node in the end, and what their plugin did at the first two attempts. Any status other than Success, and any error, must undo the assumption and requeue the pod',
    ).toEqual([]);
    expect(bound, 'pods with a node in the end').toEqual(new Set([...moods, 'good']));
    expect(everOvercommitted(cluster), 'nodes that were overcommitted').toEqual([]);
    expect(whyTheyWaited(cluster), 'the reasons of the conditions PodScheduled False').toEqual({
      broken: 'SchedulerError',
      clumsy: 'SchedulerError',
      erratic: 'SchedulerError',
      picky: 'Unschedulable',
      // Upstream treats the status Unschedulable of a bind plugin as a rejection.
      stubborn: expect.stringMatching(/^(SchedulerError|Unschedulable)$/),
    });
    expect(strange, 'unreserve calls with another state or node name than their reserve').toEqual([]);
    expect([...held.keys()].toSorted(), 'pods that are reserved in the end: those that are bound').toEqual(
      [...moods, 'good'].toSorted(),
    );
  });

  test('Pod changes: a change that makes a pod fit wakes it, and no other change extends its backoff', async () => {
    await using cluster = await createCluster({ components: mine });
    await addNode(cluster, 'node-1');
    await cluster.admin.patch(
      nodes,
      { name: 'node-1' },
      { type: 'merge', body: { spec: { taints: [{ key: 'old', effect: 'NoSchedule' }] } } },
    );
    cluster.runComponents('scheduler');
    const key = { namespace: 'default', name: 'busy' };
    const containers = [{ name: 'nginx', image: 'nginx:1.27' }];
    await cluster.admin.create(pods, { metadata: key, spec: { containers } });
    const change = (body: object) => cluster.admin.patch(pods, key, { type: 'merge', body });
    const relabel = async (times: number): Promise<void> => {
      for (let i = 0; i < times; i++) {
        await change({ metadata: { labels: { change: `${i}` } } });
        await cluster.runFor(500);
      }
    };
    await relabel(4);
    expect(conditionOf(waiting(cluster)[0])).toMatchObject({ status: 'False', reason: 'Unschedulable' });
    await change({ spec: { tolerations: [{ key: 'old', operator: 'Exists' }] } });
    // The pod waits for its backoff and changes again meanwhile.
    await relabel(30);
    expect(
      placed(cluster).map(({ metadata }) => metadata.name),
      'pods with a node: the changed tolerations must wake busy, and other changes must not extend its backoff',
    ).toEqual(['busy']);
  });
});

const PROCESS = 'default-scheduler';
const WEB = { namespace: 'default', name: 'web' };

/** Adds a node with room for two pods of `web`, and starts its kubelet. */
async function addNode(cluster: Cluster, name: string, more: Record<string, string> = {}): Promise<void> {
  const amounts = { cpu: '2500m', memory: '8Gi', pods: '110', ...more };
  await cluster.admin.create(nodes, {
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    spec: {},
    status: { capacity: amounts, allocatable: amounts },
  });
  cluster.run(`kubelet-${name}`, scriptedKubelet({ node: name }), { node: name });
}

function web(replicas: number): New<Deployment> {
  const labels = { app: 'web' };
  const containers = [{ name: 'nginx', image: 'nginx:1.27', resources: { requests: { cpu: '1' } } }];
  return {
    metadata: { ...WEB },
    spec: {
      replicas,
      strategy: { type: 'RollingUpdate' },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}

function podsOf(cluster: Cluster): Pod[] {
  return (cluster.storage.list(pods) as Pod[]).filter(({ metadata }) => !metadata.deletionTimestamp);
}

function placed(cluster: Cluster): Pod[] {
  return podsOf(cluster).filter(({ spec }) => spec.nodeName);
}

function waiting(cluster: Cluster): Pod[] {
  return podsOf(cluster).filter(({ spec }) => !spec.nodeName);
}

function ready(cluster: Cluster): number {
  return podsOf(cluster).filter(({ status }) =>
    status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True'),
  ).length;
}

function conditionOf(pod: Pod | undefined) {
  return pod?.status.conditions?.find(({ type }) => type === 'PodScheduled');
}

/** Returns the last reason of PodScheduled False of each pod. */
function whyTheyWaited({ journal }: Cluster): Readonly<Record<string, string>> {
  const reasons = journal.of(pods).flatMap(({ object }): [string, string][] => {
    const { status, reason } = conditionOf(object) ?? {};
    return status === 'False' && reason ? [[object.metadata.name, reason]] : [];
  });
  return Object.fromEntries(reasons);
}

/** Returns each overcommitment of a node in the journal. */
function everOvercommitted(cluster: Cluster): readonly string[] {
  const violations = new Set<string>();
  for (const { objects } of cluster.journal.moments()) {
    for (const node of objects(nodes).values()) {
      const there = [...objects(pods).values()].filter(({ spec }) => spec.nodeName === node.metadata.name);
      for (const what of overcommitments(node as Node, there))
        violations.add(`${node.metadata.name} ${what}`);
    }
  }
  return [...violations];
}
