import fc from 'fast-check';
import { PROCESS } from '../operations.ts';
import {
  codes,
  crash,
  create,
  edit,
  end,
  endAll,
  few,
  holdBack,
  modes,
  nothing,
  type Recipe,
  reap,
  refuse,
  replacements,
  run,
  step,
  strike,
  touch,
} from './recipes.ts';

/*
 * Recipes with faults, each at the moment that matters.
 */

const performed = fc.boolean();

/** The controller crashes at one of the requests that count pods. */
export const crashWhileCounting: Recipe = fc
  .record({
    mode: modes,
    skip: fc.nat({ max: 9 }),
    performed,
    code: codes,
    pods: fc.integer({ min: 1, max: 3 }),
    restartMs: fc.constantFrom(50, 3_000),
    policy: replacements,
  })
  .map(({ mode, skip, performed, code, pods, restartMs, policy }) => [
    create({ parallelism: pods, completions: pods, backoffLimit: 1, ...mode, ...policy }, 1_000),
    run(),
    crash(skip, performed, restartMs, 1_500),
    end(0, code),
    endAll(0),
    nothing(6_000),
    run(12_000),
    endAll(0, 500),
    nothing(2_000),
  ]);

/** The controller crashes while it creates pods. */
export const crashWhileCreating: Recipe = fc
  .record({
    mode: modes,
    skip: fc.nat({ max: 6 }),
    performed,
    pods: fc.integer({ min: 2, max: 4 }),
    heldMs: fc.constantFrom(0, 2_000),
  })
  .map(({ mode, skip, performed, pods, heldMs }) => [
    nothing(1_000),
    crash(skip, performed),
    create({ parallelism: pods, completions: pods, ...mode }),
    ...(heldMs > 0 ? [holdBack('pods', heldMs, 30)] : []),
    run(4_000),
    endAll(0, 1_000),
    nothing(3_000),
  ]);

/** The controller crashes while it deletes pods: the Job is suspended, shrinks or fails. */
export const crashWhileDeleting: Recipe = fc
  .record({
    skip: fc.nat({ max: 7 }),
    performed,
    change: fc.constantFrom('suspend' as const, 'shrink' as const, 'fail' as const),
    reapMs: fc.constantFrom(100, 5_000),
  })
  .map(({ skip, performed, change, reapMs }) => [
    create({ parallelism: 3, completions: 4, backoffLimit: 0 }, 1_000),
    run(),
    crash(skip, performed, 50, 1_500),
    change === 'suspend'
      ? edit({ suspend: true })
      : change === 'shrink'
        ? edit({ parallelism: 1 })
        : end(0, 1),
    reap(reapMs),
    nothing(3_000),
    reap(2_000),
  ]);

/** The server refuses to remove finalizers, or does not answer. */
export const refusedRelease: Recipe = fc
  .record({
    mode: modes,
    requests: fc.integer({ min: 1, max: 3 }),
    code: codes,
    isLost: fc.boolean(),
    performed,
    pods: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ mode, requests, code, isLost, performed, pods }) => [
    create({ parallelism: pods, completions: pods, backoffLimit: 0, ...mode }, 1_000),
    run(),
    isLost
      ? strike({ fault: 'time-out', process: PROCESS, performed, verb: 'patch' }, 1_500)
      : refuse('patch', requests, 'InternalError', 1_500),
    end(0, code),
    endAll(0),
    nothing(5_000),
  ]);

/** The server refuses a status, or does not answer. */
export const refusedStatus: Recipe = fc
  .record({
    mode: modes,
    requests: fc.integer({ min: 1, max: 3 }),
    code: codes,
    kind: fc.constantFrom('refused' as const, 'conflict' as const, 'lost' as const),
    performed,
  })
  .map(({ mode, requests, code, kind, performed }) => [
    create({ parallelism: 2, completions: 2, backoffLimit: 1, ...mode }, 1_000),
    run(),
    kind === 'lost'
      ? strike({ fault: 'time-out', process: PROCESS, performed, verb: 'updateStatus' }, 1_500)
      : refuse('updateStatus', requests, kind === 'refused' ? 'ServiceUnavailable' : 'Conflict', 1_500),
    end(0, code),
    nothing(5_000),
    run(12_000),
    endAll(0, 1_000),
    nothing(2_000),
  ]);

/** A quota refuses creates, and nothing else happens afterwards. */
export const refusedCreates: Recipe = fc
  .record({
    mode: modes,
    requests: fc.integer({ min: 1, max: 4 }),
    pods: few,
    isLost: fc.boolean(),
    performed,
  })
  .map(({ mode, requests, pods, isLost, performed }) => [
    isLost
      ? strike({ fault: 'time-out', process: PROCESS, performed, verb: 'create' }, 1_000)
      : refuse('create', requests, 'Forbidden', 1_000),
    create({ parallelism: pods, completions: 4, ...mode }),
    nothing(3_000),
  ]);

/** The server refuses deletes, when the Job is suspended, shrinks or ends. */
export const refusedDeletes: Recipe = fc
  .record({
    requests: fc.integer({ min: 1, max: 3 }),
    change: fc.constantFrom('suspend' as const, 'shrink' as const, 'fail' as const),
  })
  .map(({ requests, change }) => [
    create({ parallelism: 3, completions: 4, backoffLimit: 0 }, 1_000),
    run(),
    refuse('delete', requests, 'TooManyRequests', 1_500),
    change === 'suspend'
      ? edit({ suspend: true })
      : change === 'shrink'
        ? edit({ parallelism: 1 })
        : end(0, 1),
    nothing(8_000),
    reap(),
    nothing(2_000),
  ]);

/** The deadline passes while the controller is down. */
export const downAtTheDeadline: Recipe = fc
  .tuple(few, fc.constantFrom(2, 5), fc.boolean())
  .map(([parallelism, activeDeadlineSeconds, runs]) => [
    create({ parallelism, completions: 4, activeDeadlineSeconds }, 1_000),
    ...(runs ? [run()] : []),
    crash(0, false, 30_000, 1_000),
    touch(),
    nothing(40_000),
    reap(),
    nothing(2_000),
  ]);

/** The deadline passes while the controller does not see its pods. */
export const blindAtTheDeadline: Recipe = fc
  .tuple(few, fc.constantFrom(1, 2), fc.constantFrom(4_000, 20_000))
  .map(([parallelism, activeDeadlineSeconds, heldMs]) => [
    holdBack('pods', heldMs, 1_000),
    create({ parallelism, completions: 4, activeDeadlineSeconds }, 50),
    run(500),
    step({ do: 'flip', pod: 0 }, 1_500),
    nothing(heldMs),
    reap(3_000),
    nothing(2_000),
  ]);

/** The cache shows a Job as unfinished, although the controller has stored its end; a pod event arrives. */
export const finishedUnseen: Recipe = fc
  .record({
    mode: modes,
    code: codes,
    heldMs: fc.constantFrom(3_000, 20_000),
    pods: few,
    restarts: fc.boolean(),
  })
  .map(({ mode, code, heldMs, pods, restarts }) => [
    create({ parallelism: pods, completions: pods, backoffLimit: 0, ...mode }, 1_000),
    run(),
    holdBack('jobs', heldMs, 1_500),
    end(0, code),
    endAll(0),
    step({ do: 'clean-up', pod: 0 }, 1_700),
    step({ do: 'clean-up', pod: 0 }, 300),
    ...(restarts ? [crash(0, true, 50, 200)] : []),
    step({ do: 'hand-made', job: 'pi', isStrangers: false }, 900),
    reap(500),
    nothing(heldMs),
  ]);

/** The cache does not show the newest spec: it was changed a moment before a pod ends. */
export const overtaken: Recipe = fc
  .record({
    mode: modes,
    change: fc.constantFrom({ suspend: true }, { parallelism: 1 }, { parallelism: 4 }, {}),
    heldMs: fc.constantFrom(1_500, 8_000),
    code: codes,
  })
  .map(({ mode, change, heldMs, code }) => [
    create({ parallelism: 2, completions: 4, ...mode }, 1_000),
    run(),
    holdBack('jobs', heldMs, 1_500),
    Object.keys(change).length === 0 ? touch() : edit(change),
    end(0, code, 100),
    nothing(heldMs),
    reap(1_000),
    run(12_000),
    endAll(0, 1_000),
    nothing(2_000),
  ]);

/**
 * The cache does not show new pods, and something wakes the controller.
 *
 * @param delays how long the cache is late
 */
export const unseenPods = (...delays: readonly number[]): Recipe =>
  fc
    .record({ mode: modes, pods: few, heldMs: fc.constantFrom(...delays), ends: fc.boolean(), more: few })
    .map(({ mode, pods, heldMs, ends, more }) => [
      holdBack('pods', heldMs, 1_000),
      create({ parallelism: pods, completions: 8, ...mode }),
      touch(1_500),
      run(100),
      ...(ends ? [end(0, 0, 100)] : []),
      edit({ parallelism: more }, 1_000),
      touch(2_500),
      nothing(heldMs),
      reap(1_000),
      nothing(2_000),
    ]);

/** The cache does not show that finalizers are gone, and something wakes the controller. */
export const unseenReleases: Recipe = fc
  .record({ mode: modes, code: codes, heldMs: fc.constantFrom(3_000, 30_000), pods: few })
  .map(({ mode, code, heldMs, pods }) => [
    create({ parallelism: pods, completions: 6, ...mode }, 1_000),
    run(),
    end(0, code, 1_500),
    end(0, 0, 10),
    holdBack('pods', heldMs, 1_004),
    touch(1_500),
    touch(1_500),
    nothing(heldMs),
    run(12_000),
    endAll(0, 1_000),
    nothing(2_000),
  ]);

/** The controller restarts while a failed pod waits for its replacement: only the forgotten failures are forgiven. */
export const forgottenBackoff: Recipe = fc
  .record({ mode: modes, skip: fc.nat({ max: 3 }), laterMs: fc.constantFrom(2_000, 6_000) })
  .map(({ mode, skip, laterMs }) => [
    create({ parallelism: 1, completions: 3, ...mode }, 1_000),
    run(),
    end(0, 1, 1_000),
    run(14_000),
    end(0, 1, 1_000),
    crash(skip, true, 50, laterMs),
    touch(),
    run(14_000),
    end(0, 1, 1_000),
    run(24_000),
    nothing(2_000),
  ]);
