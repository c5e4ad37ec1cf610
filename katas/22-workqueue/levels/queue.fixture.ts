/** What the levels share: how one looks at a queue, and client-go's own tables. */
import type { RateLimiter, WorkQueue } from '#harness';
import { soFar, type VectorCase, vectors } from '#harness/testing';
import { Queue } from '#kata/22-workqueue/workqueue';

/** So that each row of a table is a test with the row's name. */
export const named = <I, E>(rows: readonly VectorCase<I, E>[]) => rows.map((row) => [row.name, row] as const);

/** Takes an item; `'waits'` when there is none to be had just now. */
export const take = <T>(queue: WorkQueue<T>) => soFar(queue.get());

/** Takes so many. */
export async function takeAll<T>(queue: WorkQueue<T>, count: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  for (let i = 0; i < count; i++) taken.push(await take(queue));
  return taken;
}

/** Begins something that is awaited later, or never: if it fails meanwhile, nothing complains. */
export function begun<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** What the rate limiter says to each of these failures, to a thousandth of a ms. */
export const delays = (limiter: RateLimiter<string>, items: readonly string[]): number[] =>
  items.map((item) => Math.round(limiter.when(item) * 1_000) / 1_000);

/** The same item so many times. */
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

/**
 * What each step of a script comes to. A get that is blocked goes on waiting: it is the next get of the script, and an item
 * that it was given by then still counts as standing in line.
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

/** Those of client-go's scripts. */
export const scripts = (...ids: readonly string[]) =>
  named(
    vectors<{ readonly steps: readonly ScriptStep[] }, ScriptExpect>(
      'workqueue',
      'script',
      ids.length,
      (row) => ids.includes(row.id),
    ),
  );
