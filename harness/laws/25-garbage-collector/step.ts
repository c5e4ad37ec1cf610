import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { type PlaceName, placeNames } from './places.ts';

/** The process that the collector runs in, as faults know it. */
export const PROCESS = 'garbage-collector';

/** An owner reference as a user writes it; it may be wrong. */
export interface Ownership {
  readonly to: PlaceName;
  readonly blocks: boolean;
  /** `former`: the uid of an incarnation before this one. `version`: one that is not served. */
  readonly wrong?: 'former' | 'name' | 'kind' | 'version';
}

/** What becomes of the dependents of what is deleted. */
export type Policy = 'Background' | 'Foreground' | 'Orphan';

/** A finalizer of others, or one that decides beforehand what becomes of dependents. */
export type Finalizer = 'example.com/hold' | 'orphan' | 'foregroundDeletion';

/**
 * `put` creates an object, or gives one that is there these owners. `release` takes `example.com/hold` away. `touch` changes
 * an annotation. `whenRead`: as soon as the collector has read the object there, the operations are done, before it asks for anything else;
 * once, or each time.
 */
export type Operation =
  | {
      readonly put: PlaceName;
      readonly owners: readonly Ownership[];
      readonly finalizers: readonly Finalizer[];
    }
  | { readonly delete: PlaceName; readonly policy: Policy }
  | { readonly release: PlaceName }
  | { readonly touch: PlaceName }
  | { readonly whenRead: PlaceName; readonly operations: readonly Operation[]; readonly always: boolean }
  | { readonly strike: Fault };

/** Something that happens in a garbage collector's cluster, some time after what happened before. */
export type Step = Operation & { readonly afterMs: number };

/** Any place. */
const anywhere: fc.Arbitrary<PlaceName> = fc.constantFrom(...placeNames);

/** Any policy. */
export const policies: fc.Arbitrary<Policy> = fc.constantFrom('Background', 'Foreground', 'Orphan');

const ownerships: fc.Arbitrary<Ownership> = fc
  .record({
    to: anywhere,
    blocks: fc.boolean(),
    wrong: fc.oneof(
      { weight: 12, arbitrary: fc.constant(undefined) },
      { weight: 2, arbitrary: fc.constantFrom('former' as const, 'name' as const, 'kind' as const) },
      { weight: 1, arbitrary: fc.constant('version' as const) },
    ),
  })
  .map(({ to, blocks, wrong }) => ({ to, blocks, ...(wrong && { wrong }) }));

/** Mostly none. */
export const finalizers: fc.Arbitrary<readonly Finalizer[]> = fc.oneof(
  { weight: 6, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<readonly Finalizer[]>(
      ['example.com/hold'],
      ['orphan'],
      ['foregroundDeletion'],
    ),
  },
);

/** An object is created, or given other owners. */
export const puts: fc.Arbitrary<Operation> = fc.record({
  put: anywhere,
  owners: fc.uniqueArray(ownerships, { maxLength: 2, selector: ({ to }) => to }),
  finalizers,
});

/** A fault that strikes the collector. */
const strikes: fc.Arbitrary<Operation> = fc
  .oneof({ weight: 3, arbitrary: apiFaults(PROCESS) }, { weight: 1, arbitrary: crashes(PROCESS) })
  .map((strike) => ({ strike }));

/** Everything that can be done, the usual more often than the odd. */
export const operations: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 5, arbitrary: puts },
  { weight: 4, arbitrary: fc.record({ delete: anywhere, policy: policies }) },
  { weight: 1, arbitrary: fc.record({ release: anywhere }) },
  { weight: 4, arbitrary: strikes },
);
