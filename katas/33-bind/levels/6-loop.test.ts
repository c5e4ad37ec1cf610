import { describe, expect, test } from 'vitest';
import { framework, namespaces, type Pod, pods } from '#harness';
import { key } from './objects.fixture.ts';
import { broken, room } from './profile.fixture.ts';
import { Stage } from './stage.fixture.ts';

describe('Level 6 · The loop', () => {
  test('binds a pod to the node that fits, and emits Scheduled', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { labels: { disk: 'hdd' } });
    await stage.addNode('node-2', { labels: { disk: 'ssd' } });
    await stage.addPod('web', { labels: { disk: 'ssd' } });
    expect(stage.nodeOf('web'), 'the node of web: scheduleOne and bindingCycle (Level 5) must bind it').toBe(
      'node-2',
    );
    expect(stage.condition('web'), 'the condition PodScheduled of web').toBe('True');
    expect(stage.told('web'), 'the events about web').toEqual([
      'Normal Scheduled: Successfully assigned default/web to node-2',
    ]);
  });

  test('chooses the node with the highest score', async () => {
    await using stage = await Stage.begin();
    for (const name of ['node-3', 'node-1', 'node-2']) await stage.addNode(name);
    await stage.addPod('web');
    expect(stage.nodeOf('web'), 'the node of web: schedulePod (Level 4) must choose by score').toBe('node-1');
  });

  test('schedules beside the pods that were there before the start', async () => {
    await using stage = await Stage.empty();
    await stage.addNode('node-1', { pods: 2 });
    await stage.create('bound', { nodeName: 'node-1' });
    for (const name of ['a', 'b']) await stage.create(name);
    await stage.start();
    expect(
      stage.binds(),
      'binds: node-1 has room for one more pod; run must wait for the informers and put the pods of the first list into the cache',
    ).toHaveLength(1);
    expect(stage.mostOn('node-1'), 'pods on node-1, which takes 2').toBe(2);
  });

  test('schedules the pod with the highest priority first', async () => {
    await using stage = await Stage.empty();
    await stage.addNode('node-1', { pods: 1 });
    await stage.create('low');
    await stage.create('high', { priority: 10 });
    await stage.start();
    expect(
      stage.nodeOf('high'),
      'the pod with the higher priority must be popped first (SchedulingQueue, Level 1)',
    ).toBe('node-1');
    expect(stage.nodeOf('low'), 'node-1 takes only one pod').toBeUndefined();
  });

  test('reports once why a pod fits nowhere, and does not retry it', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { pods: 0 });
    await stage.addPod('web');
    await stage.pass(60_000);
    const why = '0/1 nodes are available: 1 Too many pods.';
    expect(stage.condition('web'), 'the condition PodScheduled after handleSchedulingFailure (Level 5)').toBe(
      `False Unschedulable: ${why}`,
    );
    expect(stage.told('web'), 'one event about one failed attempt').toEqual([
      `Warning FailedScheduling: ${why}`,
    ]);
    expect(
      stage.tries('web'),
      'attempts within a minute: nothing happened that could help the pod',
    ).toHaveLength(1);
    expect(stage.writes(), 'writes to the pod: one for one failed attempt').toHaveLength(1);
  });

  test('retries with backoff while the cluster has no node', async () => {
    await using stage = await Stage.begin();
    await stage.addPod('web');
    const why = 'no nodes available to schedule pods';
    expect(stage.condition('web'), 'without nodes the attempt ends in an error, not in a rejection').toBe(
      `False Unschedulable: ${why}`,
    );
    expect(stage.told('web'), 'one event about the error').toEqual([`Warning FailedScheduling: ${why}`]);
    await stage.pass(20_000);
    await stage.addNode('node-1');
    await stage.pass(12_000);
    expect(stage.nodeOf('web'), 'an error has a backoff, so the pod must be retried without any event').toBe(
      'node-1',
    );
  });

  test('does not block a pod behind pods that fit nowhere', async () => {
    await using stage = await Stage.empty();
    await stage.addNode('node-1', { labels: { disk: 'hdd' } });
    for (let i = 0; i < 20; i++) await stage.create(`big-${i}`, { priority: 10, labels: { disk: 'ssd' } });
    await stage.create('small');
    await stage.start();
    expect(
      stage.nodeOf('small'),
      '20 pods with a higher priority fit nowhere; they must not block this one',
    ).toBe('node-1');
  });

  test('wakes a pod when room becomes free, and not before', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { pods: 1 });
    await stage.addPod('first');
    await stage.addPod('second');
    await stage.pass(3_000);
    await stage.patchNode('node-1', { metadata: { labels: { color: 'blue' } } });
    await stage.pass(3_000);
    expect(
      stage.tries('second'),
      'attempts: a label of a node does not help a pod that lacks room (moveAllToActiveOrBackoffQueue and isPodWorthRequeuing, Level 2)',
    ).toHaveLength(1);
    await stage.deletePod('first');
    expect(
      stage.nodeOf('second'),
      'the deleted pod freed its room, which must wake the pod that waits for it: see podChanged',
    ).toBe('node-1');
    expect(stage.tries('second'), 'attempts: one before and one after the room became free').toHaveLength(2);
  });

  test('treats an ended pod as deleted (k#22398)', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { pods: 1 });
    await stage.addPod('job');
    await stage.addPod('next');
    await stage.pass(3_000);
    const job = stage.pod('job') as Pod;
    await stage.admin.updateStatus(pods, { ...job, status: { ...job.status, phase: 'Succeeded' } });
    await stage.pass();
    expect(
      stage.nodeOf('next'),
      'a pod that has Succeeded frees its room: podChanged must treat it as deleted',
    ).toBe('node-1');
  });

  test('frees the room of a pod that was deleted while no watch was open', async () => {
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
    expect(
      stage.nodeOf('second'),
      'the pod was deleted while no watch was open, so the delete comes as a tombstone (DeletedFinalStateUnknown)',
    ).toBe('node-1');
  });

  test('wakes only the pods for which a hint of the rejecting plugin returns Queue', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { labels: { disk: 'hdd' } });
    await stage.addPod('a', { labels: { disk: 'ssd' } });
    await stage.addPod('b', { labels: { disk: 'nvme' } });
    await stage.pass(3_000);
    await stage.patchNode('node-1', { metadata: { labels: { disk: 'ssd' } } });
    await stage.pass(3_000);
    expect(stage.nodeOf('a'), 'the new label helps this pod').toBe('node-1');
    expect(
      stage.tries('b'),
      'attempts: the new label does not help this pod (isPodWorthRequeuing, Level 2)',
    ).toHaveLength(1);
  });

  test('retries a pod whose own change could make it fit', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { labels: { disk: 'hdd' } });
    await stage.addPod('web', { labels: { disk: 'ssd' } });
    await stage.pass(3_000);
    const body = { metadata: { labels: { disk: 'hdd' } } };
    await stage.admin.patch(pods, key('web'), { type: 'merge', body });
    await stage.pass();
    expect(
      stage.nodeOf('web'),
      'the change of the pod itself could make it fit: podChanged must call queue.update (Level 1)',
    ).toBe('node-1');
  });

  test('retries a pod that was woken during its backoff when the backoff is over', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1', { pods: 0 });
    await stage.create('web');
    await stage.pass(100);
    await stage.patchNode('node-1', { status: { allocatable: { pods: '1' } } }, 'status');
    await stage.pass(3_000);
    const [first = 0, second = 0] = stage.tries('web');
    expect(
      stage.nodeOf('web'),
      'the pod was woken during its backoff and must be retried when that ends (flushBackoffQCompleted, Level 1)',
    ).toBe('node-1');
    expect(second - first, 'ms between the attempts: a backoff must not be cut short').toBeGreaterThan(1_000);
  });

  test('retries after errors in 1, 2, 4, 8 and 10 s', async () => {
    await using stage = await Stage.begin({ filters: [broken] });
    await stage.addNode('node-1');
    await stage.addPod('web');
    await stage.addPod('other');
    await stage.pass(50_000);
    const tries = stage.tries('web');
    for (const [i, waitMs] of [1_000, 2_000, 4_000, 8_000, 10_000, 10_000].entries()) {
      const waited = (tries[i + 1] ?? Number.POSITIVE_INFINITY) - (tries[i] ?? 0);
      expect(waited, `ms before retry ${i + 1}`).toBeGreaterThanOrEqual(waitMs);
      // backoffQ is flushed once a second, so a retry may be a second late.
      expect(waited, `ms before retry ${i + 1}`).toBeLessThan(waitMs + 1_200);
    }
    expect(stage.condition('web'), 'the condition PodScheduled of web').toMatch(
      /^False SchedulerError: .*out of order/,
    );
    expect(stage.told('web'), 'the events about web').toContainEqual(
      expect.stringMatching(/^Warning FailedScheduling: .*out of order/),
    );
  });

  test('retries a pod that no event woke after five minutes', async () => {
    await using stage = await Stage.begin({ filters: [{ ...room, eventsToRegister: () => [] }] });
    await stage.addNode('node-1', { pods: 0 });
    await stage.addPod('web');
    await stage.patchNode('node-1', { status: { allocatable: { pods: '1' } } }, 'status');
    await stage.pass(340_000);
    const [first = 0, second = 0] = stage.tries('web');
    expect(
      stage.nodeOf('web'),
      'a pod that nothing wakes must be retried after five minutes (flushUnschedulablePodsLeftover, Level 1)',
    ).toBe('node-1');
    expect(second - first, 'ms between the attempts').toBeGreaterThanOrEqual(300_000);
  });

  test('ignores the pods of another scheduler', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1');
    await stage.addPod('theirs', { schedulerName: 'another' });
    await stage.pass(30_000);
    expect(stage.nodeOf('theirs'), 'a pod with another schedulerName').toBeUndefined();
    expect(stage.tries('theirs'), 'attempts for a pod with another schedulerName').toEqual([]);
  });

  test('skips a pod that is being deleted, and emits an event', async () => {
    await using stage = await Stage.empty();
    await stage.addNode('node-1');
    await stage.create('going', { finalizers: ['example.com/wait'] });
    await stage.admin.delete(pods, key('going'));
    await stage.start();
    await stage.pass(30_000);
    expect(stage.pod('going')?.metadata.deletionTimestamp).toBeDefined();
    expect(stage.tries('going'), 'attempts for a pod that is being deleted').toEqual([]);
    expect(stage.writes(), 'writes to a pod that is being deleted').toEqual([]);
    expect(stage.told('going'), 'the event about a pod that is being deleted').toEqual([
      'Warning FailedScheduling: skip schedule deleting pod: default/going',
    ]);
  });

  test('keeps a gated pod back until its last gate is removed', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1');
    await stage.addPod('web', { gates: ['example.com/wait'] });
    expect(stage.tries('web'), 'attempts while the pod has a scheduling gate').toEqual([]);
    const body = { spec: { schedulingGates: [] } };
    await stage.admin.patch(pods, key('web'), { type: 'merge', body });
    await stage.pass();
    expect(stage.nodeOf('web'), 'the gate is gone, so the pod must be scheduled').toBe('node-1');
  });

  test('counts its own decisions before the server has them', async () => {
    await using stage = await Stage.empty({ latencyMs: 200 });
    await stage.addNode('node-1', { pods: 2 });
    for (const name of ['a', 'b', 'c', 'd']) await stage.create(name);
    await stage.start();
    await stage.pass(10_000);
    expect(
      stage.mostOn('node-1'),
      'pods on node-1, which takes 2: assumePod (Level 3) must come before the bind is sent',
    ).toBe(2);
    expect(stage.binds().sort(), 'the bind requests and their outcomes').toEqual(['a ok', 'b ok']);
  });

  test('treats a refused reserve as a rejection, and schedules the next pod', async () => {
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
    expect(stage.condition('first'), 'the condition PodScheduled of first').toBe(
      'False Unschedulable: 0/1 nodes are available: 1 no license.',
    );
    await stage.addPod('second');
    expect(stage.nodeOf('second'), 'the node of second: a refused reserve must not block the next pod').toBe(
      'node-1',
    );
    await stage.pass(20_000);
    full = false;
    await stage.deletePod('second');
    await stage.pass(12_000);
    expect(
      stage.nodeOf('first'),
      'the node of first: any event can help a pod that a reserve plugin rejected',
    ).toBe('node-1');
  });

  test('does not retry a pod after a refused reserve without an event', async () => {
    const license = {
      name: 'License',
      reserve: () => framework.unschedulable('no license'),
      unreserve: () => {},
    };
    await using stage = await Stage.begin({ reserve: [license] });
    await stage.addNode('node-1', { pods: 1 });
    await stage.addPod('first');
    await stage.pass(60_000);
    expect(
      stage.tries('first'),
      'attempts: the room that this pod itself gives back must not wake it',
    ).toHaveLength(1);
  });

  test('does not wait for the report of a failure before it tries the next pod', async () => {
    await using stage = await Stage.empty({ latencyMs: 1_000 });
    await stage.addNode('node-1', { pods: 1 });
    await stage.create('placed');
    await stage.admin.bind(key('placed'), 'node-1');
    for (const name of ['a', 'b', 'c']) await stage.create(name);
    await stage.start();
    await stage.pass(60_000);
    const first = ['a', 'b', 'c'].map((name) => stage.tries(name)[0] ?? Number.NaN);
    expect(
      Math.max(...first) - Math.min(...first),
      `the scheduler first tried a, b and c at ${first.join(', ')} ms: the loop must not await the requests for one pod, to bind it or to report its failure, before it takes the next`,
    ).toBeLessThan(1_000);
  });

  test('does not wait for a bind before it tries the next pod', async () => {
    await using stage = await Stage.empty({ latencyMs: 1_000 });
    await stage.addNode('node-1');
    for (const name of ['a', 'b', 'c']) await stage.create(name);
    await stage.start();
    await stage.pass(60_000);
    const bound = stage.writes().filter(({ verb }) => verb === 'bind');
    expect(bound, 'the binds that the server received').toHaveLength(3);
    expect(
      (bound[2]?.atMs ?? 0) - (bound[0]?.atMs ?? 0),
      'ms between the first and the last bind: the loop must not await a bind',
    ).toBeLessThan(1_000);
  });

  test('starts each search where the previous one ended', async () => {
    await using stage = await Stage.begin();
    for (const name of ['node-1', 'node-2', 'node-3']) await stage.addNode(name);
    for (const name of ['a', 'b', 'c']) await stage.addPod(name);
    const begins = ['a', 'b', 'c'].map((name) => stage.asked(name)[0]?.request.startIndex ?? 0);
    expect(
      begins,
      'the startIndex of each search: pass on the nextStartIndex of the search before it',
    ).toEqual([0, 1, 2]);
  });

  test('passes the current labels of namespaces to the plugins', async () => {
    await using stage = await Stage.begin();
    await stage.addNode('node-1');
    await stage.addPod('before');
    const body = { metadata: { labels: { team: 'a' } } };
    await stage.admin.patch(namespaces, { name: 'default' }, { type: 'merge', body });
    await stage.pass();
    await stage.addPod('web');
    const shown = stage.asked('web')[0]?.request.snapshot.namespaces;
    expect(shown?.get('default'), 'the labels of default in the snapshot').toMatchObject({ team: 'a' });
    expect([...(shown?.keys() ?? [])], 'the namespaces in the snapshot').toContain('kube-system');
  });
});
