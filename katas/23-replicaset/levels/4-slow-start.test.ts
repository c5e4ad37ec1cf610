import { describe, expect, test } from 'vitest';
import { ruleFor } from '#harness/testing';
import { SLOW_START_INITIAL_BATCH_SIZE, slowStartBatch } from '#kata/23-replicaset/replicaset';
import { table } from './tables.fixture.ts';

/** Waits long enough for every chain of resolved promises. */
async function untilQuiet(): Promise<void> {
  for (let i = 0; i < 100; i++) await Promise.resolve();
}

/** Calls that a test settles. */
class Calls {
  started = 0;
  #waiting: { readonly index: number; readonly settle: (error?: unknown) => void }[] = [];

  readonly fn = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
      this.#waiting.push({ index: this.started++, settle });
    });

  /** Settles all waiting calls, last first: rejects a call if `fails` returns an error for its number. */
  settle(fails: (index: number) => unknown = () => undefined): void {
    for (const { index, settle } of this.#waiting.splice(0).reverse()) settle(fails(index));
  }
}

/** Settles all further calls until the promise settles or no more calls come. */
async function drain(result: Promise<unknown>, calls: Calls): Promise<void> {
  result.catch(() => {});
  for (let i = 0; i < 30; i++) {
    await untilQuiet();
    calls.settle();
  }
}

describe('Level 4 · Slow start', () => {
  interface SlowStartRow {
    readonly count: number;
    readonly callLimit: number;
    readonly initialBatch: number;
  }
  test.each(table<SlowStartRow, { successes: number; calls: number; error: boolean }>('slowStart', 4))(
    'starts slowly as Kubernetes does: %s',
    async (_, { input, expect: wanted }) => {
      const { count, callLimit, initialBatch } = input;
      let calls = 0;
      const result = await slowStartBatch(count, initialBatch, async () => {
        if (calls++ >= callLimit) throw new Error('no more');
      });
      expect(
        { successes: result.successes, calls, error: result.error !== undefined },
        ruleFor(
          'batches of 1, 2, 4 …; no batch begins after one with a failure; calls after callLimit fail',
          input,
        ),
      ).toEqual(wanted);
    },
  );

  test('doubles each batch, and starts the next after all calls have settled', async () => {
    const calls = new Calls();
    const result = slowStartBatch(10, SLOW_START_INITIAL_BATCH_SIZE, calls.fn);
    result.catch(() => {});
    const started: number[] = [];
    for (let i = 0; i < 4; i++) {
      await untilQuiet();
      started.push(calls.started);
      calls.settle();
    }
    await drain(result, calls);
    expect(await result, 'the result after 10 calls that all succeeded').toEqual({ successes: 10 });
    expect(started, 'calls started in all after batches of 1, 2, 4, and the last 3').toEqual([1, 3, 7, 10]);
  });

  test('starts with a batch of the initial size', async () => {
    const calls = new Calls();
    const result = slowStartBatch(20, 4, calls.fn);
    result.catch(() => {});
    const started: number[] = [];
    for (let i = 0; i < 3; i++) {
      await untilQuiet();
      started.push(calls.started);
      calls.settle();
    }
    await drain(result, calls);
    expect((await result).successes, 'successes after 20 calls that all succeeded').toBe(20);
    expect(started, 'calls started in all after batches of 4, 8, and the last 8').toEqual([4, 12, 20]);
  });

  test('stops after a batch with a failed call, and counts the successes', async () => {
    const calls = new Calls();
    const result = slowStartBatch(100, 1, calls.fn);
    result.catch(() => {});
    const error = new Error('quota exceeded');
    for (let i = 0; i < 3; i++) {
      await untilQuiet();
      calls.settle((index) => (index === 5 ? error : undefined));
    }
    expect(await result, 'call 5 fails: 6 of the 7 calls of the batches 1, 2 and 4 succeed').toEqual({
      successes: 6,
      error,
    });
    expect(calls.started, 'no batch begins after a failure').toBe(7);
  });

  test('waits for every call of the failed batch', async () => {
    let release = (): void => {};
    let calls = 0;
    let settled = false;
    const result = slowStartBatch(3, 2, async () => {
      if (++calls === 1) throw new Error('quota exceeded');
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    result.then(
      () => {
        settled = true;
      },
      () => {},
    );
    await untilQuiet();
    expect(settled, 'one call of the batch is still under way, so the result must wait').toBe(false);
    release();
    expect((await result).successes, 'successes: of 2 calls one failed and one succeeded').toBe(1);
    expect(calls, 'calls in all: no batch starts after the failed one').toBe(2);
  });

  test('returns the first error in the order of calls, not in time', async () => {
    const calls = new Calls();
    const result = slowStartBatch(3, 3, calls.fn);
    result.catch(() => {});
    await untilQuiet();
    calls.settle((index) => (index === 0 ? undefined : new Error(`call ${index}`)));
    expect(await result, 'calls 1 and 2 of a batch failed, call 2 first: return the error of call 1').toEqual(
      { successes: 1, error: new Error('call 1') },
    );
  });

  test('treats a synchronous throw as a failed call', async () => {
    const error = new Error('thrown');
    const result = await slowStartBatch(5, 1, () => {
      throw error;
    });
    expect(result, 'fn throws before it returns a promise').toEqual({ successes: 0, error });
  });

  test('returns no error if no call failed', async () => {
    expect(
      await slowStartBatch(3, 1, async () => {}),
      'all 3 calls succeeded: omit error',
    ).not.toHaveProperty('error');
  });
});
