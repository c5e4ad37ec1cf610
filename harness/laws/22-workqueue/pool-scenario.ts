/** What workers are put through: items that fail in every way, adds, time and the abort, as values that shrink. */
import fc from 'fast-check';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';

/** How one call of `sync` goes. One that throws has no promise to give, and takes no time. */
export type Attempt =
  | { readonly how: 'succeeds' | 'rejects' | 'rejects with nothing'; readonly takesMs: number }
  | { readonly how: 'throws'; readonly takesMs: 0 };

export interface PoolScenario {
  readonly seed: number;
  /** Who goes first among what happens at the same instant. */
  readonly schedule: readonly number[];
  readonly workers: number;
  readonly maxRetries?: number;
  readonly listener: 'nobody' | 'listens' | 'throws';
  readonly exponential: { readonly baseDelayMs: number; readonly maxDelayMs: number };
  /** How the first calls for each item go; those after them succeed at once. */
  readonly attempts: Readonly<Record<'a' | 'b' | 'c', readonly Attempt[]>>;
  /** Added one after the other; after 0 ms in the same breath. */
  readonly adds: readonly { readonly afterMs: number; readonly item: string }[];
  /** Absent: long after everything has come to rest. */
  readonly abortAtMs?: number;
}

const durations = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(10, 20, 30) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 12 }) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 500 }) },
);

const failures: fc.Arbitrary<Attempt> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      how: fc.constantFrom('rejects' as const, 'rejects with nothing' as const),
      takesMs: fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: durations }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ how: 'throws' as const, takesMs: 0 as const }) },
);

const successes: fc.Arbitrary<Attempt> = fc.record({
  how: fc.constant('succeeds' as const),
  takesMs: durations,
});

/** Fails several times, then succeeds; and once more: what is forgotten shows only in the second streak. */
const streaks: fc.Arbitrary<readonly Attempt[]> = fc
  .array(fc.tuple(fc.array(failures, { minLength: 1, maxLength: 4 }), successes), {
    minLength: 1,
    maxLength: 2,
  })
  .map((some) => some.flatMap(([failing, success]) => [...failing, success]));

const attempts: fc.Arbitrary<readonly Attempt[]> = fc.oneof(
  { withCrossShrink: true },
  { weight: 2, arbitrary: fc.array(fc.oneof(failures, successes), { maxLength: 6 }) },
  { weight: 3, arbitrary: streaks },
  { weight: 1, arbitrary: fc.array(failures, { minLength: 4, maxLength: 8 }) },
);

/** Now and then long after everything has settled. */
const pauses = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: durations },
  { weight: 4, arbitrary: fc.integer({ min: 1_000, max: 4_000 }) },
);

const adds = fc.array(fc.record({ afterMs: pauses, item: fc.constantFrom('a', 'b', 'a', 'c') }), {
  minLength: 2,
  maxLength: 8,
});

/** Lives of the workers of a queue. */
export function scenarios(): fc.Arbitrary<PoolScenario> {
  return fc.record(
    {
      seed: seeds,
      schedule: schedules,
      workers: fc.integer({ min: 1, max: 3 }),
      maxRetries: fc.constantFrom(1, 2, 3, 0),
      listener: fc.constantFrom('listens' as const, 'throws' as const, 'nobody' as const),
      exponential: fc.record({
        baseDelayMs: fc.constantFrom(10, 5, 50),
        maxDelayMs: fc.constantFrom(1_000, 100),
      }),
      attempts: fc.record({ a: attempts, b: attempts, c: attempts }),
      adds,
      abortAtMs: fc.integer({ min: 0, max: 200 }),
    },
    { requiredKeys: ['seed', 'schedule', 'workers', 'listener', 'exponential', 'attempts', 'adds'] },
  );
}
