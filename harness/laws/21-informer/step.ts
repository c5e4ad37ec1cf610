import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { pauses } from '../../testing/arbitraries/time.ts';

/** The process that the informer runs in, as faults know it. */
export const PROCESS = 'informer';

/** Something that happens, some time after what happened before. */
export type Step = { readonly afterMs: number } & (Write | { readonly strike: Fault });

/**
 * `put` creates or changes the object; `recreate` deletes it and creates another one of that name. `elsewhere`
 * writes what the informer does not look at, which moves the server's revision and nothing else.
 */
export type Write =
  | { readonly write: 'put' | 'delete' | 'recreate'; readonly name: string; readonly group: string }
  | { readonly write: 'elsewhere' }
  | { readonly write: 'nothing' };

/** A write of one of a few ConfigMaps. */
export const writes: fc.Arbitrary<Write> = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      write: fc.constantFrom('put' as const, 'put' as const, 'delete' as const, 'recreate' as const),
      name: fc.constantFrom('a', 'b', 'c'),
      group: fc.constantFrom('red', 'blue'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ write: 'elsewhere' as const }) },
);

/** Makes steps of writes or strikes. */
export function steps<W extends Write | { readonly strike: Fault }>(
  what: fc.Arbitrary<W>,
  afterMs: fc.Arbitrary<number> = pauses,
): fc.Arbitrary<Step> {
  return fc.tuple(afterMs, what).map(([ms, some]): Step => ({ afterMs: ms, ...some }));
}
