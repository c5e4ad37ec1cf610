import fc from 'fast-check';
import type { ObjectKey } from '../../api/objects.ts';
import type { Fault, WatchFailure } from '../../faults/index.ts';
import { pauses } from '../../testing/arbitraries/time.ts';

/** The process that the informer runs in, as faults know it. */
export const PROCESS = 'informer';

/** Something that happens, some time after what happened before. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** What happens besides faults. */
export type Operation = Write | Trick | { readonly call: 'run' } | { readonly wait: true };

/**
 * `put` creates or changes the object; `recreate` deletes it and creates another one of that name. `elsewhere`
 * writes what the informer does not look at, which moves the server's revision and nothing else.
 */
export type Write =
  | { readonly write: 'put' | 'delete' | 'recreate'; readonly name: Name; readonly group: Group }
  | { readonly write: 'elsewhere' };

/**
 * What a proxy before the apiservers does to watches. `end` lets each of the next ones end after so many events. `deafen` lets the one
 * that is open bring nothing more but its end. `deletion` slips in, after the next event, the deletion of an object that there never
 * was. `busy` refuses the next requests with 429, and asks for 20 s.
 */
export type Trick =
  | {
      readonly trick: 'end';
      readonly watches: number;
      readonly events: number;
      /** What the server says in the stream when it ends. @defaultValue nothing */
      readonly error?: WatchFailure;
    }
  | { readonly trick: 'busy'; readonly requests: number }
  | { readonly trick: 'deafen' | 'deletion' };

/** An object: its name in the namespace `default`, or its namespace and name. Two of them differ only in the namespace. */
export type Name = 'a' | 'b' | 'c' | 'kube-public/a';

/** What the informer's index groups objects by. An object may be in two groups at once. */
export type Group = 'red' | 'blue' | 'red-blue';

/** All objects that there may be. */
export const names: readonly Name[] = ['a', 'b', 'c', 'kube-public/a'];

/** The key that a name stands for. */
export function keyOfName(name: string): ObjectKey {
  const [first = '', second] = name.split('/');
  return second === undefined ? { namespace: 'default', name: first } : { namespace: first, name: second };
}

/** A write of one of a few ConfigMaps. */
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

/** Any trick. */
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

/** Makes steps of writes or strikes. */
export function steps<W extends Operation | { readonly strike: Fault }>(
  what: fc.Arbitrary<W>,
  afterMs: fc.Arbitrary<number> = pauses,
): fc.Arbitrary<Step> {
  return fc.tuple(afterMs, what).map(([ms, some]): Step => ({ afterMs: ms, ...some }));
}
