import fc from 'fast-check';
import { PROCESS } from '../operations.ts';
import {
  calmMs,
  codes,
  collect,
  crash,
  create,
  end,
  endAll,
  few,
  holdBack,
  modes,
  nothing,
  type Recipe,
  reap,
  refuse,
  remove,
  replacements,
  run,
  step,
  strike,
  touch,
} from './recipes.ts';

/*
 * Recipes with faults, about pods whose Job is gone or new, and pods that the controller does not know.
 */

/** The Job goes while the controller is down, or while its requests fail: its pods must not keep the finalizer. */
export const orphans: Recipe = fc
  .record({
    how: fc.constantFrom('Background' as const, 'Foreground' as const, 'Orphan' as const),
    trouble: fc.constantFrom('down' as const, 'refused' as const, 'lost' as const, 'late' as const),
    ends: fc.boolean(),
    requests: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ how, trouble, ends, requests }) => [
    create({ parallelism: 3, completions: 4 }, 1_000),
    run(),
    trouble === 'down'
      ? crash(0, false, 20_000, 1_500)
      : trouble === 'late'
        ? holdBack('jobs', 8_000, 1_500)
        : trouble === 'lost'
          ? strike({ fault: 'time-out', process: PROCESS, performed: false, verb: 'patch' }, 1_500)
          : refuse('patch', requests, 'InternalError', 1_500),
    touch(),
    ...(ends ? [end(0, 0, 1_200)] : []),
    remove(how, 300),
    collect(100),
    reap(2_000),
    nothing(25_000),
    reap(),
    nothing(2_000),
  ]);

/** A Job of the same name follows while the watch of Jobs is late: only the uid shows the difference. */
export const sameNameUnseen: Recipe = fc
  .record({ pods: few, heldMs: fc.constantFrom(3_000, 12_000), collects: fc.boolean(), manual: fc.boolean() })
  .map(({ pods, heldMs, collects, manual }) => {
    const shape = { parallelism: pods, completions: 4, ...(manual ? { manualSelector: true } : {}) };
    return [
      create(shape, 1_000),
      run(),
      end(0, 1, 1_000),
      holdBack('jobs', heldMs, 1_500),
      remove(manual ? 'Orphan' : 'Background'),
      ...(collects ? [collect(20)] : []),
      create(shape, 40),
      reap(1_000),
      nothing(heldMs),
      collect(),
      reap(2_000),
      run(2_000),
      endAll(0, 3_000),
      nothing(2_000),
    ];
  });

/** The controller adopts a pod while the Job is deleted, which it has not observed. */
export const adoptedUnawares: Recipe = fc
  .tuple(fc.constantFrom('Foreground' as const, 'Orphan' as const, 'Background' as const), calmMs)
  .map(([how, heldMs]) => [
    create({ parallelism: 2, completions: 4 }, 1_000),
    run(),
    holdBack('jobs', heldMs, 1_500),
    step({ do: 'hand-made', job: 'pi', isStrangers: false }),
    remove(how, 50),
    step({ do: 'free', pod: 1 }, 1_500),
    nothing(heldMs),
    collect(),
    reap(1_000),
    nothing(2_000),
  ]);

/** A create gets no answer, and the cache does not show its pod until the controller has tried again, or has given up. */
export const lateBirth: Recipe = fc
  .record({
    mode: modes,
    pods: few,
    deadline: fc.constantFrom({}, { activeDeadlineSeconds: 5 }),
    code: codes,
    performed: fc.constantFrom(true, true, false),
  })
  .map(({ mode, pods, deadline, code, performed }) => [
    holdBack('pods', 90_000, 1_000),
    strike({ fault: 'time-out', process: PROCESS, performed, verb: 'create' }),
    create({ parallelism: pods, completions: 6, ...mode, ...deadline }),
    run(40_000),
    nothing(60_000),
    run(1_000),
    endAll(code, 2_000),
    reap(2_000),
    nothing(3_000),
  ]);

/** A deleted pod counts as failed, its finalizer stays, and then it ends with success. */
export const failedThenSucceeded: Recipe = fc
  .record({
    mode: modes,
    requests: fc.integer({ min: 1, max: 3 }),
    reapMs: fc.constantFrom(300, 1_500, 3_000),
    policy: replacements,
  })
  .map(({ mode, requests, reapMs, policy }) => [
    create({ parallelism: 2, completions: 3, ...mode, ...policy }, 1_000),
    run(),
    refuse('patch', requests, 'InternalError', 1_500),
    step({ do: 'kill', pod: 0 }),
    nothing(1_200),
    reap(reapMs, 0),
    nothing(6_000),
    run(15_000),
    endAll(0, 2_000),
    nothing(3_000),
  ]);
