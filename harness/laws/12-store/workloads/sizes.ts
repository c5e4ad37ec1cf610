import fc from 'fast-check';
import type { KeyRange } from '../../../contracts/store/index.ts';
import type { CallPlan, OperationPlan, Step } from '../scenario/index.ts';
import { fewKeys, putOf, ranges, read, together } from './operations.ts';

/** Generates a client that writes more revisions than a careless history keeps, and then reads old ones. */
export const longWriter: fc.Arbitrary<Step[]> = fc
  .tuple(
    putOf(fewKeys),
    fc.integer({ min: 110, max: 130 }),
    fc.array(read(fc.integer({ min: -108, max: -60 }).map((fromNewest) => ({ fromNewest }))), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([one, times, reads]) => [
    { afterMs: 0, call: 'transact', then: [one], times },
    ...reads.map((call): Step => ({ afterMs: 0, ...call })),
  ]);

/** The range of the keys of {@link wide}. */
const WIDE: KeyRange = { key: 'k', end: 'l' };

const putAll = fc
  .integer({ min: 18, max: 24 })
  .map((size) => Array.from({ length: size }, (_, i): OperationPlan => ({ put: `k${i}`, value: 'wide' })));

const wideEnds: fc.Arbitrary<CallPlan> = fc.constantFrom<CallPlan>(
  { call: 'transact', then: [{ delete: WIDE }] },
  { call: 'transact', then: [{ delete: WIDE }, { range: WIDE }] },
  { call: 'range', range: WIDE },
  { call: 'range', range: WIDE, limit: 10 },
);

/** Generates a client whose transactions have many operations, and whose deletes have many keys. */
export const wide: fc.Arbitrary<Step[]> = fc
  .tuple(putAll, fc.array(wideEnds, { minLength: 1, maxLength: 3 }))
  .map(([then, ends]) => [
    { afterMs: 0, call: 'transact', then },
    ...ends.map((call): Step => ({ afterMs: 0, ...call })),
  ]);

/** Generates a client that puts some keys, and reads ranges of them in transactions. */
export const rangesTogether: fc.Arbitrary<Step[]> = fc
  .tuple(
    together,
    fc.array(
      fc.array(
        fc
          .tuple(ranges, fc.constantFrom(undefined, 1, 2))
          .map(([range, limit]): OperationPlan => ({ range, ...(limit !== undefined && { limit }) })),
        { minLength: 1, maxLength: 3 },
      ),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([first, rest]) => [
    { afterMs: 0, ...first },
    ...rest.map((then): Step => ({ afterMs: 0, call: 'transact', then })),
  ]);
