import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { type PlaceName, placeNames } from './scenario/places.ts';

/** The process of the collector, as faults name it. */
export const PROCESS = 'garbage-collector';

/** An owner reference as a user writes it; it may be wrong. */
export interface Ownership {
  readonly to: PlaceName;
  readonly blocks: boolean;
  /** `former`: the UID of an earlier incarnation. `version`: a version that is not served. */
  readonly wrong?: 'former' | 'name' | 'kind' | 'version';
}

/** The propagation policy of a deletion. */
export type Policy = 'Background' | 'Foreground' | 'Orphan';

/** A foreign finalizer, or a finalizer that decides in advance how dependents are treated. */
export type Finalizer = 'example.com/hold' | 'orphan' | 'foregroundDeletion';

/**
 * `put` creates an object, or sets its owners if it exists. `release` removes `example.com/hold`. `touch` changes an
 * annotation. `whenRead` performs its operations as soon as the collector has read the object there, before its next
 * request; once, or each time.
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

/** An event in a garbage collector's cluster, some time after the event before. */
export type Step = Operation & { readonly afterMs: number };

/** Generates any place. */
const anywhere: fc.Arbitrary<PlaceName> = fc.constantFrom(...placeNames);

/** Generates any policy. */
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

/** Generates finalizers; mostly none. */
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

/** Generates the creation of an object, or a change of its owners. */
export const puts: fc.Arbitrary<Operation> = fc.record({
  put: anywhere,
  owners: fc.uniqueArray(ownerships, { maxLength: 2, selector: ({ to }) => to }),
  finalizers,
});

/** Generates a fault that hits the collector. */
const strikes: fc.Arbitrary<Operation> = fc
  .oneof({ weight: 3, arbitrary: apiFaults(PROCESS) }, { weight: 1, arbitrary: crashes(PROCESS) })
  .map((strike) => ({ strike }));

/** Generates any operation, common ones more often than rare ones. */
export const operations: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 5, arbitrary: puts },
  { weight: 4, arbitrary: fc.record({ delete: anywhere, policy: policies }) },
  { weight: 1, arbitrary: fc.record({ release: anywhere }) },
  { weight: 4, arbitrary: strikes },
);
