import { describe, expect, test } from 'vitest';
import { Simulation } from '#harness/testing';
import { PullBackOff } from '#kata/43-images/images';

describe('Level 5 · Back-off', () => {
  test('does not block a key that has not failed', () => {
    expect(
      new PullBackOff(new Simulation().clock).blocked('a'),
      'no failure was recorded for a',
    ).toBeUndefined();
  });

  test('doubles the wait after each failure, up to five minutes', async () => {
    const sim = new Simulation();
    const backOff = new PullBackOff(sim.clock);
    for (const seconds of [10, 20, 40, 80, 160, 300, 300]) {
      backOff.failed('a', 'it failed');
      await sim.run({ forMs: seconds * 1_000 - 1 });
      expect(backOff.blocked('a'), `the back-off is ${seconds} s, and 1 ms is left`).toMatchObject({
        why: 'it failed',
      });
      await sim.run({ forMs: 1 });
      expect(backOff.blocked('a'), `the back-off of ${seconds} s is over`).toBeUndefined();
    }
  });

  test('returns the reason of the last failure', async () => {
    const sim = new Simulation();
    const backOff = new PullBackOff(sim.clock);
    backOff.failed('a', 'first');
    await sim.run({ forMs: 10_000 });
    backOff.failed('a', 'second');
    expect(backOff.blocked('a')?.why, 'the reason of the last failure').toBe('second');
  });

  test('keeps keys apart', () => {
    const backOff = new PullBackOff(new Simulation().clock);
    backOff.failed('a', 'it failed');
    expect(backOff.blocked('b'), 'only a has failed').toBeUndefined();
  });

  test('starts over when the previous failure is more than ten minutes old', async () => {
    const sim = new Simulation();
    const backOff = new PullBackOff(sim.clock);
    backOff.failed('a', '');
    await sim.run({ forMs: 10_000 });
    backOff.failed('a', '');
    await sim.run({ forMs: 600_001 });
    backOff.failed('a', '');
    await sim.run({ forMs: 10_000 });
    expect(
      backOff.blocked('a'),
      'the previous failure was 600.001 s old: the back-off begins at 10 s again',
    ).toBeUndefined();
  });

  test('doubles the wait when the previous failure is exactly ten minutes old', async () => {
    const sim = new Simulation();
    const backOff = new PullBackOff(sim.clock);
    backOff.failed('a', '');
    await sim.run({ forMs: 600_000 });
    backOff.forgetOld();
    backOff.failed('a', '');
    await sim.run({ forMs: 10_000 });
    expect(
      backOff.blocked('a'),
      'a failed again 600 s after its first failure, which still counts then: the wait is 20 s, and only 10 s have passed',
    ).toBeDefined();
  });

  test('forgetOld deletes only failures that no longer count', async () => {
    const sim = new Simulation();
    const backOff = new PullBackOff(sim.clock);
    backOff.failed('a', '');
    backOff.forgetOld();
    expect(backOff.blocked('a'), 'a failed just now: forgetOld must keep it').toBeDefined();
    await sim.run({ forMs: 700_000 });
    backOff.forgetOld();
    expect(
      backOff.blocked('a'),
      'a failed 700 s ago, which is longer than any back-off: it is not blocked',
    ).toBeUndefined();
  });
});
