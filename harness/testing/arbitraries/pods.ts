import fc from 'fast-check';
import type { PodBehaviour, Range } from '../../cluster/nodes/pod-script.ts';

/** Else fast-check makes some objects without a prototype, which are not what comes out of JSON. */
const plain = { noNullPrototype: true } as const;

/** Shrinks to "at once". */
const spans: fc.Arbitrary<Range> = fc.oneof(
  { withCrossShrink: true },
  fc.constant({ min: 0, max: 0 }),
  fc
    .record({ min: fc.nat({ max: 100 }), spread: fc.nat({ max: 2_000 }) })
    .map(({ min, spread }) => ({ min, max: min + spread })),
  fc.constant({ min: 1_000, max: 40_000 }),
);

const percents = fc.oneof(
  { withCrossShrink: true },
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constantFrom(10, 30) },
);

/**
 * What a script is drawn from: how fast pods become ready and stop, whether some flap, whether some fail. Shrinks to
 * pods that do all at once and never fail.
 *
 * Where pods must come to rest, take `failingPercent` and `flappingPercent` away once the faults are over: those that
 * were begun before flap for two minutes at most, and fail within one.
 *
 * How pods behave on their nodes, as fast-check makes it.
 */
export const podBehaviours: fc.Arbitrary<PodBehaviour> = fc.record(
  { readyAfterMs: spans, stopsAfterMs: spans, flappingPercent: percents, failingPercent: percents },
  plain,
);
