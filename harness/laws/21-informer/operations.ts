import fc from 'fast-check';
import type { ObjectKey } from '../../api/objects.ts';
import type { Fault, WatchFailure } from '../../faults/index.ts';
import { pauses } from '../../testing/arbitraries/time.ts';

/** The name of the informer's process, for faults. */
export const PROCESS = 'informer';

/** A step: an operation or a fault, `afterMs` after the previous step. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** A step that is not a fault. */
export type Operation = Write | Trick | { readonly call: 'run' } | { readonly wait: true };

/**
 * A write. `put` creates or changes the object; `recreate` deletes it and creates another one of that name. `elsewhere`
 * writes an object that the informer does not watch, which only increases the server's revision.
 */
export type Write =
  | { readonly write: 'put' | 'delete' | 'recreate'; readonly name: Name; readonly group: Group }
  | { readonly write: 'elsewhere' };

/**
 * An action of the proxy before the apiservers. `end` ends each of the next watches after `events` events. `deafen`
 * drops all further events of the open watch, until it ends. `deletion` inserts, after the next event, a DELETED event
 * of an object that never existed. `busy` refuses the next requests with 429 and a Retry-After of 20 s. `forbid` refuses
 * the next watches, streaming lists among them, as a Role without the verb `watch` does.
 */
export type Trick =
  | {
      readonly trick: 'end';
      readonly watches: number;
      readonly events: number;
      /** The error that the server reports at the end of the stream. @defaultValue none */
      readonly error?: WatchFailure;
    }
  | { readonly trick: 'busy'; readonly requests: number }
  | { readonly trick: 'forbid'; readonly watches: number }
  | { readonly trick: 'deafen' | 'deletion' };

/**
 * An object: its name in the namespace `default`, or its namespace and name. Two objects differ only in the namespace.
 */
export type Name = 'a' | 'b' | 'c' | 'kube-public/a';

/** The label that the informer's index groups objects by. An object may be in two groups at once. */
export type Group = 'red' | 'blue' | Pair;

/** Two groups of an object at once. */
export type Pair = 'red-blue' | 'blue-green' | 'red-green';

/** The names of all possible objects. */
export const names: readonly Name[] = ['a', 'b', 'c', 'kube-public/a'];

/** Returns the key of a name. */
export function keyOfName(name: string): ObjectKey {
  const [first = '', second] = name.split('/');
  return second === undefined ? { namespace: 'default', name: first } : { namespace: first, name: second };
}

/** Generates a write. */
export const writes: fc.Arbitrary<Write> = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      write: fc.constantFrom('put' as const, 'put' as const, 'delete' as const, 'recreate' as const),
      name: fc.constantFrom(...names),
      group: fc.constantFrom<Group>('red', 'blue', 'red-blue'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ write: 'elsewhere' as const }) },
);

/** Generates a trick of the proxy. */
export const tricks: fc.Arbitrary<Trick> = fc.oneof(
  fc.record({
    trick: fc.constant('end' as const),
    watches: fc.integer({ min: 1, max: 3 }),
    events: fc.nat({ max: 2 }),
  }),
  fc.record({
    trick: fc.constant('end' as const),
    watches: fc.constant(1),
    events: fc.nat({ max: 2 }),
    error: fc.constantFrom<WatchFailure>('Expired', 'InternalError', 'TooManyRequests', 'Timeout'),
  }),
  fc.constant({ trick: 'deletion' as const }),
);

/** Generates steps of operations or faults. */
export function steps<W extends Operation | { readonly strike: Fault }>(
  what: fc.Arbitrary<W>,
  afterMs: fc.Arbitrary<number> = pauses,
): fc.Arbitrary<Step> {
  return fc.tuple(afterMs, what).map(([ms, some]): Step => ({ afterMs: ms, ...some }));
}
