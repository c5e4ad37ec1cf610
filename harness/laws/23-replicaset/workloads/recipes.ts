import fc from 'fast-check';
import type { Fault } from '../../../faults/index.ts';
import { pauses } from '../../../testing/arbitraries/time.ts';
import { type Operation, PROCESS, type Step } from '../operations.ts';

/** Generates the steps to one situation. */
export type Recipe = fc.Arbitrary<readonly Step[]>;

/** A fault, after a pause. */
export const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });
/** An operation, after a pause. */
export const step = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
/** Scales `web`. */
export const scale = (replicas: number, afterMs = 0): Step =>
  step({ do: 'scale', set: 'web', replicas }, afterMs);
/** Delays the watch events of a resource. */
export const holdBack = (resource: string, forMs: number, afterMs = 0): Step =>
  strike({ fault: 'delay-watches', process: PROCESS, resource, forMs }, afterMs);

/** At least one replica. */
export const few = fc.integer({ min: 1, max: 5 });
/** A pause long enough for all work in progress to end. */
export const calmMs = fc.integer({ min: 2_000, max: 10_000 });

/**
 * The controller receives no events about its pods until its expectations have expired; then an event wakes it. Upstream creates a
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

/** Expectations expire, and no event wakes the controller. */
export const unheard: Recipe = fc
  .tuple(calmMs, few)
  .map(([afterMs, replicas]) => [
    holdBack('pods', 400_000, afterMs),
    scale(replicas),
    step({ do: 'nothing' }, 310_000),
  ]);

/** The controller crashes during its creates, and restarts with a server that does not show them. */
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

/** A request without a response, performed or not, while the watch is late. */
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

/** A ReplicaSet is recreated while expectations of the first are pending. */
export const reborn: Recipe = fc
  .tuple(calmMs, few, few, fc.constantFrom('Background' as const, 'Orphan' as const), pauses)
  .map(([afterMs, first, second, how, laterMs]) => [
    holdBack('pods', 30_000, afterMs),
    scale(first),
    step({ do: 'delete', set: 'web', how }, 200),
    step({ do: 'collect', pods: 9 }, 10),
    step({ do: 'create', set: 'web', replicas: second }, Math.min(laterMs, 5_000)),
  ]);

/** A quota rejects creates for a while. */
export const quota: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 3, max: 9 }))
  .map(([afterMs, requests, replicas]) => [
    strike({ fault: 'refuse', process: PROCESS, reason: 'Forbidden', requests }, afterMs),
    scale(replicas),
    step({ do: 'nothing' }, 20_000),
  ]);

/** A ReplicaSet is being deleted, and its pods are removed first, one by one. */
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

/** A ReplicaSet is deleted, which the controller has not observed; then an orphan appears that it could adopt. */
export const unawares: Recipe = fc
  .tuple(calmMs, fc.constantFrom('Foreground' as const, 'Orphan' as const), fc.nat({ max: 5 }))
  .map(([afterMs, how, pod]) => [
    holdBack('replicasets', 20_000, afterMs),
    step({ do: 'delete', set: 'web', how }),
    step({ do: 'free', pod }, 2_000),
    step({ do: 'orphan', of: 'web' }, 2_000),
  ]);

/** The ReplicaSet shrinks while its Pods are in different states. */
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

/** Situations that need several steps. Random operations and faults reach them too rarely for a hundred runs. */
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
