import { describe, expect, test } from 'vitest';
import { scheduling } from '#given/33-bind';
import { soFar } from '#harness/testing';
import { backoffDurationMs } from '#kata/33-bind/bind';
import { aPod, namesOf } from './objects.fixture.ts';
import { QueueFixture } from './queue.fixture.ts';
import { table } from './tables.fixture.ts';

describe('Level 1 · The queue', () => {
  test('returns a backoff of 1 s for the first failure, doubled for each further one, at most 10 s', () => {
    expect(
      [1, 2, 3, 4, 5, 6, 7].map((count) => backoffDurationMs(count)),
      'the backoff after 1 to 7 failures',
    ).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
    expect(backoffDurationMs(0), 'without a failure').toBe(0);
    expect(backoffDurationMs(5_000), 'after 5000 failures').toBe(10_000);
  });

  interface BackoffRow {
    readonly attempts: number;
    readonly initial: string;
    readonly max: string;
  }
  // Upstream's rows are in nanoseconds; the function works with any unit.
  test.each(table<BackoffRow, { duration: string }>('backoffDuration', 6))(
    'returns the backoff of upstream: %s',
    (_, { input, expect: wanted }) => {
      const limits = { initialMs: Number(input.initial), maxMs: Number(input.max) };
      expect(
        backoffDurationMs(input.attempts, limits),
        `initial × 2^(attempts - 1), at most max: ${JSON.stringify(input)}`,
      ).toBe(Number(wanted.duration));
    },
  );

  test('pops added pods, which are in flight from then on', async () => {
    const fixture = new QueueFixture();
    fixture.queue.add(aPod('web'));
    fixture.expectPlaces().toEqual({ active: ['web'] });
    const info = await fixture.take();
    expect(info, 'the counts of a pod that is popped for the first time').toMatchObject({
      attempts: 1,
      unschedulableCount: 0,
      consecutiveErrorsCount: 0,
    });
    expect(info.timestampMs, 'timestampMs is the time of add').toBe(fixture.nowMs);
    expect([...info.unschedulablePlugins], 'no plugin has rejected the pod').toEqual([]);
    fixture.expectPlaces().toEqual({ inFlight: ['web'] });
    fixture.queue.done('uid-of-web');
    fixture.expectPlaces().toEqual({});
  });

  test('pops the pod with the highest priority first, and the one that has waited longest among equals', async () => {
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

  test('blocks pop while no pod is active, and serves waiting calls in order', async () => {
    const { queue } = new QueueFixture();
    const [first, second] = [queue.pop(), queue.pop()];
    expect(await soFar(first), 'pop of an empty queue must wait').toBe('waits');
    queue.add(aPod('a'));
    queue.add(aPod('b'));
    expect((await soFar(first)) as scheduling.QueuedPodInfo, 'the first pop').toMatchObject({
      pod: { metadata: { name: 'a' } },
    });
    expect((await soFar(second)) as scheduling.QueuedPodInfo, 'the second pop').toMatchObject({
      pod: { metadata: { name: 'b' } },
    });
    expect(namesOf(queue.inFlightPods()), 'popped pods are in flight').toEqual(['a', 'b']);
  });

  test('holds each pod once, and identifies it by uid', async () => {
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

  test('retries a pod after an error when more than one second has passed', async () => {
    const fixture = new QueueFixture();
    fixture.queue.add(aPod('web'));
    await fixture.fail();
    fixture.expectPlaces().toEqual({ backoff: ['web'] });
    fixture.pass(1_000);
    fixture.expectPlaces('after exactly a second').toEqual({ backoff: ['web'] });
    fixture.pass(1);
    fixture.expectPlaces('after a second and 1 ms').toEqual({ active: ['web'] });
    const again = await fixture.take();
    expect(again, 'the counts after one error').toMatchObject({
      attempts: 2,
      consecutiveErrorsCount: 1,
      unschedulableCount: 0,
    });
  });

  test('keeps a rejected pod unschedulable, however long its backoff has been over', async () => {
    const fixture = new QueueFixture();
    fixture.queue.add(aPod('web'));
    await fixture.fail('Room');
    fixture.expectPlaces().toEqual({ unschedulable: ['web'] });
    fixture.pass(60_000);
    fixture.expectPlaces().toEqual({ unschedulable: ['web'] });
  });

  test('counts errors and rejections separately', async () => {
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
    expect(last, 'a rejection resets consecutiveErrorsCount').toMatchObject({
      attempts: 7,
      unschedulableCount: 4,
      consecutiveErrorsCount: 0,
    });
    expect([...last.unschedulablePlugins], 'popped must empty unschedulablePlugins').toEqual([]);
  });

  interface OrderingRow {
    readonly priorityWithinWindow: boolean;
    readonly pods: readonly { name: string; priority: number; timestampMs: number }[];
  }
  // The order within the windows of SchedulerPopFromBackoffQ differs: that feature is off here.
  test.each(table<OrderingRow, { popped: string[]; alsoAcceptable?: string[][] }>('ordering', 2))(
    'pops the same pods as upstream: %s',
    async (_, { input, expect: wanted }) => {
      const fixture = new QueueFixture();
      const start = fixture.nowMs;
      for (const { name, priority, timestampMs } of input.pods) {
        fixture.nowMs = start + timestampMs;
        fixture.queue.add(aPod(name, { priority }));
        await fixture.fail();
      }
      // Move the clock by 1 ms at a time to see which pod leaves backoffQ first.
      const popped: string[] = [];
      for (fixture.nowMs = start - 3_000; fixture.nowMs <= start; fixture.nowMs++) {
        fixture.queue.flushBackoffQCompleted();
        popped.push(...(await fixture.takeAll()));
      }
      if (input.priorityWithinWindow)
        expect([...popped].sort(), 'the pods that left backoffQ, in any order').toEqual(
          [...wanted.popped].sort(),
        );
      else
        expect(
          [wanted.popped, ...(wanted.alsoAcceptable ?? [])],
          'the acceptable orders in which pods leave backoffQ',
        ).toContainEqual(popped);
    },
  );

  test('orders a pod by the time at which it came back', async () => {
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

  test('takes back the given version of a pod, and ignores a pod that already waits', async () => {
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

  test('retries a pod that has been unschedulable for more than five minutes', async () => {
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

  test('replaces the version of a waiting pod in its place, and keeps its counts', async () => {
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

  test('keeps the popped version of a pod in flight, and adds an unknown pod', async () => {
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

  test('keeps a gated pod back until its last gate is removed', async () => {
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
    expect(fixture.queue.unschedulablePods(), 'update must replace a gated pod').toEqual([fewer]);
    const free = aPod('web');
    fixture.queue.update(fewer, free);
    fixture.expectPlaces('without gates').toEqual({ active: ['web'] });
    expect(await fixture.take(), 'the pod without gates, at its first attempt').toMatchObject({
      pod: free,
      attempts: 1,
    });
  });

  test('deletes a pod from every place except from those in flight', async () => {
    const fixture = new QueueFixture();
    for (const name of ['unschedulable', 'backs-off', 'in-flight', 'active']) {
      fixture.queue.add(aPod(name));
      fixture.pass(1);
    }
    await fixture.fail('Room');
    await fixture.fail();
    await fixture.take();
    for (const name of ['unschedulable', 'backs-off', 'in-flight', 'active', 'unknown'])
      fixture.queue.delete(aPod(name));
    fixture.expectPlaces().toEqual({ inFlight: ['in-flight'] });
    fixture.queue.done('uid-of-unknown');
    fixture.expectPlaces().toEqual({ inFlight: ['in-flight'] });
  });

  test('resolves waiting and later pops with undefined when it is closed', async () => {
    const { queue } = new QueueFixture();
    const waiting = queue.pop();
    queue.close();
    queue.close();
    expect(await soFar(waiting), 'a pop that waits when the queue is closed').toBeUndefined();
    queue.add(aPod('web'));
    expect(await soFar(queue.pop()), 'a pop of a closed queue').toBeUndefined();
  });
});
