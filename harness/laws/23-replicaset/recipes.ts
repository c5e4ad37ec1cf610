import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { pauses } from '../../testing/arbitraries/time.ts';
import { type Operation, PROCESS, type Step } from './step.ts';

/** What happens, step by step. */
export type Recipe = fc.Arbitrary<readonly Step[]>;

/** A fault, after a while. */
export const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });
/** A operation, after a while. */
export const step = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
/** Scales `web`. */
export const scale = (replicas: number, afterMs = 0): Step =>
  step({ do: 'scale', set: 'web', replicas }, afterMs);
/** What is watched comes late. */
export const holdBack = (resource: string, forMs: number, afterMs = 0): Step =>
  strike({ fault: 'delay-watches', process: PROCESS, resource, forMs }, afterMs);

/** Some replicas, one at least. */
export const few = fc.integer({ min: 1, max: 5 });
/** Enough for whatever is under way to be over. */
export const calmMs = fc.integer({ min: 2_000, max: 10_000 });

/**
 * The controller hears nothing of its pods for longer than it cares to wait, and something wakes it. Upstream creates a
 * second set: kubernetes/kubernetes#129795.
 */
export const expired: Recipe = fc
  .tuple(calmMs, few, few)
  .map(([afterMs, first, second]) => [
    holdBack('pods', 400_000, afterMs),
    scale(first),
    scale(0, 310_000),
    scale(second, 20),
  ]);

/** The same with the last word first, and nothing that wakes it. */
export const unheard: Recipe = fc
  .tuple(calmMs, few)
  .map(([afterMs, replicas]) => [
    holdBack('pods', 400_000, afterMs),
    scale(replicas),
    step({ do: 'nothing' }, 310_000),
  ]);

/** It dies among its creates, and comes back to a server that has not seen them. */
export const forgetful: Recipe = fc
  .record({
    afterMs: calmMs,
    replicas: fc.integer({ min: 2, max: 5 }),
    skip: fc.nat({ max: 6 }),
    performed: fc.boolean(),
    forMs: fc.constantFrom(1_000, 60_000),
  })
  .map(({ afterMs, replicas, skip, performed, forMs }) => [
    scale(0, afterMs),
    strike({ fault: 'lag', replica: 0, forMs }, 1_000),
    strike({ fault: 'crash', process: PROCESS, skip, performed, restartAfterMs: 50 }),
    holdBack('pods', 500),
    scale(replicas),
    step({ do: 'nothing' }, 2_000),
  ]);

/** A create that is carried out and never answered, while the watch is late. */
export const unanswered: Recipe = fc
  .tuple(calmMs, few, fc.nat({ max: 3 }), fc.boolean())
  .map(([afterMs, replicas, deletes, performed]) => [
    scale(replicas, afterMs),
    step({ do: 'run' }, 1_000),
    holdBack('pods', 90_000),
    strike({ fault: 'time-out', process: PROCESS, performed }),
    deletes > 0 ? scale(Math.max(0, replicas - deletes)) : scale(replicas + 1),
    step({ do: 'flip', pod: deletes }, 1_000),
    step({ do: 'nothing' }, 70_000),
  ]);

/** Gone, and there again under the same name, while the pods of the first are still awaited. */
export const reborn: Recipe = fc
  .tuple(calmMs, few, few, fc.constantFrom('Background' as const, 'Orphan' as const), pauses)
  .map(([afterMs, first, second, how, laterMs]) => [
    holdBack('pods', 30_000, afterMs),
    scale(first),
    step({ do: 'delete', set: 'web', how }, 200),
    step({ do: 'collect', pods: 9 }, 10),
    step({ do: 'create', set: 'web', replicas: second }, Math.min(laterMs, 5_000)),
  ]);

/** No more pods are allowed for a while. */
export const quota: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 3, max: 9 }))
  .map(([afterMs, requests, replicas]) => [
    strike({ fault: 'refuse', process: PROCESS, reason: 'Forbidden', requests }, afterMs),
    scale(replicas),
    step({ do: 'nothing' }, 20_000),
  ]);

/** It is being deleted, and its pods go first, one after the other. */
export const dying: Recipe = fc
  .tuple(calmMs, few, fc.constantFrom('Foreground' as const, 'Orphan' as const))
  .map(([afterMs, replicas, how]) => [
    scale(replicas, afterMs),
    step({ do: 'run' }, 1_000),
    step({ do: 'delete', set: 'web', how }, 1_000),
    step({ do: 'collect', pods: 1 }, 2_000),
    step({ do: 'relabel', pod: 1, to: 'nothing' }, 100),
    step({ do: 'orphan', of: 'web' }, 100),
    step({ do: 'collect', pods: 1 }, 2_000),
  ]);

/** It is deleted and has not heard of it, when an orphan turns up that it could adopt. */
export const unawares: Recipe = fc
  .tuple(calmMs, fc.constantFrom('Foreground' as const, 'Orphan' as const), fc.nat({ max: 5 }))
  .map(([afterMs, how, pod]) => [
    holdBack('replicasets', 20_000, afterMs),
    step({ do: 'delete', set: 'web', how }),
    step({ do: 'free', pod }, 2_000),
    step({ do: 'orphan', of: 'web' }, 2_000),
  ]);

/** Pods of all sorts, of which some must go. */
export const choice: Recipe = fc
  .record({
    afterMs: calmMs,
    more: fc.integer({ min: 4, max: 6 }),
    fewer: fc.integer({ min: 1, max: 3 }),
    marks: fc.array(
      fc.oneof(
        fc.record({ do: fc.constant('flip' as const), pod: fc.nat({ max: 5 }) }),
        fc.record({
          do: fc.constant('price' as const),
          pod: fc.nat({ max: 5 }),
          cost: fc.constantFrom(-1, 5),
        }),
      ),
      { maxLength: 4 },
    ),
    agesMs: fc.array(fc.constantFrom(1_000, 20_000, 100_000), { minLength: 4, maxLength: 4 }),
    last: fc.boolean(),
  })
  .map(({ afterMs, more, fewer, marks, agesMs, last }) => [
    scale(2, afterMs),
    step({ do: 'run' }, 1_000),
    scale(more, agesMs[3]),
    last ? step({ do: 'nothing' }) : step({ do: 'run' }, 1_000),
    ...marks.map((mark, i) => step(mark, agesMs[i])),
    scale(fewer, 20_000),
    step({ do: 'nothing' }, 5_000),
  ]);

/**
 * What goes wrong in several steps, each of which does little by itself. Operations and faults at random come together in
 * this way too, but so seldom that a test of a hundred lives would find nothing.
 */
export const all: readonly Recipe[] = [
  expired,
  unheard,
  forgetful,
  unanswered,
  reborn,
  quota,
  dying,
  unawares,
  choice,
];
