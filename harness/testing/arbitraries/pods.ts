import fc from 'fast-check';
import type { PodBehaviour, Range } from '../../cluster/nodes/pod-script.ts';

/** Otherwise fast-check generates some objects without a prototype, which JSON never contains. */
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
 * Generates behaviours of pods on their nodes: how fast they become ready and stop, whether some flap, whether some
 * fail. Shrinks to pods that act at once and never fail.
 *
 * If pods must settle, reset `failingPercent` and `flappingPercent` once the faults are over. Pods that started earlier
 * flap for two minutes at most, and fail within one.
 */
export const podBehaviours: fc.Arbitrary<PodBehaviour> = fc.record(
  { readyAfterMs: spans, stopsAfterMs: spans, flappingPercent: percents, failingPercent: percents },
  plain,
);
