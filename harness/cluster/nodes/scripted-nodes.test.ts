import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Node, Pod } from '../../api/objects.ts';
import { nodes, pods } from '../../api/resource.ts';
import type { Components } from '../../contracts/component.ts';
import { apiFaults, crashes, faultSchedules, nodeFaults } from '../../testing/arbitraries/faults.ts';
import { podBehaviours } from '../../testing/arbitraries/pods.ts';
import { seeds } from '../../testing/arbitraries/time.ts';
import { type Cluster, type ClusterOptions, createCluster } from '../cluster.ts';
import { type PodScript, scripts } from './pod-script.ts';
import { scriptedKubelet } from './scripted-kubelet.ts';
import { runScriptedNodes } from './scripted-nodes.ts';
import { scriptedScheduler } from './scripted-scheduler.ts';

const { components } = (await import('#components')) as { components: Components };

const clusterOf = (options: ClusterOptions = {}): Promise<Cluster> =>
  createCluster({ components, ...options });

const key = (name: string) => ({ namespace: 'default', name });
const template = (name: string, image = 'nginx', spec: Partial<Pod['spec']> = {}) => ({
  metadata: key(name),
  spec: { containers: [{ name: 'web', image }], ...spec },
});

const podOf = ({ storage }: Cluster, name: string): Pod => storage.get(pods, key(name)) as Pod;
const podsOf = ({ storage }: Cluster): Pod[] => storage.list(pods) as Pod[];

const conditionsOf = (pod: Pod): Record<string, string> =>
  Object.fromEntries((pod.status.conditions ?? []).map(({ type, status }) => [type, status]));

const isReady = (pod: Pod): boolean => conditionsOf(pod).Ready === 'True';

/** Creates a cluster with one node whose pods all follow the same script. */
async function nodeWith(script: PodScript): Promise<Cluster> {
  const cluster = await clusterOf();
  runScriptedNodes(cluster, { count: 1, script: () => script });
  await cluster.runFor(1_000);
  return cluster;
}

/** Returns the changes of a pod's readiness, in ms since `fromMs`. */
function readiness({ journal }: Cluster, name: string, fromMs: number): string[] {
  const told: string[] = [];
  for (const { key, atMs, object, previous } of journal.of(pods)) {
    if (key !== `default/${name}` || (previous && isReady(previous)) === isReady(object)) continue;
    told.push(`${isReady(object) ? 'ready' : 'unready'} at ${atMs - fromMs}`);
  }
  return told;
}

describe('The scripted scheduler', () => {
  test('binds pods to the nodes in turn, by node name', async () => {
    await using cluster = await clusterOf();
    for (const name of ['b', 'a']) await cluster.admin.create(nodes, { metadata: { name } } as never);
    cluster.run('scheduler', scriptedScheduler);
    await cluster.runFor(1_000);
    for (const name of ['p1', 'p2', 'p3']) {
      await cluster.admin.create(pods, template(name));
      await cluster.runFor(100);
    }
    expect(podsOf(cluster).map(({ spec }) => spec.nodeName)).toEqual(['a', 'b', 'a']);
    expect(conditionsOf(podOf(cluster, 'p1'))).toEqual({ PodScheduled: 'True' });
  });

  test('lets pods wait for the first schedulable node', async () => {
    await using cluster = await clusterOf();
    const cordoned = { metadata: { name: 'a' }, spec: { unschedulable: true } };
    await cluster.admin.create(nodes, cordoned as never);
    cluster.run('scheduler', scriptedScheduler);
    await cluster.admin.create(pods, template('p1'));
    await cluster.runFor(60_000);
    expect(podOf(cluster, 'p1').spec.nodeName).toBeUndefined();
    await cluster.admin.create(nodes, { metadata: { name: 'b' } } as never);
    await cluster.runFor(1_000);
    expect(podOf(cluster, 'p1').spec.nodeName).toBe('b');
  });

  test('ignores pods that are gated, terminating, or for another scheduler', async () => {
    await using cluster = await clusterOf();
    await cluster.admin.create(nodes, { metadata: { name: 'a' } } as never);
    await cluster.admin.create(pods, template('gated', 'nginx', { schedulingGates: [{ name: 'wait' }] }));
    await cluster.admin.create(pods, template('other', 'nginx', { schedulerName: 'other' }));
    const ending = { ...template('ending'), metadata: { ...key('ending'), finalizers: ['test/keep'] } };
    await cluster.admin.create(pods, ending);
    await cluster.admin.delete(pods, key('ending'));
    cluster.run('scheduler', scriptedScheduler);
    await cluster.runFor(10_000);
    expect(podsOf(cluster).map(({ spec }) => spec.nodeName)).toEqual([undefined, undefined, undefined]);
    expect(cluster.trace.entries.filter(({ verb }) => verb === 'bind')).toEqual([]);
  });
});

describe('Scripted nodes', () => {
  test("report capacity to the cluster's scheduler, if that is used", async () => {
    await using cluster = await clusterOf();
    runScriptedNodes(cluster, { count: 2, scheduler: 'real' });
    await cluster.runFor(1_000);
    const asking = (cpu: string) => ({
      containers: [{ name: 'web', image: 'nginx', resources: { requests: { cpu } } }],
    });
    for (const name of ['a', 'b', 'c']) {
      await cluster.admin.create(pods, template(name, 'nginx', asking('40')));
    }
    await cluster.runFor(10_000);
    const placed = podsOf(cluster).filter(isReady);
    expect(new Set(placed.map(({ spec }) => spec.nodeName))).toEqual(new Set(['node-1', 'node-2']));
    const [waiting] = podsOf(cluster).filter(({ spec }) => !spec.nodeName);
    expect(waiting?.status.conditions).toMatchObject([
      { type: 'PodScheduled', status: 'False', message: '0/2 nodes are available: 2 Insufficient cpu.' },
    ]);
  });

  test('stay empty without a scheduler', async () => {
    await using cluster = await clusterOf();
    runScriptedNodes(cluster, { scheduler: 'none' });
    await cluster.admin.create(pods, template('a'));
    await cluster.runFor(10_000);
    expect(podOf(cluster, 'a').spec.nodeName).toBeUndefined();
  });
});

describe('The scripted kubelet', () => {
  test('registers its node', async () => {
    await using cluster = await nodeWith({ readyAfterMs: 0, stopsAfterMs: 0 });
    const node = cluster.storage.get(nodes, { name: 'node-1' }) as Node;
    expect(node.status.conditions).toMatchObject([{ type: 'Ready', status: 'True' }]);
    expect(node.metadata.labels).toEqual({
      'kubernetes.io/hostname': 'node-1',
      'topology.kubernetes.io/zone': 'zone-a',
    });
    expect(node.status.allocatable).toMatchObject({ cpu: '64', pods: '110' });
  });

  test('takes a pod from Pending to Running and Ready', async () => {
    await using cluster = await nodeWith({ readyAfterMs: 2_500, stopsAfterMs: 0 });
    await cluster.admin.create(pods, template('a'));
    await cluster.runFor(1_000);
    expect(podOf(cluster, 'a').status).toMatchObject({
      phase: 'Pending',
      hostIP: '192.168.0.1',
      containerStatuses: [{ name: 'web', ready: false, state: { waiting: { reason: 'ContainerCreating' } } }],
    });
    expect(podOf(cluster, 'a').status.podIP).toBeUndefined();
    const { startTime } = podOf(cluster, 'a').status;
    await cluster.runFor(5_000);
    const { status } = podOf(cluster, 'a');
    expect(status).toMatchObject({
      phase: 'Running',
      podIP: '10.244.1.2',
      startTime,
      qosClass: 'BestEffort',
    });
    expect(status.containerStatuses).toMatchObject([
      { name: 'web', image: 'nginx', ready: true, started: true, restartCount: 0, state: { running: {} } },
    ]);
    const transitions = (status.conditions ?? []).map((c) => [c.type, c.status, c.lastTransitionTime]);
    expect(transitions).toEqual([
      ['Initialized', 'True', startTime],
      ['Ready', 'True', '2024-04-17T00:00:03Z'],
      ['ContainersReady', 'True', '2024-04-17T00:00:03Z'],
      ['PodScheduled', 'True', '2024-04-17T00:00:01Z'],
    ]);
  });

  test('reports the observed generation of a pod', async () => {
    await using cluster = await nodeWith({ readyAfterMs: 500, stopsAfterMs: 0 });
    await cluster.admin.create(pods, template('a'));
    await cluster.runFor(5_000);
    const seen = () => {
      const { status } = podOf(cluster, 'a');
      return [status.observedGeneration, ...(status.conditions ?? []).map((c) => c.observedGeneration)];
    };
    expect(seen()).toEqual([1, 1, 1, 1, 1]);
    const image = { spec: { containers: [{ name: 'web', image: 'nginx:2' }] } };
    await cluster.admin.patch(pods, { namespace: 'default', name: 'a' }, { type: 'strategic', body: image });
    await cluster.runFor(5_000);
    expect(seen()).toEqual([2, 2, 2, 2, 2]);
  });

  test('keeps conditions of other authors', async () => {
    await using cluster = await nodeWith({ readyAfterMs: 500, stopsAfterMs: 0 });
    const [key, finalizers] = [{ namespace: 'default', name: 'a' }, ['example.com/wait']];
    await cluster.admin.create(pods, template('a'));
    await cluster.admin.patch(pods, key, { type: 'merge', body: { metadata: { finalizers } } });
    await cluster.runFor(5_000);
    await cluster.admin.evict(key);
    await cluster.runFor(5_000);
    const { phase, conditions = [] } = podOf(cluster, 'a').status;
    expect([phase, conditions[0]?.type]).toEqual(['Succeeded', 'DisruptionTarget']);
  });

  test('writes twice for a healthy pod, and then stays idle', async () => {
    await using cluster = await nodeWith({ readyAfterMs: 500, stopsAfterMs: 0 });
    await cluster.admin.create(pods, template('a'));
    await cluster.runFor(3_600_000);
    expect(cluster.journal.of(pods).map(({ actor, verb }) => `${actor} ${verb}`)).toEqual([
      'admin create',
      'scheduler bind',
      'kubelet-node-1 updateStatus',
      'kubelet-node-1 updateStatus',
    ]);
  });

  test('lets a pod wait forever if its image cannot be pulled', async () => {
    await using cluster = await nodeWith({ readyAfterMs: 'never', stopsAfterMs: 0 });
    await cluster.admin.create(pods, template('a'));
    const waitingFor = () => podOf(cluster, 'a').status.containerStatuses?.[0]?.state?.waiting?.reason;
    await cluster.runFor(2_000);
    expect(waitingFor()).toBe('ErrImagePull');
    await cluster.runFor(3_600_000);
    expect(waitingFor()).toBe('ImagePullBackOff');
    expect(podOf(cluster, 'a').status.phase).toBe('Pending');
    expect(conditionsOf(podOf(cluster, 'a'))).toMatchObject({ Ready: 'False', PodScheduled: 'True' });
  });

  test('turns readiness off and on', async () => {
    const unready = [
      { afterMs: 1_000, forMs: 500 },
      { afterMs: 2_000, forMs: 500 },
    ];
    await using cluster = await nodeWith({ readyAfterMs: 100, unready, stopsAfterMs: 0 });
    await cluster.admin.create(pods, template('a'));
    const fromMs = cluster.sim.elapsedMs;
    await cluster.runFor(60_000);
    // The create, its event, the bind and its event: the node knows the pod after 3 ms.
    expect(readiness(cluster, 'a', fromMs)).toEqual([
      'unready at 0',
      'ready at 104',
      'unready at 1104',
      'ready at 1604',
      'unready at 3604',
      'ready at 4104',
    ]);
    expect(podOf(cluster, 'a').status.phase).toBe('Running');
  });

  test('evicts a pod, which then stays Failed', async () => {
    await using cluster = await nodeWith({ readyAfterMs: 100, failsAfterMs: 5_000, stopsAfterMs: 60_000 });
    await cluster.admin.create(pods, template('a'));
    await cluster.runFor(60_000);
    const { status } = podOf(cluster, 'a');
    expect(status).toMatchObject({ phase: 'Failed', reason: 'Evicted' });
    expect(conditionsOf(podOf(cluster, 'a'))).toMatchObject({ Ready: 'False', ContainersReady: 'False' });
    expect(status.containerStatuses?.[0]?.state?.terminated?.exitCode).toBe(137);
    await cluster.admin.delete(pods, key('a'));
    expect(podsOf(cluster)).toEqual([]);
  });

  test('removes a deleted pod once it has stopped', async () => {
    await using cluster = await nodeWith({ readyAfterMs: 0, stopsAfterMs: 3_000 });
    await cluster.admin.create(pods, template('a'));
    await cluster.runFor(1_000);
    await cluster.admin.delete(pods, key('a'));
    await cluster.runFor(2_900);
    expect(isReady(podOf(cluster, 'a'))).toBe(true);
    await cluster.runFor(200);
    expect(podsOf(cluster)).toEqual([]);
    const [last] = cluster.journal.of(pods).slice(-1);
    expect(last).toMatchObject({ actor: 'kubelet-node-1', verb: 'delete', type: 'DELETED' });
    expect(last?.previous?.status.phase).toBe('Succeeded');
  });

  test('waits at most for the grace period, even if it was shortened meanwhile', async () => {
    await using cluster = await nodeWith({ readyAfterMs: 0, stopsAfterMs: 3_600_000 });
    for (const name of ['a', 'b']) await cluster.admin.create(pods, template(name));
    await cluster.runFor(1_000);
    for (const name of ['a', 'b']) await cluster.admin.delete(pods, key(name));
    await cluster.runFor(5_000);
    await cluster.admin.delete(pods, key('b'), { gracePeriodSeconds: 10 });
    await cluster.runFor(5_100);
    expect(podsOf(cluster).map(({ metadata }) => metadata.name)).toEqual(['a']);
    await cluster.runFor(20_000);
    expect(podsOf(cluster)).toEqual([]);
  });

  test('stops a pod at once if it never ran', async () => {
    await using cluster = await nodeWith({ readyAfterMs: 'never', stopsAfterMs: 20_000 });
    await cluster.admin.create(pods, template('a'));
    await cluster.runFor(1_000);
    await cluster.admin.delete(pods, key('a'));
    await cluster.runFor(100);
    expect(podsOf(cluster)).toEqual([]);
  });

  test('reports once that a pod has stopped, while finalizers keep it', async () => {
    await using cluster = await nodeWith({ readyAfterMs: 0, stopsAfterMs: 0 });
    const kept = { ...template('a'), metadata: { ...key('a'), finalizers: ['test/keep'] } };
    await cluster.admin.create(pods, kept);
    await cluster.runFor(1_000);
    await cluster.admin.delete(pods, key('a'));
    await cluster.runFor(60_000);
    expect(podOf(cluster, 'a').status.phase).toBe('Succeeded');
    expect(cluster.trace.entries.filter(({ verb }) => verb === 'delete')).toHaveLength(1);
    await cluster.admin.patch(pods, key('a'), { type: 'merge', body: { metadata: { finalizers: null } } });
    expect(podsOf(cluster)).toEqual([]);
  });

  test('distinguishes a new pod from an earlier one of the same name', async () => {
    await using cluster = await nodeWith({ readyAfterMs: 0, stopsAfterMs: 0 });
    await cluster.admin.create(pods, template('a'));
    await cluster.runFor(1_000);
    const { uid } = podOf(cluster, 'a').metadata;
    await cluster.admin.delete(pods, key('a'), { gracePeriodSeconds: 0 });
    await cluster.admin.create(pods, template('a'));
    await cluster.runFor(1_000);
    expect(podOf(cluster, 'a').metadata.uid).not.toBe(uid);
    expect(isReady(podOf(cluster, 'a'))).toBe(true);
  });

  test('gives every pod a unique address', async () => {
    await using cluster = await clusterOf();
    cluster.run('kubelet', scriptedKubelet({ node: 'node-7' }), { node: 'node-7' });
    for (let i = 0; i < 260; i++) {
      await cluster.admin.create(pods, template(`p${i}`, 'nginx', { nodeName: 'node-7' }));
    }
    await cluster.runFor(10_000);
    const addresses = podsOf(cluster).map(({ status }) => status.podIP);
    expect(addresses.every((ip) => /^10\.24[34]\.7\.\d+$/.test(ip ?? ''))).toBe(true);
    expect(new Set(addresses).size).toBe(260);
  });
});

describe('Scripted nodes', () => {
  test('keep their schedule after a restart: a pod becomes ready at the same time', async () => {
    const readyAt = async (crashAtMs: number): Promise<string[]> => {
      await using cluster = await clusterOf();
      runScriptedNodes(cluster, { count: 1, script: scripts({ readyAfterMs: { min: 2_000, max: 9_000 } }) });
      await cluster.runFor(1_000);
      const names = ['a', 'b', 'c'];
      for (const name of names) await cluster.admin.create(pods, template(name));
      const fromMs = cluster.sim.elapsedMs;
      const fault = { fault: 'crash', process: 'kubelet-node-1', skip: 0, performed: true } as const;
      cluster.nemesis.schedule([{ atMs: fromMs + crashAtMs, ...fault, restartAfterMs: 50 }]);
      await cluster.runFor(60_000);
      return names.flatMap((name) => readiness(cluster, name, fromMs).slice(1));
    };
    const undisturbed = await readyAt(1e9);
    expect(new Set(undisturbed).size).toBe(3);
    expect(await readyAt(500)).toEqual(undisturbed);
  });

  test('treat an image by its tag', async () => {
    await using cluster = await clusterOf();
    runScriptedNodes(cluster);
    await cluster.admin.create(pods, template('good', 'nginx:1.27'));
    await cluster.admin.create(pods, template('bad', 'nginx:broken'));
    await cluster.runFor(60_000);
    expect(isReady(podOf(cluster, 'good'))).toBe(true);
    expect(isReady(podOf(cluster, 'bad'))).toBe(false);
  });

  test('converge after any faults: existing pods run, and deleted pods are removed', async () => {
    const faults = fc.oneof(
      apiFaults('scheduler'),
      crashes('scheduler'),
      ...['kubelet-node-1', 'kubelet-node-2'].flatMap((name) => [apiFaults(name), crashes(name)]),
      nodeFaults('node-1').filter(({ fault }) => fault !== 'node-death'),
    );
    const scenarios = fc.record({
      seed: seeds,
      behaviour: podBehaviours,
      plan: faultSchedules(faults, 60_000),
    });
    await fc.assert(
      fc.asyncProperty(scenarios, async ({ seed, behaviour, plan }) => {
        await using cluster = await clusterOf({ seed, latencyMs: { min: 1, max: 9 } });
        runScriptedNodes(cluster, { count: 2, script: scripts({ ...behaviour, failingPercent: 0 }) });
        cluster.nemesis.schedule(plan);
        for (let i = 0; i < 6; i++) {
          await cluster.admin.create(pods, template(`p${i}`));
          await cluster.runFor(5_000);
        }
        for (const name of ['p0', 'p1']) await cluster.admin.delete(pods, key(name));
        await cluster.runFor(30_000);
        cluster.nemesis.heal();
        await cluster.runFor(300_000);
        const names = podsOf(cluster).map((pod) => `${pod.metadata.name} ${isReady(pod)}`);
        expect(names).toEqual(['p2 true', 'p3 true', 'p4 true', 'p5 true']);
        const before = cluster.storage.revision;
        await cluster.runFor(3_600_000);
        expect(cluster.storage.revision).toBe(before);
      }),
      { numRuns: 25 },
    );
  });

  test('handle two hundred pods at once', async () => {
    await using cluster = await clusterOf();
    runScriptedNodes(cluster);
    await cluster.runFor(1_000);
    for (let i = 0; i < 200; i++) await cluster.admin.create(pods, template(`p${i}`));
    await cluster.runFor(10_000);
    expect(podsOf(cluster).filter(isReady)).toHaveLength(200);
  });
});
