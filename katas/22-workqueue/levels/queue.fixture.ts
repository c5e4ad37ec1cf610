/** Helpers of several levels: reads of a queue, and client-go's tables. */
import type { RateLimiter, WorkQueue } from '#harness';
import { soFar, type VectorCase, vectors } from '#harness/testing';
import { Queue } from '#kata/22-workqueue/workqueue';

/** Describes failures and the limiter that they meet, for the message of an expectation. */
export const waitsOf = (items: readonly string[], limiter: string): string => {
  const names = items.length > 12 ? `${items.length} failures` : `failures of ${items.join(', ')}`;
  return `the waits in ms of ${names}, with ${limiter}`;
};

/** Names each row of a table for `test.each`. */
export const named = <I, E>(rows: readonly VectorCase<I, E>[]) => rows.map((row) => [row.name, row] as const);

/** Takes an item; returns `'waits'` if the get waits. */
export const take = <T>(queue: WorkQueue<T>) => soFar(queue.get());

/** Takes several items. */
export async function takeAll<T>(queue: WorkQueue<T>, count: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  for (let i = 0; i < count; i++) taken.push(await take(queue));
  return taken;
}

/** Marks the rejection of a promise as handled, so that a test can await it later, or never. */
export function begun<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Returns the waits of these failures, rounded to a thousandth of a ms. */
export const delays = (limiter: RateLimiter<string>, items: readonly string[]): number[] =>
  items.map((item) => Math.round(limiter.when(item) * 1_000) / 1_000);

/** Returns the same item several times. */
export const times = (count: number, item = 'a'): string[] => Array.from({ length: count }, () => item);

type ScriptStep = Partial<{
  readonly add: string;
  readonly len: 1;
  readonly get: 1;
  readonly done: string;
  readonly shutDown: 1;
  readonly shutDownWithDrain: 1;
}>;
interface ScriptExpect {
  readonly results: readonly unknown[];
  readonly finishes?: { readonly step: number; readonly after: number };
}

/** Describes the steps of a script, for the message of an expectation. */
export const inSteps = (steps: readonly object[]): string => {
  const calls = steps.map((step) =>
    Object.entries(step)
      .map(([call, value]) => (value === 1 ? call : `${call} ${value}`))
      .join(' '),
  );
  return `the results of these steps, in order: ${calls.join(', ')}`;
};

/**
 * Returns the result of each step of a script. A blocked get continues to wait, as the next get of the script; an item
 * that it has received by then still counts as in line.
 */
export async function play(steps: readonly ScriptStep[]): Promise<ScriptExpect> {
  const queue = new Queue<string>();
  const results: unknown[] = [];
  let blocked: Promise<string | undefined> | undefined;
  let drain: Promise<'returned'> | undefined;
  let finishes: ScriptExpect['finishes'];
  const drainStep = steps.findIndex((step) => step.shutDownWithDrain);
  for (const [after, step] of steps.entries()) {
    let result: unknown = null;
    if (step.add !== undefined) queue.add(step.add);
    if (step.done !== undefined) queue.done(step.done);
    if (step.len) {
      const given = blocked && (await soFar(blocked)) !== 'waits' ? 1 : 0;
      result = queue.len() + given;
    }
    if (step.get) {
      const promise = blocked ?? begun(queue.get());
      const item = await soFar(promise);
      blocked = item === 'waits' ? promise : undefined;
      result = item === 'waits' ? { blocked: true } : item === undefined ? { shutdown: true } : { item };
    }
    if (step.shutDown) {
      queue.shutDown();
      result = 'returned';
    }
    if (step.shutDownWithDrain) {
      drain = begun(queue.shutDownWithDrain().then(() => 'returned' as const));
      result = (await soFar(drain)) === 'waits' ? 'waiting' : 'returned';
    }
    results.push(result);
    if (drain && !finishes && (await soFar(drain)) === 'returned') finishes = { step: drainStep, after };
  }
  return { results, ...(finishes && { finishes }) };
}

/** Returns the named scripts of client-go. */
export const scripts = (...ids: readonly string[]) =>
  named(
    vectors<{ readonly steps: readonly ScriptStep[] }, ScriptExpect>(
      'workqueue',
      'script',
      ids.length,
      (row) => ids.includes(row.id),
    ),
  );
