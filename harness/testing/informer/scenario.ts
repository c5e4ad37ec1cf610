/** What an informer is put through: writes, faults and time, as values that fast-check makes and shrinks. */
import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { apiFaults } from '../arbitraries/faults.ts';
import { pauses, schedules, seeds } from '../arbitraries/time.ts';

/** Who listens. Everybody but `steady` is optional. */
export type HandlerName = 'steady' | 'slow' | 'throwing' | 'resyncing' | 'late';

/** The process that the informer runs in, as faults know it. */
export const PROCESS = 'informer';

export interface InformerScenario {
  readonly seed: number;
  /** Who goes first among what happens at the same instant. */
  readonly schedule: readonly number[];
  readonly replicas: number;
  readonly handlers: readonly HandlerName[];
  /** Objects that are there before the informer starts. */
  readonly present: readonly string[];
  readonly steps: readonly Step[];
}

/** Something that happens, some time after what happened before. */
export type Step = { readonly afterMs: number } & (Write | { readonly strike: Fault });

/** `put` creates or changes the object; `recreate` deletes it and creates another one of that name. */
export type Write = {
  readonly write: 'put' | 'delete' | 'recreate';
  readonly name: string;
  readonly group: string;
};

const names = fc.constantFrom('a', 'b', 'c');
const groups = fc.constantFrom('red', 'blue');

const writes: fc.Arbitrary<Write> = fc.record({
  write: fc.constantFrom('put', 'put', 'delete', 'recreate'),
  name: names,
  group: groups,
});

const others: readonly HandlerName[] = ['slow', 'throwing', 'resyncing', 'late'];

/** Histories of an informer's life; `faults` may be narrowed. */
export function scenarios(faults: fc.Arbitrary<Fault> = apiFaults(PROCESS)): fc.Arbitrary<InformerScenario> {
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: fc.tuple(pauses, writes).map(([afterMs, write]) => ({ afterMs, ...write })) },
    { weight: 2, arbitrary: fc.tuple(pauses, faults).map(([afterMs, strike]) => ({ afterMs, strike })) },
  );
  return fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 2),
    handlers: fc.subarray([...others]).map((some): HandlerName[] => ['steady', ...some]),
    present: fc.uniqueArray(names, { maxLength: 3 }),
    steps: fc.array(step, { maxLength: 10 }),
  });
}
