import { describe, expect, test } from 'vitest';
import { framework } from '#harness';
import { scheduleOne } from '#kata/33-bind/bind';
import { Counter } from './counter.fixture.ts';
import { shownBy } from './snapshot.fixture.ts';

describe('Level 6 · The loop', () => {
  test('assumes the pod before it returns its promise, and binds it afterwards', async () => {
    await using counter = await Counter.open();
    const cycle = scheduleOne(counter.scheduler, await counter.pop('web'));
    expect(shownBy(counter.cache.snapshot()), 'the pods on each node in a new snapshot').toEqual({
      'node-1': ['web'],
      'node-2': [],
    });
    expect(counter.pod('web')?.spec.nodeName, 'the node of web').toBeUndefined();
    await counter.settle(cycle);
    expect(counter.pod('web')?.spec.nodeName, 'the node of web').toBe('node-1');
    expect(counter.places(), 'the pods in each place of the queue').toEqual({});
  });

  test('skips a pod that is being deleted or assumed, and marks it done', async () => {
    await using counter = await Counter.open();
    const { pod: going, ...info } = await counter.pop('going');
    const deletionTimestamp = '2024-01-01T00:00:00Z';
    const pod = { ...going, metadata: { ...going.metadata, deletionTimestamp } };
    await counter.settle(scheduleOne(counter.scheduler, { ...info, pod }));
    const { info: again } = await counter.assign('assumed');
    await counter.settle(scheduleOne(counter.scheduler, again));
    expect(counter.places(), 'the pods in each place of the queue: done must be called for both').toEqual({});
    expect(counter.told, 'the events about pods').toEqual([
      'going: Warning FailedScheduling: skip schedule deleting pod: default/going',
    ]);
    expect(counter.asked('bind'), 'the number of bind requests').toBe(0);
  });

  test('forgets a pod after a refused reserve, and sends the queue no event', async () => {
    const no = { name: 'No', reserve: () => framework.unschedulable('not here'), unreserve: () => {} };
    await using counter = await Counter.open({ reserve: [no] });
    await counter.settle(scheduleOne(counter.scheduler, await counter.pop('web')));
    expect(shownBy(counter.cache.snapshot()), 'the pods on each node in a new snapshot').toEqual({
      'node-1': [],
      'node-2': [],
    });
    expect(counter.gone, 'the pods that the queue got AssignedPod Delete events about').toEqual([]);
    expect(counter.places(), 'the pods in each place of the queue').toEqual({ unschedulable: ['web'] });
  });
});
