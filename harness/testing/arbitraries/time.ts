import fc from 'fast-check';

/** Generates the seed of a simulation. */
export const seeds: fc.Arbitrary<number> = fc.integer({ min: 0, max: 0xffff });

/** Generates choices among events of the same instant. Shrinks to "first come, first served". */
export const schedules: fc.Arbitrary<number[]> = fc.array(fc.nat({ max: 5 }), { maxLength: 12 });

/**
 * Generates the pause between two steps, in virtual ms: none, within a round trip, within a back-off, or long enough to
 * become idle.
 */
export const pauses: fc.Arbitrary<number> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 12 }) },
  { weight: 3, arbitrary: fc.integer({ min: 100, max: 5_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 200_000 }) },
);

/** Generates the duration of a fault, in virtual ms. */
export const durations: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 1, max: 20 }),
  fc.integer({ min: 500, max: 10_000 }),
  fc.integer({ min: 30_000, max: 90_000 }),
);
