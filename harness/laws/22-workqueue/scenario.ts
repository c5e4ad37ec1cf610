/** What a queue is put through: producers, workers, time and its end, as values that fast-check makes and shrinks. */
import fc from 'fast-check';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Limits } from './limits.ts';

/** What somebody does to an item. */
export type Action =
  | { readonly act: 'add' | 'addRateLimited' | 'forget'; readonly item: string }
  | { readonly act: 'addAfter'; readonly item: string; readonly delayMs: number };

/** An action, and how long after the producer's last one; after 0 ms it is done in the same breath. */
export type Step = Action & { readonly afterMs: number };

/** How a worker deals with one item that it is handed. */
export interface Shift {
  readonly takesMs: number;
  /** What it does with the item just before it gives it back, as controllers do. */
  readonly lastly: 'nothing' | 'add' | 'addAfter' | 'addRateLimited' | 'forget';
  /** How long it rests before it asks for the next one. */
  readonly restsMs: number;
}

/** A worker: when it begins, and what it does with its first items. With those after them it is done at once. */
export interface WorkerPlan {
  readonly startsAtMs: number;
  readonly shifts: readonly Shift[];
}

export interface Ending {
  readonly how: 'shutDown' | 'drain';
  /** When; absent: long after everything has come to rest. */
  readonly atMs?: number;
  /** A `shutDown` so long after the drain began. */
  readonly forcedAfterMs?: number;
}

export interface WorkQueueScenario {
  readonly seed: number;
  /** Who goes first among what happens at the same instant. */
  readonly schedule: readonly number[];
  readonly limits: Limits;
  readonly producers: readonly (readonly Step[])[];
  readonly workers: readonly WorkerPlan[];
  readonly ending: Ending;
}

/** How much later a worker adds an item that it has in hand. */
export const AGAIN_AFTER_MS = 20;

const items = fc.constantFrom('a', 'b', 'c', 'd');

/** Often the same few, so that things meet: what is added at one instant, and what is ready at it. */
const waits = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(10, 20, 30) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 12 }) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 3_000 }) },
);

const actions: fc.Arbitrary<Action> = fc.oneof(
  { withCrossShrink: true },
  {
    weight: 6,
    arbitrary: fc.record({ act: fc.constantFrom('add' as const), item: items }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('addAfter' as const),
      item: items,
      delayMs: fc.oneof({ weight: 8, arbitrary: waits }, { weight: 1, arbitrary: fc.constantFrom(0, -5) }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant('addRateLimited' as const), item: items }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('forget' as const), item: items }) },
);

const steps: fc.Arbitrary<Step> = fc
  .tuple(fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: waits }), actions)
  .map(([afterMs, action]) => ({ afterMs, ...action }));

/** Many failures at once: what a token bucket is there for. */
const storms: fc.Arbitrary<readonly Step[]> = fc
  .tuple(waits, fc.array(items, { minLength: 2, maxLength: 8, size: 'max' }))
  .map(([afterMs, failing]) =>
    failing.map((item, i): Step => ({ afterMs: i === 0 ? afterMs : 0, act: 'addRateLimited', item })),
  );

/** More at once than there are workers, some of them twice. */
const crowds: fc.Arbitrary<readonly Step[]> = fc
  .tuple(waits, fc.array(items, { minLength: 2, maxLength: 8, size: 'max' }))
  .map(([afterMs, added]) =>
    added.map((item, i): Step => ({ afterMs: i === 0 ? afterMs : 0, act: 'add', item })),
  );

/** Put off, and then put off again: which of the two times is the earlier one? */
const putOff: fc.Arbitrary<readonly Step[]> = fc
  .tuple(waits, items, fc.array(fc.tuple(waits, waits), { minLength: 2, maxLength: 3 }))
  .map(([firstAfterMs, item, times]) =>
    times.map(
      ([afterMs, delayMs], i): Step => ({
        afterMs: i === 0 ? firstAfterMs : afterMs,
        act: 'addAfter',
        item,
        delayMs,
      }),
    ),
  );

const producers: fc.Arbitrary<readonly Step[]> = fc
  .array(
    fc.oneof(
      { withCrossShrink: true },
      { weight: 12, arbitrary: steps.map((step): readonly Step[] => [step]) },
      { weight: 1, arbitrary: storms },
      { weight: 2, arbitrary: crowds },
      { weight: 2, arbitrary: putOff },
    ),
    { maxLength: 10 },
  )
  .map((chapters) => chapters.flat());

const shifts: fc.Arbitrary<Shift> = fc.record({
  takesMs: fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 4, arbitrary: waits }),
  lastly: fc.constantFrom(
    'nothing' as const,
    'nothing' as const,
    'add' as const,
    'addAfter' as const,
    'addRateLimited' as const,
    'forget' as const,
  ),
  restsMs: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: waits }),
});

const workers: fc.Arbitrary<WorkerPlan> = fc.record({
  startsAtMs: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: waits }),
  shifts: fc.array(shifts, { maxLength: 8 }),
});

const exponentials = fc.record({
  baseDelayMs: fc.constantFrom(5, 10, 1),
  maxDelayMs: fc.constantFrom(1_000, 20, 40),
});

const buckets = fc.record({ qps: fc.constantFrom(10, 1, 50, 4), burst: fc.constantFrom(1, 2, 3) });

const limits: fc.Arbitrary<Limits> = fc.oneof(
  { withCrossShrink: true },
  { weight: 2, arbitrary: fc.record({ exponential: exponentials }) },
  { weight: 1, arbitrary: fc.record({ bucket: buckets }) },
  { weight: 2, arbitrary: fc.record({ exponential: exponentials, bucket: buckets }) },
);

/** In the midst of things. */
const sudden = fc.integer({ min: 0, max: 120 });

const endings: fc.Arbitrary<Ending> = fc.oneof(
  { withCrossShrink: true },
  { weight: 2, arbitrary: fc.record({ how: fc.constantFrom('shutDown' as const, 'drain' as const) }) },
  { weight: 1, arbitrary: fc.record({ how: fc.constant('shutDown' as const), atMs: sudden }) },
  { weight: 3, arbitrary: fc.record({ how: fc.constant('drain' as const), atMs: sudden }) },
  {
    weight: 1,
    arbitrary: fc.record({
      how: fc.constant('drain' as const),
      atMs: sudden,
      forcedAfterMs: fc.nat({ max: 30 }),
    }),
  },
);

/** Lives of a queue. */
export function scenarios(): fc.Arbitrary<WorkQueueScenario> {
  return fc.record({
    seed: seeds,
    schedule: schedules,
    limits,
    producers: fc.array(producers, { minLength: 1, maxLength: 3 }),
    workers: fc.oneof(
      { withCrossShrink: true },
      { weight: 1, arbitrary: fc.array(workers, { minLength: 1, maxLength: 1 }) },
      { weight: 3, arbitrary: fc.array(workers, { minLength: 2, maxLength: 3 }) },
    ),
    ending: endings,
  });
}
