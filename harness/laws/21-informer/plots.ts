import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { pauses } from '../../testing/arbitraries/time.ts';
import { PROCESS, type Step, steps, writes } from './step.ts';

const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });
const cut = strike({ fault: 'cut-watches', process: PROCESS });
const fail = strike({ fault: 'fail-watches', process: PROCESS, reason: 'InternalError' });

/**
 * The stream breaks, things happen, and the server forgets them, all before anybody watches again.
 *
 * What goes wrong in several steps, each of which does little by itself. Faults at random come together in this way
 * too, but so seldom that a test of a hundred lives would find nothing.
 */
export const gap: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    pauses,
    fc.array(steps(writes, fc.constant(0)), { minLength: 1, maxLength: 3 }),
    fc.constantFrom([], [strike({ fault: 'compact' })]),
  )
  .map(([afterMs, missed, forgets]) => [{ ...cut, afterMs }, ...missed, ...forgets]);

/** The informer moves to another server for a while, and comes back to one that has seen less. */
export const staleReplica: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    pauses,
    fc.constantFrom('a', 'b', 'c'),
    fc.array(steps(writes, fc.nat({ max: 12 })), { maxLength: 2 }),
  )
  .map(([afterMs, name, seenElsewhere]) => {
    const put = (ms: number): Step => ({ afterMs: ms, write: 'put', name, group: 'red' });
    return [
      strike({ fault: 'restart-apiserver', replica: 0, forMs: 100 }, afterMs),
      put(5_000),
      strike({ fault: 'lag', replica: 0, forMs: 60_000 }, 50),
      put(0),
      ...seenElsewhere,
      { ...fail, afterMs: 50 },
    ];
  });

/** Nothing happens to what it watches, but much elsewhere, for longer than a bookmark takes. */
export const quiet: fc.Arbitrary<readonly Step[]> = fc
  .integer({ min: 60_000, max: 200_000 })
  .map((afterMs) => [
    { afterMs: 0, write: 'elsewhere' },
    { ...cut, afterMs },
  ]);

/** Nobody is there. */
export const outage: fc.Arbitrary<readonly Step[]> = fc
  .tuple(pauses, fc.integer({ min: 20_000, max: 60_000 }))
  .map(([afterMs, forMs]) => [
    strike({ fault: 'restart-apiserver', replica: 0, forMs }, afterMs),
    strike({ fault: 'restart-apiserver', replica: 1, forMs }),
  ]);

/** The server is in trouble for a while, well for a long time, and then in trouble again. */
export const storm: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 250_000, max: 400_000 }))
  .map(([requests, afterMs]) => [
    strike({ fault: 'refuse', process: PROCESS, reason: 'InternalError', requests }),
    fail,
    { ...fail, afterMs },
  ]);
