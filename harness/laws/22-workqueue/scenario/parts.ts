import fc from 'fast-check';
import { schedules, seeds } from '../../../testing/arbitraries/time.ts';
import { inWords } from '../../../testing/telling.ts';
import type { Item } from '../history.ts';
import type { Limits } from '../oracle/limits.ts';
import { describeScenario } from '../render/scenario.ts';
import type { Ending, Step, WorkQueueScenario } from './index.ts';

/** Generates waits, often from a few values, so that adds and ends of delays coincide. */
export const waits = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(10, 20, 30) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 12 }) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 1_000 }) },
);

const ODD_ITEMS: readonly Item[] = ['', 0, '0', null, 'null', false, Number.NaN, 'constructor'];

/** Items that careless code confuses with each other, or with no item. */
export const oddItems = fc.constantFrom(...ODD_ITEMS);

/** Generates steps with all odd items at once, twice. */
export const allOddItems = (act: 'add' | 'addRateLimited') =>
  fc.constant([...ODD_ITEMS, ...ODD_ITEMS].map((item, i): Step => ({ afterMs: i === 0 ? 5 : 0, act, item })));

/** Generates scenarios with these parts, and with the parts that all workloads share. */
export function scenariosWith(parts: {
  readonly limits?: fc.Arbitrary<Limits | 'default'>;
  readonly producers: fc.Arbitrary<WorkQueueScenario['producers']>;
  readonly staff: fc.Arbitrary<WorkQueueScenario['staff']>;
  readonly ending?: fc.Arbitrary<Ending>;
  readonly quietAtMs?: number;
}): fc.Arbitrary<WorkQueueScenario> {
  const scenarios = fc.record({
    seed: seeds,
    schedule: schedules,
    limits: parts.limits ?? fc.constant('default' as const),
    producers: parts.producers,
    staff: parts.staff,
    ending: parts.ending ?? fc.constant({ how: 'shutDown' as const }),
    quietAtMs: fc.constant(parts.quietAtMs ?? 60_000),
  });
  return inWords(scenarios, describeScenario);
}
