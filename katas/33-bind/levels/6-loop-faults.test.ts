import { describe, expect, test } from 'vitest';
import { errors, nodes, type Pod, pods } from '#harness';
import { key, type PodParts } from './objects.fixture.ts';
import { Stage } from './stage.fixture.ts';

describe('Level 6 · The loop', () => {
  test('gives the room back and retries when the server refuses a bind', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { pods: 1 });
    stage.strike({ fault: 'refuse', verb: 'bind', reason: 'InternalError', requests: 1 });
    await stage.addPod('first');
    expect(stage.nodeOf('first'), 'the node of first').toBeUndefined();
    expect(stage.told('first'), 'the events about first').toContainEqual(
      expect.stringMatching(/^Warning FailedScheduling: ./),
    );
    await stage.addPod('second');
    expect(stage.nodeOf('second'), 'the node of second').toBe('node-1');
    await stage.deletePod('second');
    await stage.pass(5_000);
    expect(stage.nodeOf('first'), 'the node of first').toBe('node-1');
  });

  test('gives the room back when another client has bound the pod', async () => {
    await using stage = await Stage.begin({ latencyMs: 100 });
    for (const name of ['node-1', 'node-2']) await stage.addNode(name, { pods: 1 });
    await stage.create('web');
    await stage.pass(150);
    // The scheduler has chosen, and its request is on the way.
    await stage.admin.bind(key('web'), 'node-2');
    await stage.pass(5_000);
    expect(stage.nodeOf('web'), 'the node of web').toBe('node-2');
    await stage.addPod('other');
    await stage.pass(20_000);
    expect(stage.nodeOf('other'), 'the node of other').toBe('node-1');
    expect(
      stage.tries('web'),
      'attempts for web: another client has bound it, or it is deleted, so it must not be retried',
    ).toHaveLength(1);
  });

  test('gives the room back when the pod is deleted before it is bound', async () => {
    await using stage = await Stage.begin({ latencyMs: 100 });
    await stage.addNode('node-1', { pods: 1 });
    await stage.create('web');
    await stage.pass(150);
    await stage.admin.delete(pods, key('web'));
    await stage.pass(5_000);
    await stage.addPod('other');
    await stage.pass(5_000);
    expect(stage.nodeOf('other'), 'the node of other').toBe('node-1');
    expect(
      stage.tries('web'),
      'attempts for web: another client has bound it, or it is deleted, so it must not be retried',
    ).toHaveLength(1);
  });

  test('retries a bind that timed out', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { pods: 1 });
    stage.strike({ fault: 'time-out', verb: 'bind', performed: false });
    await stage.addPod('web');
    await stage.pass(80_000);
    expect(stage.nodeOf('web'), 'the node of web').toBe('node-1');
  });

  test('keeps occupied room when the response is lost and the watch lags', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { pods: 0 });
    await stage.addPod('high', { priority: 10 });
    await stage.addPod('low');
    await stage.pass(15_000);
    stage.strike({ fault: 'delay-watches', resource: 'pods', forMs: 300_000 });
    stage.strike({ fault: 'time-out', verb: 'bind', performed: true });
    await stage.patchNode('node-1', { status: { allocatable: { pods: '1' } } }, 'status');
    expect(stage.nodeOf('high'), 'the node of high').toBe('node-1');
    await stage.pass(200_000);
    expect(stage.mostOn('node-1'), 'the most pods on node-1 at once').toBe(1);
    await stage.pass(400_000);
    expect(stage.nodeOf('low'), 'the node of low').toBeUndefined();
    expect(stage.mostOn('node-1'), 'the most pods on node-1 at once').toBe(1);
  });

  test('keeps occupied room after a restart with a stale first list', async () => {
    await using stage = await Stage.empty({ replicas: 2 });
    await stage.addNode('node-1', { pods: 1 });
    await stage.create('low');
    await stage.create('high', { priority: 10 });
    await stage.pass();
    stage.cluster.nemesis.strike({ fault: 'lag', replica: 1, forMs: 60_000 });
    await stage.admin.bind(key('low'), 'node-1');
    await stage.start(1);
    await stage.pass(30_000);
    expect(stage.mostOn('node-1'), 'the most pods on node-1 at once').toBe(1);
    await stage.pass(120_000);
    expect(stage.mostOn('node-1'), 'the most pods on node-1 at once').toBe(1);
    expect(stage.nodeOf('high'), 'the node of high').toBeUndefined();
    await stage.deletePod('low');
    await stage.pass(15_000);
    expect(stage.nodeOf('high'), 'the node of high').toBe('node-1');
  });

  test.each([
    ['also when that is refused at first', { refusals: 1 }],
    ['also by pods of another scheduler', { schedulerName: 'another' }],
  ])(
    'lists all pods from the server before it schedules, %s',
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
      expect(stage.mostOn('node-1'), 'the most pods on node-1 at once, which has room for one').toBe(1);
      expect(stage.told('low'), 'events about low: it has a node, so none must be emitted').toEqual([]);
      await stage.deletePod('low');
      await stage.pass(15_000);
      expect(stage.nodeOf('high'), 'the node of high').toBe('node-1');
    },
  );

  test('keeps no room for a pod that ended before the start', async () => {
    await using stage = await Stage.empty();
    await stage.addNode('node-1', { pods: 1 });
    await stage.create('job');
    await stage.admin.bind(key('job'), 'node-1');
    const job = stage.pod('job') as Pod;
    await stage.admin.updateStatus(pods, { ...job, status: { ...job.status, phase: 'Succeeded' } });
    await stage.create('web');
    await stage.start();
    await stage.pass(2_000);
    expect(stage.nodeOf('web'), 'the node of web: a pod that has ended takes up no room').toBe('node-1');
  });

  test('frees the room of a pod that only the first list has, and wakes waiting pods', async () => {
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
      'the node of web after two minutes: the first list had a pod that is deleted, and its room must become free',
    ).toBe('node-1');
  });

  test.each([
    ['before', false],
    ['after', true],
  ])('continues after a crash just %s a pod is bound', async (_, performed) => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { pods: 2 });
    stage.strike({ fault: 'crash', skip: 0, performed, restartAfterMs: 5_000 });
    for (const name of ['a', 'b', 'c']) await stage.create(name);
    await stage.pass(30_000);
    expect(stage.process.starts, 'how often the scheduler has started').toBe(2);
    expect(stage.mostOn('node-1'), 'the most pods on node-1 at once').toBe(2);
    expect(
      ['a', 'b', 'c'].filter((name) => stage.nodeOf(name)),
      'pods with a node: node-1 takes 2',
    ).toHaveLength(2);
  });

  test('binds no pod to a deleted node', async () => {
    await using stage = await Stage.begin();
    for (const name of ['node-1', 'node-2']) await stage.addNode(name);
    await stage.admin.delete(nodes, { name: 'node-1' });
    await stage.pass();
    await stage.addPod('web');
    expect(stage.nodeOf('web'), 'the node of web').toBe('node-2');
  });

  test('stops on abort, and does nothing afterwards', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1');
    stage.process.stop();
    await stage.pass();
    expect(stage.process.running, 'whether the scheduler runs').toBe(false);
    await stage.addPod('web');
    expect(stage.nodeOf('web'), 'the node of web').toBeUndefined();
  });
});
