import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import type { Attempt, Ending, Pool, Step, WorkQueueScenario } from '../scenario/index.ts';
import { allOddItems, oddItems, scenariosWith, waits } from '../scenario/parts.ts';

const durations = fc.oneof({ weight: 5, arbitrary: waits }, { weight: 1, arbitrary: fc.constant(0) });

const failures: fc.Arbitrary<Attempt> = fc.oneof(
  { withCrossShrink: true },
  {
    weight: 3,
    arbitrary: fc.record({
      how: fc.constantFrom(
        'rejects' as const,
        'rejects with nothing' as const,
        'rejects with a string' as const,
      ),
      takesMs: durations,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      how: fc.constantFrom('throws' as const, 'throws with nothing' as const),
      takesMs: fc.constant(0 as const),
    }),
  },
);

const successes: fc.Arbitrary<Attempt> = fc.record({
  how: fc.constant('succeeds' as const),
  takesMs: durations,
});

/**
 * Generates `min` to `max` failures and a success, twice: only the second streak shows whether failures were forgotten.
 */
const streaks = (min: number, max: number): fc.Arbitrary<Attempt[]> =>
  fc
    .array(fc.tuple(fc.array(failures, { minLength: min, maxLength: max }), successes), {
      minLength: 2,
      maxLength: 2,
    })
    .map((some) => some.flatMap(([failing, success]) => [...failing, success]));

const mixed = fc.array(fc.oneof(failures, successes), { maxLength: 6 });

/** Generates a failure, soon followed by another event of the item, and then a pause. */
const adds = (quietMs: fc.Arbitrary<number>, minLength = 2, maxLength = 8): fc.Arbitrary<Step[]> =>
  fc.array(
    fc
      .tuple(quietMs, fc.constantFrom('a', 'b', 'a', 'c'))
      .map(([afterMs, item]): Step => ({ afterMs, act: 'add', item })),
    { minLength, maxLength },
  );

/** Generates the end, mostly long after everything has settled. */
const pauses = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: waits },
  { weight: 4, arbitrary: fc.integer({ min: 2_000, max: 4_000 }) },
);

const pool = (parts: {
  readonly attempts: fc.Arbitrary<readonly Attempt[]>;
  readonly workers?: fc.Arbitrary<number>;
  readonly maxRetries?: fc.Arbitrary<number>;
  readonly listener?: fc.Arbitrary<Pool['listener']>;
}): fc.Arbitrary<Pool> =>
  fc.record({
    workers: parts.workers ?? fc.integer({ min: 1, max: 3 }),
    listener: parts.listener ?? fc.constantFrom('listens' as const, 'throws' as const, 'absent' as const),
    attempts: fc.record({ a: parts.attempts, b: parts.attempts, c: parts.attempts }),
    ...(parts.maxRetries && { maxRetries: parts.maxRetries }),
  });

const small = fc.constant({ exponential: { baseDelayMs: 10, maxDelayMs: 100 } });
const limits = fc.oneof({ withCrossShrink: true }, fc.constant('default' as const), small);

const aborts: fc.Arbitrary<Ending> = fc.oneof(
  { withCrossShrink: true },
  {
    weight: 5,
    arbitrary: fc.record({ how: fc.constant('abort' as const), atMs: fc.integer({ min: 0, max: 120 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ how: 'abort' as const, atMs: -1 }) },
);

const atTheEnd: fc.Arbitrary<Ending> = fc.constant({ how: 'abort' });

/** Generates attempts of one kind only, and two more adds of each item after them. */
const twice = fc.constant<readonly Step[]>(
  [0, 4_000, 4_000].flatMap((afterMs) =>
    ['a', 'b', 'c'].map((item, i): Step => ({ afterMs: i === 0 ? afterMs : 0, act: 'add', item })),
  ),
);

/** Workloads with `runWorkers`: items that fail in every way, adds, and the abort. */
export const poolWorkloads: readonly Workload<WorkQueueScenario>[] = [
  {
    name: 'sync sometimes fails',
    scenarios: scenariosWith({
      limits,
      producers: fc.tuple(adds(pauses)),
      staff: pool({ attempts: fc.oneof(streaks(1, 4), mixed) }),
      ending: atTheEnd,
    }),
    runs: 20,
  },
  {
    name: 'a failure and a success, twice',
    scenarios: scenariosWith({
      limits,
      producers: fc.tuple(twice),
      staff: pool({ attempts: streaks(1, 1) }),
      ending: atTheEnd,
    }),
    runs: 4,
  },
  {
    name: 'items that are given up',
    scenarios: scenariosWith({
      limits: small,
      producers: fc.tuple(twice),
      staff: pool({
        attempts: fc.array(failures, { minLength: 5, maxLength: 8 }),
        maxRetries: fc.constantFrom(1, 2, 3),
      }),
      ending: atTheEnd,
    }),
    runs: 4,
  },
  {
    name: 'items that are never retried',
    scenarios: scenariosWith({
      limits: small,
      producers: fc.tuple(twice),
      staff: pool({
        attempts: fc.array(failures, { minLength: 2, maxLength: 4 }),
        maxRetries: fc.constant(0),
      }),
      ending: atTheEnd,
    }),
    runs: 2,
  },
  {
    name: 'items that are given up after failures of other callers',
    scenarios: scenariosWith({
      limits: small,
      producers: fc.tuple(
        fc.array(
          fc.constantFrom('a', 'b', 'c').map((item): Step => ({ afterMs: 0, act: 'addRateLimited', item })),
          { minLength: 2, maxLength: 6 },
        ),
      ),
      staff: pool({
        attempts: fc.array(failures, { minLength: 3, maxLength: 4 }),
        maxRetries: fc.constantFrom(1, 2),
      }),
      ending: atTheEnd,
    }),
    runs: 4,
  },
  {
    name: 'many workers',
    scenarios: scenariosWith({
      limits: small,
      producers: fc.tuple(adds(fc.constant(0))),
      staff: pool({
        attempts: fc.array(successes, { maxLength: 2 }),
        workers: fc.integer({ min: 6, max: 12 }),
      }),
      ending: atTheEnd,
    }),
    runs: 2,
  },
  {
    name: 'an item that always fails',
    scenarios: scenariosWith({
      producers: fc.constant([[{ afterMs: 0, act: 'add', item: 'a' }]]),
      staff: fc.record({
        workers: fc.constant(1),
        listener: fc.constant('absent' as const),
        attempts: fc.constant({
          a: Array.from({ length: 52 }, () => ({ how: 'rejects' as const, takesMs: 0 })),
        }),
      }),
      ending: atTheEnd,
      quietAtMs: 40_000_000,
    }),
    runs: 1,
  },
  {
    name: 'adds while sync is running',
    scenarios: scenariosWith({
      limits: small,
      producers: fc.array(adds(waits, 4), { minLength: 1, maxLength: 2 }),
      staff: pool({ attempts: fc.array(fc.oneof(successes, failures), { minLength: 4, maxLength: 6 }) }),
      ending: atTheEnd,
    }),
    runs: 6,
  },
  {
    // The success and the next failure come in the same instant: the success must not reset the failure.
    name: 'an item that is added while sync succeeds, and then fails at once',
    scenarios: scenariosWith({
      limits: small,
      producers: fc
        .integer({ min: 1, max: 9 })
        .map((afterMs): Step[][] => [
          [0, afterMs].map((waitMs): Step => ({ afterMs: waitMs, act: 'add', item: 'a' })),
        ]),
      staff: pool({
        attempts: fc
          .array(failures, { minLength: 2, maxLength: 3 })
          .map((failing): Attempt[] => [
            { how: 'succeeds', takesMs: 10 },
            ...failing.map((one): Attempt => ({ ...one, takesMs: 0 })),
          ]),
      }),
      ending: atTheEnd,
    }),
    runs: 2,
  },
  {
    name: 'more work than workers',
    scenarios: scenariosWith({
      limits: small,
      producers: fc.tuple(adds(fc.constant(0), 3, 6)),
      staff: pool({
        attempts: fc.array(fc.record({ how: fc.constant('succeeds' as const), takesMs: waits }), {
          minLength: 2,
          maxLength: 3,
        }),
        workers: fc.constantFrom(2, 1, 3),
      }),
      ending: atTheEnd,
    }),
    runs: 6,
  },
  {
    name: 'an onError that throws, hangs or rejects',
    scenarios: scenariosWith({
      limits: small,
      producers: fc.tuple(adds(pauses, 1, 3)),
      staff: pool({
        attempts: fc.array(failures, { minLength: 1, maxLength: 3 }),
        listener: fc.constantFrom('rejects' as const, 'never answers' as const, 'throws' as const),
      }),
      ending: atTheEnd,
    }),
    runs: 8,
  },
  {
    name: 'odd items with runWorkers',
    scenarios: scenariosWith({
      producers: fc.tuple(
        allOddItems('add'),
        fc.array(
          fc.tuple(waits, oddItems).map(([afterMs, item]): Step => ({ afterMs, act: 'add', item })),
          { minLength: 4, maxLength: 6 },
        ),
      ),
      staff: pool({ attempts: fc.constant([]) }),
      ending: atTheEnd,
    }),
    runs: 3,
  },
  {
    name: 'an abort',
    scenarios: scenariosWith({
      limits: small,
      producers: fc.array(adds(waits), { minLength: 1, maxLength: 2 }),
      staff: pool({ attempts: mixed }),
      ending: aborts,
    }),
    runs: 20,
  },
  {
    name: 'a queue that other code shuts down',
    scenarios: scenariosWith({
      limits: small,
      producers: fc.tuple(
        adds(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: waits }), 5),
      ),
      staff: pool({
        attempts: fc.array(
          fc.record({
            how: fc.constantFrom('succeeds' as const, 'rejects' as const),
            takesMs: fc.integer({ min: 10, max: 40 }),
          }),
          { minLength: 2, maxLength: 3 },
        ),
        workers: fc.constantFrom(1, 2),
      }),
      ending: fc.record({ how: fc.constant('shutDown' as const), atMs: fc.integer({ min: 0, max: 60 }) }),
    }),
    runs: 12,
  },
];

/** ★ Workloads with `runWorkers` and a drain. */
export const poolDrainWorkloads: readonly Workload<WorkQueueScenario>[] = [
  {
    name: 'a drain that an abort ends',
    scenarios: scenariosWith({
      limits: small,
      producers: fc.tuple(adds(fc.constant(0), 2, 4)),
      staff: pool({
        attempts: fc.array(
          fc.record({
            how: fc.constantFrom('succeeds' as const, 'rejects' as const),
            takesMs: fc.integer({ min: 30, max: 60 }),
          }),
          { minLength: 2, maxLength: 3 },
        ),
      }),
      ending: fc.record({
        how: fc.constant('drain' as const),
        atMs: fc.integer({ min: 1, max: 15 }),
        followedBy: fc.nat({ max: 12 }).map((afterMs) => [{ how: 'abort' as const, afterMs }]),
      }),
    }),
    runs: 3,
  },
];
