import { describe, expect, test } from 'vitest';
import { ConnectionError, errors, framework, NotImplemented, type Pod, pods } from '#harness';
import { soFar } from '#harness/testing';
import {
  defaultBinder,
  FitError,
  handleSchedulingFailure,
  mayBeBound,
  NoNodesAvailableError,
  type PodCondition,
  podScheduledCondition,
  type QueuedPodInfo,
  runBindPlugins,
  runReservePluginsReserve,
  runReservePluginsUnreserve,
} from '#kata/33-bind/bind';
import { Counter } from './counter.fixture.ts';
import { aPod, key } from './objects.fixture.ts';
import { reserving } from './reserve.fixture.ts';

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
});
