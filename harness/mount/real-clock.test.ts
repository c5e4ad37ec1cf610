import { describe, expect, test } from 'vitest';
import { realClock } from './real-clock.ts';

describe('realClock', () => {
  test('calls back, unless the timer is cancelled', async () => {
    const called: string[] = [];
    const cancel = realClock.after(0, () => called.push('cancelled'));
    realClock.after(1, () => called.push('kept'));
    cancel();
    await realClock.sleep(5);
    expect(called).toEqual(['kept']);
  });

  test('wakes a sleeper with the abort reason', async () => {
    const abort = new AbortController();
    const sleep = realClock.sleep(1_000_000, abort.signal);
    abort.abort(new Error('enough'));
    await expect(sleep).rejects.toThrow('enough');
  });

  test('does not fire a timer that is years away', async () => {
    let fired = false;
    const cancel = realClock.after(1e12, () => {
      fired = true;
    });
    await realClock.sleep(2);
    cancel();
    expect(fired).toBe(false);
  });
});
