import { describe, expect, test } from 'vitest';
import { scheduling } from '#given/33-bind';
import { framework, NotImplemented, type Pod, pods } from '#harness';
import { soFar } from '#harness/testing';
import { handleSchedulingFailure } from '#kata/33-bind/bind';
import { Counter } from './counter.fixture.ts';
import { key } from './objects.fixture.ts';

/** Returns the reason of a rejection as text. @throws NotImplemented unchanged, so that a learner reads it */
async function _failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof NotImplemented) throw error;
    return String(error);
  }
  return 'it did not fail';
}

describe('Level 5 · Binding', () => {
  const _state = new framework.CycleState();
  const _explode = (): never => {
    throw new Error('out of order');
  };

  const noRoom = (pod: Pod): scheduling.FitError =>
    new scheduling.FitError({
      pod,
      numAllNodes: 2,
      diagnosis: { nodeToStatus: new Map(), unschedulablePlugins: new Set(['Room']), preFilterMsg: '' },
      message: '0/2 nodes are available: 2 Too many pods.',
    });

  test('requeues a rejected pod, and reports the reason', async () => {
    await using counter = await Counter.open();
    const info = await counter.pop('web');
    const newer = { ...info.pod, metadata: { ...info.pod.metadata, labels: { version: '2' } } };
    counter.informer.set('web', newer);
    const done = counter.settle(handleSchedulingFailure(counter.scheduler, info, noRoom(info.pod)));
    const places = counter.places();
    await done;
    expect(places, 'the pod must be requeued before the first await').toEqual({ unschedulable: ['web'] });
    expect(
      counter.queue.unschedulablePods(),
      'the newest version, which the informer has, goes back into the queue',
    ).toEqual([newer]);
    const why = '0/2 nodes are available: 2 Too many pods.';
    expect(counter.told, 'the events about pods').toEqual([`web: Warning FailedScheduling: ${why}`]);
    expect(counter.condition('web'), 'the condition PodScheduled').toBe(`False Unschedulable: ${why}`);
  });

  test('requeues a pod after an error, and reports the error', async () => {
    await using counter = await Counter.open();
    for (const [name, error, said] of [
      ['a', new Error('oops'), 'False SchedulerError: oops'],
      [
        'b',
        new scheduling.NoNodesAvailableError(),
        'False Unschedulable: no nodes available to schedule pods',
      ],
    ] as const) {
      const info = await counter.pop(name);
      await counter.settle(handleSchedulingFailure(counter.scheduler, info, error));
      expect(counter.condition(name), 'the condition PodScheduled').toBe(said);
      expect(counter.told.at(-1), 'the last event').toBe(
        `${name}: Warning FailedScheduling: ${error.message}`,
      );
    }
    expect(counter.places(), 'the pods in each place of the queue').toEqual({ backoff: ['a', 'b'] });
  });

  test('truncates a long message in the event, and not in the condition', async () => {
    await using counter = await Counter.open();
    const info = await counter.pop('web');
    const message = 'x'.repeat(2_000);
    await counter.settle(handleSchedulingFailure(counter.scheduler, info, new Error(message)));
    expect(counter.told, 'the events about pods').toEqual([
      `web: Warning FailedScheduling: ${'x'.repeat(1_020)} ...`,
    ]);
    expect(counter.condition('web'), 'the condition PodScheduled').toBe(`False SchedulerError: ${message}`);
  });

  test('does not write a condition that the pod already has', async () => {
    await using counter = await Counter.open();
    const info = await counter.pop('web');
    await counter.settle(handleSchedulingFailure(counter.scheduler, info, noRoom(info.pod)));
    const written = counter.pod('web') as Pod;
    counter.informer.set('web', written);
    counter.queue.delete(written);
    counter.queue.add(written);
    const again = (await soFar(counter.queue.pop())) as scheduling.QueuedPodInfo;
    const before = counter.cluster.storage.revision;
    await counter.settle(handleSchedulingFailure(counter.scheduler, again, noRoom(written)));
    expect(
      counter.cluster.storage.revision,
      'the revision of the storage: the pod says this already, so nothing must be written',
    ).toBe(before);
    expect(counter.told, 'the events about pods').toHaveLength(2);
  });

  test('keeps the other conditions of the pod', async () => {
    await using counter = await Counter.open();
    const info = await counter.pop('web');
    const conditions = [{ type: 'example.com/checked', status: 'True' }];
    await counter.cluster.admin.updateStatus(pods, {
      ...info.pod,
      status: { ...info.pod.status, conditions },
    });
    await counter.settle(handleSchedulingFailure(counter.scheduler, info, noRoom(info.pod)));
    // The patch succeeds or fails with a conflict; either way the conditions of others stay.
    expect(counter.pod('web')?.status.conditions).toContainEqual(
      expect.objectContaining(conditions[0] as object),
    );
  });

  test('writes no condition for a pod that has a node by now', async () => {
    await using counter = await Counter.open();
    const info = await counter.pop('web');
    await counter.cluster.admin.bind(key('web'), 'node-2');
    await counter.settle(handleSchedulingFailure(counter.scheduler, info, noRoom(info.pod)));
    expect(counter.condition('web'), 'the condition PodScheduled').toBe('True');
  });

  test('writes no condition for another pod of the same name', async () => {
    await using counter = await Counter.open();
    const info = await counter.pop('web');
    await counter.cluster.admin.delete(pods, key('web'));
    await counter.create('web');
    counter.informer.set('web', info.pod);
    await counter.settle(handleSchedulingFailure(counter.scheduler, info, noRoom(info.pod)));
    expect(counter.condition('web'), 'the condition PodScheduled').toBeUndefined();
  });

  test.each<readonly [string, (pod: Pod) => Pod | undefined]>([
    ['was deleted', () => undefined],
    ['has a node', (pod) => ({ ...pod, spec: { ...pod.spec, nodeName: 'node-2' } })],
    ['has ended', (pod) => ({ ...pod, status: { ...pod.status, phase: 'Failed' } })],
    ['was replaced', (pod) => ({ ...pod, metadata: { ...pod.metadata, uid: 'another' } })],
  ])('does nothing for a pod that %s by now', async (_, become) => {
    await using counter = await Counter.open();
    const info = await counter.pop('web');
    const now = become(info.pod);
    if (now) counter.informer.set('web', now);
    else counter.informer.delete('web');
    await counter.settle(handleSchedulingFailure(counter.scheduler, info, noRoom(info.pod)));
    expect(counter.places(), 'the pods in each place of the queue').toEqual({});
    expect(counter.told, 'the events about pods').toEqual([]);
    expect(counter.asked('patch'), 'the number of patch requests').toBe(0);
  });

  test('logs a failed write of the condition, and goes on', async () => {
    await using counter = await Counter.open();
    const info = await counter.pop('web');
    counter.strike({ fault: 'refuse', reason: 'InternalError', requests: 20 });
    await counter.settle(handleSchedulingFailure(counter.scheduler, info, noRoom(info.pod)));
    expect(counter.places(), 'the pods in each place of the queue').toEqual({ unschedulable: ['web'] });
    expect(counter.logged.length, 'the number of logged errors').toBeGreaterThan(0);
  });
});
