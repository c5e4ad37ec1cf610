import { describe, expect, test } from 'vitest';
import { framework, type Pod, pods } from '#harness';
import { bindingCycle } from '#kata/33-bind/bind';
import { Counter } from './counter.fixture.ts';
import { key } from './objects.fixture.ts';
import { reserving } from './reserve.fixture.ts';
import { shownBy } from './snapshot.fixture.ts';

describe('Level 5 · Binding', () => {
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
    counter.strike({ fault: 'refuse', verb: 'bind', reason: 'TooManyRequests', requests: 1 });
    await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(diary).toEqual(['unreserve b web node-1', 'unreserve a web node-1']);
    expect(shownBy(counter.cache.snapshot())).toEqual({ 'node-1': [], 'node-2': [] });
    expect(counter.gone, 'what the queue was told has gone').toEqual([assignment.assumed]);
    expect(counter.places()).toEqual({ active: ['sleeper'], backoff: ['web'] });
    expect(counter.told).toContainEqual(expect.stringMatching(/^web: Warning FailedScheduling: ./));
    expect(counter.condition('web')).toMatch(/^False SchedulerError: ./);
  });

  test('gives back what is reserved also for a pod that went while it was being bound', async () => {
    const diary: string[] = [];
    await using counter = await Counter.open({ reserve: [reserving(diary, 'a')] });
    const assignment = await counter.assign('web');
    const cycle = bindingCycle(counter.scheduler, assignment);
    // What the handler of the informer does.
    counter.cache.removePod(assignment.assumed);
    await counter.cluster.admin.delete(pods, key('web'));
    counter.informer.delete('web');
    await counter.settle(cycle);
    expect(diary).toEqual(['unreserve a web node-1']);
    expect(counter.gone, 'what the queue was told has gone: the handler tells it').toEqual([]);
    expect(counter.places()).toEqual({});
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

  test('asks the server when it does not know whether the pod is bound, and believes it when it is', async () => {
    await using counter = await Counter.open();
    await counter.sleeper();
    const assignment = await counter.assign('web');
    counter.strike({ fault: 'time-out', verb: 'bind', performed: true });
    await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(counter.told).toEqual(['web: Normal Scheduled: Successfully assigned default/web to node-1']);
    expect(shownBy(counter.cache.snapshot())).toEqual({ 'node-1': ['web'], 'node-2': [] });
    expect(counter.places()).toEqual({ unschedulable: ['sleeper'] });
  });

  test('asks the server when it does not know whether the pod is bound, and tries again when it is not', async () => {
    await using counter = await Counter.open();
    const assignment = await counter.assign('web');
    counter.strike({ fault: 'time-out', verb: 'bind', performed: false });
    await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(shownBy(counter.cache.snapshot())).toEqual({ 'node-1': [], 'node-2': [] });
    expect(counter.told).toContainEqual(expect.stringMatching(/^web: Warning FailedScheduling: ./));
    expect(counter.places()).toEqual({ backoff: ['web'] });
  });

  test('keeps the room until the server has answered, however often it must be asked', async () => {
    await using counter = await Counter.open();
    const assignment = await counter.assign('web');
    counter.strike({ fault: 'refuse', verb: 'bind', reason: 'ServiceUnavailable', requests: 1 });
    counter.strike({ fault: 'refuse', verb: 'get', reason: 'ServiceUnavailable', requests: 4 });
    const cycle = counter.settle(bindingCycle(counter.scheduler, assignment));
    let mostAsked = 0;
    counter.cluster.sim.every(1, () => {
      if (counter.cache.isAssumedPod(assignment.assumed)) mostAsked = counter.asked('get');
    });
    await cycle;
    expect(mostAsked, 'how often it had asked in vain while it kept the room').toBeGreaterThanOrEqual(3);
    const [boundMs = 0] = counter.askedMs('bind');
    const askedMs = counter.askedMs('get').filter((atMs) => atMs > boundMs);
    for (const [i, atMs] of askedMs.entries()) {
      const sinceMs = atMs - (askedMs[i - 1] ?? Number.NEGATIVE_INFINITY);
      expect(sinceMs, 'how long after the time before it asked again').toBeGreaterThanOrEqual(50);
    }
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

  test('lets go of a pod that is gone, and of one in whose place there is another, and of what is reserved', async () => {
    const diary: string[] = [];
    await using counter = await Counter.open({ reserve: [reserving(diary, 'a')] });
    const [gone, replaced] = [await counter.assign('gone'), await counter.assign('replaced')];
    for (const name of ['gone', 'replaced']) {
      await counter.cluster.admin.delete(pods, key(name));
      counter.informer.delete(name);
    }
    await counter.create('replaced');
    for (const assignment of [gone, replaced]) {
      counter.strike({ fault: 'time-out', verb: 'bind', performed: true });
      await counter.settle(bindingCycle(counter.scheduler, assignment));
    }
    expect(shownBy(counter.cache.snapshot())).toEqual({ 'node-1': [], 'node-2': [] });
    expect(counter.places()).toEqual({});
    expect(counter.told).toEqual([]);
    expect(counter.pod('replaced')?.spec.nodeName ?? '').toBe('');
    expect(diary).toEqual(['unreserve a gone node-1', 'unreserve a replaced node-1']);
  });

  test('believes the server that a pod is gone, also if the informer still shows it', async () => {
    await using counter = await Counter.open();
    const assignment = await counter.assign('web');
    await counter.cluster.admin.delete(pods, key('web'));
    counter.strike({ fault: 'time-out', verb: 'bind', performed: true });
    await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(shownBy(counter.cache.snapshot())).toEqual({ 'node-1': [], 'node-2': [] });
    expect(counter.places()).toEqual({});
    expect(counter.told).toEqual([]);
  });

  test('tells of nothing if the answer comes after it was told to stop', async () => {
    await using counter = await Counter.open();
    const assignment = await counter.assign('web');
    const cycle = bindingCycle(counter.scheduler, assignment);
    counter.stop.abort();
    await counter.settle(cycle);
    expect(counter.told).toEqual([]);
  });

  test('does nothing more after it was told to stop', async () => {
    await using counter = await Counter.open();
    const assignment = await counter.assign('web');
    counter.strike({ fault: 'time-out', verb: 'bind', performed: false });
    const cycle = bindingCycle(counter.scheduler, assignment);
    await counter.cluster.runFor(10);
    const before = counter.asked('get');
    counter.stop.abort();
    await counter.settle(cycle);
    expect([counter.asked('get') - before, counter.asked('patch')]).toEqual([0, 0]);
    expect(counter.told).toEqual([]);
  });
});
