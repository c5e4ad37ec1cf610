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
    expect(
      counter.pod('web')?.spec.nodeName,
      'the pod on the server after the cycle: the bind must be sent',
    ).toBe('node-1');
    expect(counter.told, 'the event of a successful bind').toEqual([
      'web: Normal Scheduled: Successfully assigned default/web to node-1',
    ]);
    expect(
      counter.cache.isAssumedPod(assignment.assumed),
      'after a successful bind the pod stays assumed until the informer shows it',
    ).toBe(true);
    expect(counter.places(), 'a bound pod must not be in the queue').toEqual({});
  });

  test('asks the plugins of the profile first', async () => {
    const bind = [{ name: 'Own', bind: async () => framework.success }];
    await using counter = await Counter.open({ bind });
    await counter.settle(bindingCycle(counter.scheduler, await counter.assign('web')));
    expect(
      counter.asked('bind'),
      'a bind plugin returned Success, so the default bind must not be sent',
    ).toBe(0);
    expect(counter.told, 'the event of a successful bind').toEqual([
      'web: Normal Scheduled: Successfully assigned default/web to node-1',
    ]);
  });

  test('gives back everything when the server refuses: what is reserved, the room, the pod', async () => {
    const diary: string[] = [];
    await using counter = await Counter.open({ reserve: [reserving(diary, 'a'), reserving(diary, 'b')] });
    await counter.sleeper();
    const assignment = await counter.assign('web');
    counter.strike({ fault: 'refuse', verb: 'bind', reason: 'TooManyRequests', requests: 1 });
    await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(diary, 'unreserve must be called in reverse order').toEqual([
      'unreserve b web node-1',
      'unreserve a web node-1',
    ]);
    expect(shownBy(counter.cache.snapshot()), 'a failed bind must forget the assumed pod').toEqual({
      'node-1': [],
      'node-2': [],
    });
    expect(
      counter.gone,
      'a failed bind frees room, so the cycle must give the queue the event AssignedPod Delete with the assumed pod; the pods that got this event',
    ).toEqual([assignment.assumed]);
    expect(
      counter.places(),
      'the freed room must wake the pod that sleeps, and the failed pod must go into back-off',
    ).toEqual({ active: ['sleeper'], backoff: ['web'] });
    expect(counter.told, 'the event about the failed bind').toContainEqual(
      expect.stringMatching(/^web: Warning FailedScheduling: ./),
    );
    expect(counter.condition('web'), 'the condition PodScheduled after a failed bind').toMatch(
      /^False SchedulerError: ./,
    );
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
    expect(diary, 'unreserve must also be called for a pod that is gone').toEqual(['unreserve a web node-1']);
    expect(
      counter.gone,
      'the informer handler gives the queue the event of a deleted pod, so the cycle must not',
    ).toEqual([]);
    expect(counter.places(), 'a pod that is gone must not go back into the queue').toEqual({});
  });

  test('takes it for a failure when a plugin says anything but Success', async () => {
    const bind = [{ name: 'Own', bind: async () => framework.unschedulable('not now', 'not here') }];
    await using counter = await Counter.open({ bind });
    const assignment = await counter.assign('web');
    await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(
      counter.cache.isAssumedPod(assignment.assumed),
      'a bind plugin returned Unschedulable: forget the assumed pod',
    ).toBe(false);
    expect(counter.told, 'the reasons of the plugin must be in the event').toEqual([
      'web: Warning FailedScheduling: not now, not here',
    ]);
    expect(counter.places(), 'a pod that was not bound must go into back-off').toEqual({ backoff: ['web'] });
  });

  test('asks the server when it does not know whether the pod is bound, and believes it when it is', async () => {
    await using counter = await Counter.open();
    await counter.sleeper();
    const assignment = await counter.assign('web');
    counter.strike({ fault: 'time-out', verb: 'bind', performed: true });
    await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(counter.told, 'the bind timed out, but a get shows that the pod is bound: emit Scheduled').toEqual(
      ['web: Normal Scheduled: Successfully assigned default/web to node-1'],
    );
    expect(shownBy(counter.cache.snapshot()), 'the pod is bound, so its room must stay taken').toEqual({
      'node-1': ['web'],
      'node-2': [],
    });
    expect(counter.places(), 'no room was freed, so no pod may be woken').toEqual({
      unschedulable: ['sleeper'],
    });
  });

  test('asks the server when it does not know whether the pod is bound, and tries again when it is not', async () => {
    await using counter = await Counter.open();
    const assignment = await counter.assign('web');
    counter.strike({ fault: 'time-out', verb: 'bind', performed: false });
    await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(
      shownBy(counter.cache.snapshot()),
      'the bind timed out, and a get shows that the pod is not bound: forget the assumed pod',
    ).toEqual({ 'node-1': [], 'node-2': [] });
    expect(counter.told, 'the event about the failed bind').toContainEqual(
      expect.stringMatching(/^web: Warning FailedScheduling: ./),
    );
    expect(counter.places(), 'a pod that was not bound must go into back-off').toEqual({ backoff: ['web'] });
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
    expect(shownBy(counter.cache.snapshot()), 'the pods on each node in a new snapshot').toEqual({
      'node-1': [],
      'node-2': [],
    });
    expect(counter.places(), 'the pods in each place of the queue').toEqual({ backoff: ['web'] });
  });

  test('takes the pod to be where the server says, when another has bound it', async () => {
    await using counter = await Counter.open();
    await counter.sleeper();
    const assignment = await counter.assign('web');
    await counter.cluster.admin.bind(key('web'), 'node-2');
    await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(
      shownBy(counter.cache.snapshot()),
      'another scheduler bound the pod to node-2: count it there',
    ).toEqual({ 'node-1': [], 'node-2': ['web'] });
    expect(
      counter.cache.isAssumedPod(assignment.assumed),
      'the pod on node-2 is assumed until the informer shows it',
    ).toBe(true);
    expect(counter.places(), 'the room on node-1 is free again, which must wake the pod that sleeps').toEqual(
      { active: ['sleeper'] },
    );
    expect(counter.told, 'this scheduler did not bind the pod, so it must emit no event').toEqual([]);
  });

  test('believes the informer in the end, when another has bound the pod', async () => {
    await using counter = await Counter.open();
    const [shown, gone] = [await counter.assign('shown'), await counter.assign('gone')];
    for (const name of ['shown', 'gone']) await counter.cluster.admin.bind(key(name), 'node-2');
    const bound = counter.pod('shown') as Pod;
    counter.informer.set('shown', bound);
    counter.cache.addPod(bound);
    counter.informer.delete('gone');
    for (const assignment of [shown, gone]) await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(
      shownBy(counter.cache.snapshot()),
      'the informer has shown one pod on node-2 and the deletion of the other; keep both as they are',
    ).toEqual({ 'node-1': [], 'node-2': ['shown'] });
    expect(counter.cache.isAssumedPod(bound), 'the informer has shown the pod, so it is not assumed').toBe(
      false,
    );
    expect(counter.places(), 'neither pod may go back into the queue').toEqual({});
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
    expect(shownBy(counter.cache.snapshot()), 'the pods on each node in a new snapshot').toEqual({
      'node-1': [],
      'node-2': [],
    });
    expect(counter.places(), 'the pods in each place of the queue').toEqual({});
    expect(counter.told, 'the events about pods').toEqual([]);
    expect(counter.pod('replaced')?.spec.nodeName ?? '', 'the node of replaced').toBe('');
    expect(diary, 'the calls of the reserve plugin').toEqual([
      'unreserve a gone node-1',
      'unreserve a replaced node-1',
    ]);
  });

  test('believes the server that a pod is gone, also if the informer still shows it', async () => {
    await using counter = await Counter.open();
    const assignment = await counter.assign('web');
    await counter.cluster.admin.delete(pods, key('web'));
    counter.strike({ fault: 'time-out', verb: 'bind', performed: true });
    await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(shownBy(counter.cache.snapshot()), 'the pods on each node in a new snapshot').toEqual({
      'node-1': [],
      'node-2': [],
    });
    expect(counter.places(), 'the pods in each place of the queue').toEqual({});
    expect(counter.told, 'the events about pods').toEqual([]);
  });

  test('tells of nothing if the answer comes after it was told to stop', async () => {
    await using counter = await Counter.open();
    const assignment = await counter.assign('web');
    const cycle = bindingCycle(counter.scheduler, assignment);
    counter.stop.abort();
    await counter.settle(cycle);
    expect(counter.told, 'the events about pods').toEqual([]);
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
    expect(counter.told, 'the events about pods').toEqual([]);
  });
});
