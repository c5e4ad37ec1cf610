import { describe, expect, test } from 'vitest';
import { scheduling } from '#harness';
import { soFar } from '#harness/testing';
import { backoffDurationMs } from '#kata/33-bind/bind';
import { aPod, namesOf } from './objects.fixture.ts';
import { QueueFixture } from './queue.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 1 · The queue', () => {
  test('lets a pod wait a second after its first failure, twice as long after each more, and ten at most', () => {
    expect(
      [1, 2, 3, 4, 5, 6, 7].map((count) => backoffDurationMs(count)),
      'the back-off after 1 to 7 failures',
    ).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
    expect(backoffDurationMs(0), 'without a failure').toBe(0);
    expect(backoffDurationMs(5_000), 'after 5000 failures').toBe(10_000);
  });

  interface BackoffRow {
    readonly attempts: number;
    readonly initial: string;
    readonly max: string;
  }
  // In nanoseconds, which is all the same to it.
  test.each(table<BackoffRow, { duration: string }>('backoffDuration', 6))(
    'waits as long as Kubernetes does: %s',
    (_, { input, expect: wanted }) => {
      const limits = { initialMs: Number(input.initial), maxMs: Number(input.max) };
      expect(
        backoffDurationMs(input.attempts, limits),
        `initial × 2^(attempts - 1), at most max: ${JSON.stringify(input)}`,
      ).toBe(Number(wanted.duration));
    },
  );

  test('hands out the pods that were added, and has them in flight from then on', async () => {
    const fixture = new QueueFixture();
    fixture.queue.add(aPod('web'));
    fixture.expectPlaces().toEqual({ active: ['web'] });
    const info = await fixture.take();
    expect(info).toMatchObject({ attempts: 1, unschedulableCount: 0, consecutiveErrorsCount: 0 });
    expect(info.timestampMs).toBe(fixture.nowMs);
    expect([...info.unschedulablePlugins]).toEqual([]);
    fixture.expectPlaces().toEqual({ inFlight: ['web'] });
    fixture.queue.done('uid-of-web');
    fixture.expectPlaces().toEqual({});
  });

  test('hands out the most important first, and of those the one that has waited longest', async () => {
    const fixture = new QueueFixture();
    for (const [name, priority] of [
      ['b', 0],
      ['a', 0],
      ['high', 5],
      ['low', -5],
    ] as const) {
      fixture.queue.add(aPod(name, { priority }));
      fixture.pass(1);
    }
    expect(await fixture.takeAll(), 'by priority 5, 0, 0, -5, then by the time of add').toEqual([
      'high',
      'b',
      'a',
      'low',
    ]);
  });

  test('lets a pop wait that comes too early, and serves those that wait in turn', async () => {
    const { queue } = new QueueFixture();
    const [first, second] = [queue.pop(), queue.pop()];
    expect(await soFar(first)).toBe('waits');
    queue.add(aPod('a'));
    queue.add(aPod('b'));
    expect((await soFar(first)) as scheduling.QueuedPodInfo).toMatchObject({
      pod: { metadata: { name: 'a' } },
    });
    expect((await soFar(second)) as scheduling.QueuedPodInfo).toMatchObject({
      pod: { metadata: { name: 'b' } },
    });
    expect(namesOf(queue.inFlightPods())).toEqual(['a', 'b']);
  });

  test('has each pod once, but another of the same name is another pod', async () => {
    const fixture = new QueueFixture();
    fixture.queue.add(aPod('web'));
    fixture.queue.add(aPod('web'));
    fixture.expectPlaces().toEqual({ active: ['web'] });
    await fixture.take();
    fixture.queue.add(aPod('web'));
    fixture.expectPlaces().toEqual({ inFlight: ['web'] });
    fixture.queue.add(aPod('web', { uid: 'another' }));
    fixture.expectPlaces().toEqual({ active: ['web'], inFlight: ['web'] });
  });

  test('lets a pod with which something went wrong wait for a second, and a little more', async () => {
    const fixture = new QueueFixture();
    fixture.queue.add(aPod('web'));
    await fixture.fail();
    fixture.expectPlaces().toEqual({ backoff: ['web'] });
    fixture.pass(1_000);
    fixture.expectPlaces('after exactly a second').toEqual({ backoff: ['web'] });
    fixture.pass(1);
    fixture.expectPlaces('after a second and 1 ms').toEqual({ active: ['web'] });
    const again = await fixture.take();
    expect(again).toMatchObject({ attempts: 2, consecutiveErrorsCount: 1, unschedulableCount: 0 });
  });

  test('lets a pod that was turned away sleep, however long its backoff has been over', async () => {
    const fixture = new QueueFixture();
    fixture.queue.add(aPod('web'));
    await fixture.fail('Room');
    fixture.expectPlaces().toEqual({ unschedulable: ['web'] });
    fixture.pass(60_000);
    fixture.expectPlaces().toEqual({ unschedulable: ['web'] });
  });

  test('counts errors apart from the times that a plugin turned the pod away', async () => {
    const fixture = new QueueFixture();
    fixture.queue.add(aPod('web'));
    for (let times = 0; times < 3; times++) {
      await fixture.fail('Room');
      fixture.nowMs += 400_000;
      fixture.queue.flushUnschedulablePodsLeftover();
    }
    await fixture.fail();
    fixture.pass(1_001);
    fixture.expectPlaces('a second after the first error').toEqual({ active: ['web'] });
    await fixture.fail();
    fixture.pass(1_001);
    fixture.expectPlaces('a second after the second error').toEqual({ backoff: ['web'] });
    fixture.pass(1_000);
    const before = await fixture.fail('Room');
    expect(before, 'the counts when it is popped after 3 rejections and 2 errors').toMatchObject({
      attempts: 6,
      unschedulableCount: 3,
      consecutiveErrorsCount: 2,
    });
    fixture.nowMs += 400_000;
    fixture.queue.flushUnschedulablePodsLeftover();
    const last = await fixture.take();
    expect(last, 'a rejection by a plugin ends the row of errors').toMatchObject({
      attempts: 7,
      unschedulableCount: 4,
      consecutiveErrorsCount: 0,
    });
    expect([...last.unschedulablePlugins], 'the plugins that turned it away the last time').toEqual([]);
  });

  interface OrderingRow {
    readonly priorityWithinWindow: boolean;
    readonly pods: readonly { name: string; priority: number; timestampMs: number }[];
  }
  // With the windows of SchedulerPopFromBackoffQ, which is off here, the same pods are let go in another order.
  test.each(table<OrderingRow, { popped: string[]; alsoAcceptable?: string[][] }>('ordering', 2))(
    'lets the same pods go as Kubernetes: %s',
    async (_, { input, expect: wanted }) => {
      const fixture = new QueueFixture();
      const start = fixture.nowMs;
      for (const { name, priority, timestampMs } of input.pods) {
        fixture.nowMs = start + timestampMs;
        fixture.queue.add(aPod(name, { priority }));
        await fixture.fail();
      }
      // Which pod is let go first shows as time passes.
      const popped: string[] = [];
      for (fixture.nowMs = start - 3_000; fixture.nowMs <= start; fixture.nowMs++) {
        fixture.queue.flushBackoffQCompleted();
        popped.push(...(await fixture.takeAll()));
      }
      if (input.priorityWithinWindow) expect([...popped].sort()).toEqual([...wanted.popped].sort());
      else expect([wanted.popped, ...(wanted.alsoAcceptable ?? [])]).toContainEqual(popped);
    },
  );

  test('counts the time in line from when it came back', async () => {
    const fixture = new QueueFixture();
    fixture.queue.add(aPod('early'));
    fixture.pass(10);
    fixture.queue.add(aPod('late'));
    fixture.pass(10);
    await fixture.fail();
    fixture.pass(10);
    fixture.queue.add(aPod('last'));
    fixture.pass(5_000);
    expect(
      await fixture.takeAll(),
      'early came back after late was added, so late has waited longer',
    ).toEqual(['late', 'early', 'last']);
  });

  test('takes back the version that it is given, and no pod that waits already', async () => {
    const fixture = new QueueFixture();
    fixture.queue.add(aPod('web'));
    const info = await fixture.take();
    const newer = aPod('web', { labels: { version: '2' } });
    fixture.bringBack({ ...info, pod: newer });
    expect(
      fixture.queue.podsInBackoffQ(),
      'the version that was passed to addUnschedulableIfNotPresent',
    ).toEqual([newer]);
    fixture.expectPlaces().toEqual({ backoff: ['web'] });
    fixture.bringBack({ ...info, pod: newer }, 'Room');
    fixture.expectPlaces().toEqual({ backoff: ['web'] });
    fixture.pass(1_001);
    fixture.bringBack(info);
    fixture.expectPlaces().toEqual({ active: ['web'] });
    expect(
      await fixture.take(),
      'a pod that waits already must not be replaced by an older version',
    ).toMatchObject({ pod: newer, attempts: 2 });
  });

  test('tries a pod again that has slept for more than five minutes', async () => {
    const fixture = new QueueFixture();
    fixture.queue.add(aPod('web'));
    fixture.nowMs += 200_000;
    await fixture.fail('Room');
    fixture.nowMs += scheduling.POD_MAX_IN_UNSCHEDULABLE_PODS_MS;
    fixture.queue.flushUnschedulablePodsLeftover();
    fixture.expectPlaces('after exactly five minutes').toEqual({ unschedulable: ['web'] });
    fixture.nowMs += 1;
    fixture.queue.flushUnschedulablePodsLeftover();
    fixture.expectPlaces('after five minutes and 1 ms').toEqual({ active: ['web'] });
  });

  test('has the new version of a pod that changes while it waits, in its old place, with what became of it', async () => {
    const fixture = new QueueFixture();
    const old = aPod('web');
    fixture.queue.add(old);
    fixture.pass(1);
    fixture.queue.add(aPod('other'));
    const second = aPod('web', { labels: { version: '2' } });
    fixture.queue.update(old, second);
    expect(await fixture.fail(), 'update must replace the pod, also in activeQ').toMatchObject({
      pod: second,
    });
    const third = aPod('web', { labels: { version: '3' } });
    fixture.queue.update(second, third);
    expect(
      fixture.queue.podsInBackoffQ(),
      'update must replace the pod in backoffQ and keep its backoff: the failure counts stay as they are',
    ).toEqual([third]);
    await fixture.fail('Room');
    const other = aPod('other', { labels: { version: '2' } });
    fixture.queue.update(aPod('other'), other);
    expect(fixture.queue.unschedulablePods(), 'update must replace the pod in unschedulablePods').toEqual([
      other,
    ]);
    fixture.pass(1_001);
    expect(
      await fixture.take(),
      'update must replace the pod and keep its counts: one error, and this is attempt 2',
    ).toMatchObject({ pod: third, attempts: 2, consecutiveErrorsCount: 1 });
    fixture.nowMs += 400_000;
    fixture.queue.flushUnschedulablePodsLeftover();
    expect(
      await fixture.take(),
      'update must keep the counts: one rejection, and this is attempt 2',
    ).toMatchObject({ pod: other, attempts: 2, unschedulableCount: 1 });
  });

  test('leaves a pod in flight as it was popped when it changes, and adds one that it does not know', async () => {
    const fixture = new QueueFixture();
    const old = aPod('web');
    fixture.queue.add(old);
    await fixture.take();
    fixture.queue.update(old, aPod('web', { labels: { version: '2' } }));
    fixture.expectPlaces().toEqual({ inFlight: ['web'] });
    expect(fixture.queue.inFlightPods(), 'a pod in flight stays the version that was popped').toEqual([old]);
    fixture.queue.update(aPod('new'), aPod('new'));
    fixture.expectPlaces().toEqual({ active: ['new'], inFlight: ['web'] });
  });

  test('holds a pod that is gated until it has no gate any more', async () => {
    const fixture = new QueueFixture();
    const gated = aPod('web', { gates: ['a', 'b'] });
    fixture.queue.add(gated);
    fixture.expectPlaces().toEqual({ unschedulable: ['web'] });
    fixture.nowMs += 400_000;
    fixture.queue.flushUnschedulablePodsLeftover();
    fixture.expectPlaces('after five minutes').toEqual({ unschedulable: ['web'] });
    const fewer = aPod('web', { gates: ['b'] });
    fixture.queue.update(gated, fewer);
    fixture.expectPlaces('with one gate less').toEqual({ unschedulable: ['web'] });
    expect(fixture.queue.unschedulablePods()).toEqual([fewer]);
    const free = aPod('web');
    fixture.queue.update(fewer, free);
    fixture.expectPlaces('without gates').toEqual({ active: ['web'] });
    expect(await fixture.take()).toMatchObject({ pod: free, attempts: 1 });
  });

  test('forgets a pod that is gone, wherever it is, unless it is in flight', async () => {
    const fixture = new QueueFixture();
    for (const name of ['sleeps', 'backs-off', 'flies', 'stands']) {
      fixture.queue.add(aPod(name));
      fixture.pass(1);
    }
    await fixture.fail('Room');
    await fixture.fail();
    await fixture.take();
    for (const name of ['sleeps', 'backs-off', 'flies', 'stands', 'unknown'])
      fixture.queue.delete(aPod(name));
    fixture.expectPlaces().toEqual({ inFlight: ['flies'] });
    fixture.queue.done('uid-of-unknown');
    fixture.expectPlaces().toEqual({ inFlight: ['flies'] });
  });

  test('ends each pop that waits and each that comes later when it is closed', async () => {
    const { queue } = new QueueFixture();
    const waiting = queue.pop();
    queue.close();
    queue.close();
    expect(await soFar(waiting)).toBeUndefined();
    queue.add(aPod('web'));
    expect(await soFar(queue.pop())).toBeUndefined();
  });
});
