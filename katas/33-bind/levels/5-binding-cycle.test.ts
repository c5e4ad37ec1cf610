import { describe, expect, test } from 'vitest';
import { framework, type Pod, pods } from '#harness';
import { bindingCycle } from '#kata/33-bind/bind';
import { Counter } from './counter.fixture.ts';
import { key } from './objects.fixture.ts';
import { reserving } from './reserve.fixture.ts';
import { shownBy } from './snapshot.fixture.ts';

describe('Level 5 · Binding', () => {
  test('binds a pod, emits Scheduled, and keeps the pod assumed', async () => {
    await using counter = await Counter.open();
    const assignment = await counter.assign('web');
    const cycle = bindingCycle(counter.scheduler, assignment);
    const places = counter.places();
    await counter.settle(cycle);
    expect(places, 'done must be called before the first await').toEqual({});
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

  test('calls the bind plugins of the profile first', async () => {
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

  test('unreserves, forgets and requeues a pod that the server refused to bind', async () => {
    const diary: string[] = [];
    await using counter = await Counter.open({
      reserve: [reserving(diary, 'PluginA'), reserving(diary, 'PluginB')],
    });
    await counter.sleeper();
    const assignment = await counter.assign('web');
    counter.strike({ fault: 'refuse', verb: 'bind', reason: 'TooManyRequests', requests: 1 });
    await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(diary, 'unreserve must be called in reverse order').toEqual([
      'PluginB.unreserve(web, node-1)',
      'PluginA.unreserve(web, node-1)',
    ]);
    expect(shownBy(counter.cache.snapshot()), 'a failed bind must forget the assumed pod').toEqual({
      'node-1': [],
      'node-2': [],
    });
    expect(
      counter.gone,
      'a failed bind frees room, so the cycle must give the queue the event AssignedPod Delete with the assumed pod; the pods that got this event',
    ).toEqual([assignment.assumed]);
    expect(counter.places(), 'the freed room must wake sleeper, and the failed pod must back off').toEqual({
      active: ['sleeper'],
      backoff: ['web'],
    });
    expect(counter.told, 'the event about the failed bind').toContainEqual(
      expect.stringMatching(/^web: Warning FailedScheduling: ./),
    );
    expect(counter.condition('web'), 'the condition PodScheduled after a failed bind').toMatch(
      /^False SchedulerError: ./,
    );
  });

  test('unreserves a pod that was deleted while it was being bound', async () => {
    const diary: string[] = [];
    await using counter = await Counter.open({ reserve: [reserving(diary, 'PluginA')] });
    await counter.sleeper();
    const assignment = await counter.assign('web');
    const cycle = bindingCycle(counter.scheduler, assignment);
    // As the informer handler does.
    counter.cache.removePod(assignment.assumed);
    await counter.cluster.admin.delete(pods, key('web'));
    counter.informer.delete('web');
    await counter.settle(cycle);
    expect(diary, 'unreserve must also be called for a deleted pod').toEqual([
      'PluginA.unreserve(web, node-1)',
    ]);
    expect(
      counter.gone,
      'the informer handler gives the queue the event of a deleted pod, so the cycle must not',
    ).toEqual([]);
    expect(
      counter.places(),
      'a pod that is gone must not go back into the queue, and sleeper must not wake',
    ).toEqual({ unschedulable: ['sleeper'] });
  });

  test('treats any other status than Success as a failure', async () => {
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
    expect(counter.places(), 'a pod that was not bound must back off').toEqual({ backoff: ['web'] });
  });

  test('reads the pod after a timeout, and keeps it if it is bound', async () => {
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

  test('reads the pod after a timeout, and requeues it if it is not bound', async () => {
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
    expect(counter.places(), 'a pod that was not bound must back off').toEqual({ backoff: ['web'] });
  });

  test('requeues the version of the informer, even if the server returned an older version', async () => {
    await using counter = await Counter.open();
    const assignments = [await counter.assign('changed'), await counter.assign('deleted')];
    const { metadata, ...rest } = counter.pod('changed') as Pod;
    // Both happen after the server has read the pod, and before its response arrives.
    counter.informer.set('changed', { ...rest, metadata: { ...metadata, labels: { version: '2' } } });
    counter.informer.delete('deleted');
    for (const assignment of assignments) {
      counter.strike({ fault: 'time-out', verb: 'bind', performed: false });
      await counter.settle(bindingCycle(counter.scheduler, assignment));
    }
    expect(
      counter.places(),
      'the informer has reported the deletion of one pod, so only the other goes back into the queue',
    ).toEqual({ backoff: ['changed'] });
    await counter.cluster.runFor(2_000);
    counter.queue.flushBackoffQCompleted();
    expect(
      (await counter.queue.pop())?.pod.metadata.labels,
      'the informer has reported a newer version than the server returned: requeue the newer version',
    ).toEqual({ version: '2' });
  });

  test('keeps the pod assumed until a read succeeds', async () => {
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
    expect(
      mostAsked,
      'failed reads of the pod while it was assumed: read again until the server answers',
    ).toBeGreaterThanOrEqual(3);
    const [boundMs = 0] = counter.askedMs('bind');
    const askedMs = counter.askedMs('get').filter((atMs) => atMs > boundMs);
    for (const [i, atMs] of askedMs.entries()) {
      const sinceMs = atMs - (askedMs[i - 1] ?? Number.NEGATIVE_INFINITY);
      expect(sinceMs, 'ms between two reads of the pod').toBeGreaterThanOrEqual(50);
    }
    expect(
      shownBy(counter.cache.snapshot()),
      'the pods on each node in a new snapshot: the server no longer has this pod, so forget it',
    ).toEqual({
      'node-1': [],
      'node-2': [],
    });
    expect(counter.places(), 'the pods in each place of the queue').toEqual({ backoff: ['web'] });
  });

  test('moves the pod to the node to which another client bound it', async () => {
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
    expect(counter.places(), 'the room on node-1 is free again, which must wake sleeper').toEqual({
      active: ['sleeper'],
    });
    expect(counter.told, 'this scheduler did not bind the pod, so it must emit no event').toEqual([]);
  });

  test('prefers the report of the informer when another client bound the pod', async () => {
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

  test('unreserves and forgets a pod that was deleted or replaced', async () => {
    const diary: string[] = [];
    await using counter = await Counter.open({ reserve: [reserving(diary, 'PluginA')] });
    const [deleted, replaced] = [await counter.assign('deleted'), await counter.assign('replaced')];
    for (const name of ['deleted', 'replaced']) {
      await counter.cluster.admin.delete(pods, key(name));
      counter.informer.delete(name);
    }
    await counter.create('replaced');
    for (const assignment of [deleted, replaced]) {
      counter.strike({ fault: 'time-out', verb: 'bind', performed: true });
      await counter.settle(bindingCycle(counter.scheduler, assignment));
    }
    expect(
      shownBy(counter.cache.snapshot()),
      'the pods on each node in a new snapshot: the server no longer has this pod, so forget it',
    ).toEqual({
      'node-1': [],
      'node-2': [],
    });
    expect(counter.places(), 'the pods in each place of the queue').toEqual({});
    expect(counter.told, 'no event must be emitted').toEqual([]);
    expect(counter.pod('replaced')?.spec.nodeName ?? '', 'the node of replaced').toBe('');
    expect(
      diary,
      'unreserve must be called for a pod that the server no longer has, and for a pod whose name another pod has now',
    ).toEqual(['PluginA.unreserve(deleted, node-1)', 'PluginA.unreserve(replaced, node-1)']);
  });

  test('drops a pod that the server no longer has, even if the informer still shows it', async () => {
    await using counter = await Counter.open();
    const assignment = await counter.assign('web');
    await counter.cluster.admin.delete(pods, key('web'));
    counter.strike({ fault: 'time-out', verb: 'bind', performed: true });
    await counter.settle(bindingCycle(counter.scheduler, assignment));
    expect(
      shownBy(counter.cache.snapshot()),
      'the pods on each node in a new snapshot: the server no longer has this pod, so forget it',
    ).toEqual({
      'node-1': [],
      'node-2': [],
    });
    expect(counter.places(), 'the pods in each place of the queue').toEqual({});
    expect(counter.told, 'no event must be emitted').toEqual([]);
  });

  test('emits no event when the answer arrives after the abort', async () => {
    await using counter = await Counter.open();
    const assignment = await counter.assign('web');
    const cycle = bindingCycle(counter.scheduler, assignment);
    counter.stop.abort();
    await counter.settle(cycle);
    expect(counter.told, 'no event must be emitted').toEqual([]);
  });

  test('sends no request after the abort', async () => {
    await using counter = await Counter.open();
    const assignment = await counter.assign('web');
    counter.strike({ fault: 'time-out', verb: 'bind', performed: false });
    const cycle = bindingCycle(counter.scheduler, assignment);
    await counter.cluster.runFor(10);
    const before = counter.asked('get');
    counter.stop.abort();
    await counter.settle(cycle);
    expect(
      { get: counter.asked('get') - before, patch: counter.asked('patch') },
      'requests after the abort',
    ).toEqual({ get: 0, patch: 0 });
    expect(counter.told, 'no event must be emitted').toEqual([]);
  });
});
