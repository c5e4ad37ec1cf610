import fc from 'fast-check';
import type { Step } from '../operations.ts';
import {
  codes,
  collect,
  create,
  edit,
  end,
  endAll,
  few,
  modes,
  nothing,
  type Recipe,
  reap,
  remove,
  replacements,
  run,
  step,
  touch,
} from './recipes.ts';

/*
 * Recipes without faults: after the relevant step, no fault wakes a controller that missed it.
 */

/** A Job whose deadline passes while the readiness of a pod changes every second. */
export const busyDeadline: Recipe = fc
  .tuple(fc.integer({ min: 3, max: 8 }), fc.constantFrom(400, 700, 900))
  .map(([activeDeadlineSeconds, everyMs]) => [
    create({ parallelism: 2, completions: 2, activeDeadlineSeconds }, 1_000),
    run(),
    ...Array.from({ length: 14 }, (_, pod) => step({ do: 'flip', pod }, everyMs)),
    reap(2_000),
  ]);

/** A user changes the deadline before it passes. */
export const movedDeadline: Recipe = fc
  .tuple(
    fc.constantFrom([5, 20], [20, 5], [30, 1], [8, 12]),
    fc.integer({ min: 1_000, max: 4_900 }),
    replacements,
  )
  .map(([[from, to], afterMs, policy]) => [
    create({ parallelism: 2, completions: 3, activeDeadlineSeconds: from as number, ...policy }, 1_000),
    run(),
    edit({ activeDeadlineSeconds: to as number }, afterMs),
    nothing(30_000),
    reap(),
  ]);

/** A Job without pods has only its deadline. */
export const idleDeadline: Recipe = fc
  .tuple(few, fc.integer({ min: 2, max: 90 }))
  .map(([completions, activeDeadlineSeconds]) => [
    create({ parallelism: 0, completions, activeDeadlineSeconds }, 1_000),
    nothing(1_000),
  ]);

/** Pods fail one after the other; unrelated changes wake the controller meanwhile. */
export const failures: Recipe = fc
  .record({
    parallelism: fc.constantFrom(1, 1, 2),
    backoffLimit: fc.constantFrom(2, 3, 6),
    waits: fc.array(fc.constantFrom(1_000, 9_000, 19_000, 41_000), { minLength: 2, maxLength: 4 }),
    mode: modes,
  })
  .map(({ parallelism, backoffLimit, waits, mode }) => [
    create({ parallelism, completions: 4, backoffLimit, ...mode }, 1_000),
    ...waits.flatMap((waitMs) => [run(waitMs), end(0, 1, 1_000), touch(1_500), touch(4_000)]),
  ]);

/** Pods fail, one succeeds, and more fail: the success resets the back-off. */
export const resetByASuccess: Recipe = fc
  .tuple(fc.constantFrom(1, 2), codes, modes)
  .map(([parallelism, last, mode]) => [
    create({ parallelism, completions: 4, ...mode }, 1_000),
    run(),
    end(0, 1, 1_000),
    run(14_000),
    end(0, 1, 1_000),
    run(24_000),
    end(0, 0, 1_000),
    run(5_000),
    end(0, 1, 1_000),
    run(12_000),
    end(0, last, 1_000),
    nothing(3_000),
  ]);

/** One pod is ready, another fails: while the controller waits to replace it, the first one is still active. */
export const readyWhileWaiting: Recipe = fc
  .tuple(fc.constantFrom(2, 3), modes, fc.nat({ max: 2 }))
  .map(([parallelism, mode, pod]) => [
    create({ parallelism, completions: 4, ...mode }, 1_000),
    run(),
    end(pod, 1, 2_000),
    step({ do: 'flip', pod }, 3_000),
    end(pod, 1, 500),
    nothing(30_000),
  ]);

/** Containers restart in place until the limit. */
export const restarts: Recipe = fc
  .record({
    backoffLimit: fc.nat({ max: 3 }),
    pods: fc.constantFrom(1, 2),
    times: fc.integer({ min: 1, max: 2 }),
    rounds: few,
  })
  .map(({ backoffLimit, pods, times, rounds }) => [
    create({ parallelism: pods, completions: pods, backoffLimit, restartPolicy: 'OnFailure' }, 1_000),
    run(),
    ...Array.from({ length: rounds }, (_, pod) => step({ do: 'restart', pod, times }, 3_000)),
    reap(5_000),
  ]);

/** A user deletes counted pods of a Job that goes on. */
export const cleanedUp: Recipe = fc
  .tuple(modes, codes, few)
  .map(([mode, code, pods]) => [
    create({ parallelism: 2, completions: 4, ...mode }, 1_000),
    run(),
    end(0, code, 1_000),
    ...Array.from({ length: pods }, (_, pod) => step({ do: 'clean-up', pod }, 3_000)),
    run(15_000),
    end(0, 0, 1_000),
  ]);

/** A user deletes active pods; they stop slowly, with either exit code. */
export const killed: Recipe = fc
  .record({
    mode: modes,
    policy: replacements,
    pods: few,
    code: fc.constantFrom(143, 0),
    reapMs: fc.constantFrom(200, 500, 20_000),
    binds: fc.boolean(),
    limit: fc.constantFrom({}, { backoffLimit: 0 }),
    grows: fc.boolean(),
  })
  .map(({ mode, policy, pods, code, reapMs, binds, limit, grows }) => [
    create({ parallelism: pods, completions: 4, ...mode, ...policy, ...limit }, 1_000),
    ...(binds ? [run()] : [nothing(500)]),
    step({ do: 'kill', pod: 0 }, 1_500),
    step({ do: 'kill', pod: 0 }, 700),
    ...(grows ? [edit({ parallelism: 4 }, 100)] : []),
    reap(reapMs, code),
    run(15_000),
    endAll(0, 2_000),
  ]);

/** A Job is suspended and resumed, several times. */
export const suspended: Recipe = fc
  .record({
    mode: modes,
    policy: replacements,
    startsSuspended: fc.boolean(),
    pauses: fc.array(fc.constantFrom(20, 900, 3_000, 15_000), { minLength: 2, maxLength: 5 }),
    ends: codes,
    deadline: fc.constantFrom({}, { activeDeadlineSeconds: 12 }),
  })
  .map(({ mode, policy, startsSuspended, pauses, ends, deadline }) => [
    create(
      { parallelism: 2, completions: 3, suspend: startsSuspended, ...mode, ...policy, ...deadline },
      1_000,
    ),
    ...pauses.flatMap((afterMs, i): Step[] => [
      run(600),
      ...(i === 1 ? [end(0, ends, 300)] : []),
      edit({ suspend: (i % 2 === 0) !== startsSuspended }, afterMs),
      ...(i === 2 ? [reap(2_000)] : []),
    ]),
    run(4_000),
    endAll(0, 4_000),
    reap(1_000),
  ]);

/** The parallelism of a Job shrinks and grows while its pods are in different states. */
export const resized: Recipe = fc
  .record({
    mode: modes,
    from: fc.integer({ min: 2, max: 4 }),
    to: fc.nat({ max: 3 }),
    then: few,
    completes: fc.boolean(),
  })
  .map(({ mode, from, to, then, completes }) => [
    create({ parallelism: from, completions: 4, ...mode }, 1_000),
    run(),
    ...(completes ? [end(0, 0, 1_000)] : []),
    edit({ parallelism: to }, 3_000),
    reap(2_000),
    edit({ parallelism: then }, 2_000),
    run(2_000),
    endAll(0, 2_000),
    nothing(3_000),
  ]);

/** An Indexed Job gets other completions while some of its indexes are complete. */
export const elastic: Recipe = fc
  .record({
    from: fc.integer({ min: 3, max: 5 }),
    to: fc.integer({ min: 1, max: 4 }),
    done: fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 3 }),
    then: few,
  })
  .map(({ from, to, done, then }) => [
    create({ parallelism: from, completions: from, completionMode: 'Indexed' }, 1_000),
    run(),
    ...done.map((pod) => end(pod, 0, 1_500)),
    edit({ parallelism: to, completions: to }, 2_000),
    reap(3_000),
    edit({ parallelism: then + 2, completions: then + 2 }, 3_000),
    run(3_000),
    endAll(0, 1_000),
    nothing(3_000),
  ]);

/** A Job without completions is a work queue: after the first success no pod is replaced. */
export const workQueue: Recipe = fc
  .record({
    parallelism: fc.integer({ min: 2, max: 4 }),
    first: codes,
    rest: fc.array(codes, { minLength: 1, maxLength: 3 }),
    kills: fc.boolean(),
  })
  .map(({ parallelism, first, rest, kills }) => [
    create({ parallelism }, 1_000),
    run(),
    end(0, first, 1_000),
    end(1, 0, 3_000),
    ...rest.map((code) => end(0, code, 2_000)),
    ...(kills ? [step({ do: 'kill', pod: 0 }, 2_000), reap(3_000)] : []),
    run(12_000),
    endAll(0, 3_000),
    nothing(2_000),
  ]);

/** The parallelism of a work queue falls after its first success: the pods that run are not too many. */
export const smallerWorkQueue: Recipe = fc
  .tuple(fc.integer({ min: 3, max: 4 }), fc.integer({ min: 0, max: 1 }), fc.integer({ min: 20, max: 4_000 }))
  .map(([from, to, afterMs]) => [
    create({ parallelism: from }, 1_000),
    run(),
    end(0, 0, 1_000),
    edit({ parallelism: to }, afterMs),
    nothing(3_000),
    endAll(0, 1_000),
    nothing(2_000),
  ]);

/** Pods by hand match the Job: without a controller, or with another one. */
export const handMade: Recipe = fc
  .record({
    isStrangers: fc.boolean(),
    suspend: fc.boolean(),
    manual: fc.boolean(),
    ends: fc.boolean(),
    frees: fc.boolean(),
    mode: modes,
  })
  .map(({ isStrangers, suspend, manual, ends, frees, mode }) => [
    create(
      { parallelism: 2, completions: 3, suspend, ...mode, ...(manual ? { manualSelector: true } : {}) },
      1_000,
    ),
    step({ do: 'hand-made', job: 'pi', isStrangers }, 2_000),
    run(1_500),
    ...(frees ? [step({ do: 'free', pod: 1 }, 1_500)] : []),
    ...(ends ? [endAll(0, 2_000), run(3_000)] : []),
    step({ do: 'hand-made', job: 'pi', isStrangers: false }, 1_500),
    run(1_500),
    endAll(0, 1_500),
    nothing(2_000),
  ]);

/** Another controller manages the Job. */
export const managedElsewhere: Recipe = fc
  .tuple(fc.constantFrom('example.com/queue', 'kubernetes.io/job-controller'), few)
  .map(([managedBy, parallelism]) => [
    create({ parallelism, completions: 4, managedBy }, 1_000),
    create({ parallelism: 1, completions: 1 }, 500, 'sort'),
    run(2_000),
    step({ do: 'hand-made', job: 'pi', isStrangers: false }, 1_000),
    endAll(0, 2_000),
    touch(2_000),
    nothing(2_000),
  ]);

/** A Job is deleted in each way, while its pods run, end and stop. */
export const deleted: Recipe = fc
  .record({
    how: fc.constantFrom('Background' as const, 'Foreground' as const, 'Orphan' as const),
    ends: fc.boolean(),
    afterMs: fc.constantFrom(300, 1_100, 4_000),
    laterMs: fc.constantFrom(10, 2_000),
    mode: modes,
  })
  .map(({ how, ends, afterMs, laterMs, mode }) => [
    create({ parallelism: 3, completions: 4, ...mode }, 1_000),
    run(),
    ...(ends ? [end(0, 0, 1_000), end(0, 1, 20)] : []),
    remove(how, afterMs),
    collect(laterMs),
    endAll(0, 1_500),
    reap(1_500),
    step({ do: 'clean-up', pod: 0 }, 1_500),
    step({ do: 'kill', pod: 0 }, 500),
    nothing(3_000),
  ]);

/** A Job of the same name follows a deleted one. */
export const sameName: Recipe = fc
  .record({
    how: fc.constantFrom('Background' as const, 'Orphan' as const),
    laterMs: fc.constantFrom(0, 5, 1_500),
    pods: few,
    collectMs: fc.constantFrom(0, 4_000),
    manual: fc.boolean(),
    mode: modes,
  })
  .map(({ how, laterMs, pods, collectMs, manual, mode }) => {
    const shape = { parallelism: pods, completions: 4, ...mode, ...(manual ? { manualSelector: true } : {}) };
    return [
      create(shape, 1_000),
      run(),
      end(0, 1, 1_000),
      remove(how, 1_500),
      ...(collectMs === 0 ? [collect()] : []),
      create(shape, laterMs),
      ...(collectMs === 0 ? [] : [collect(collectMs)]),
      run(3_000),
      endAll(0, 3_000),
      reap(2_000),
      nothing(3_000),
    ];
  });

/** A Job ends while some of its pods run: they stop slowly. */
export const slowEnd: Recipe = fc
  .record({
    mode: modes,
    policy: replacements,
    backoffLimit: fc.nat({ max: 1 }),
    reapMs: fc.constantFrom(300, 6_000, 40_000),
    code: fc.constantFrom(143, 0),
  })
  .map(({ mode, policy, backoffLimit, reapMs, code }) => [
    create({ parallelism: 3, completions: 4, backoffLimit, ...mode, ...policy }, 1_000),
    run(),
    end(1, 0, 1_000),
    ...Array.from({ length: backoffLimit + 1 }, () => end(0, 1, 200)),
    nothing(reapMs),
    reap(0, code),
    nothing(3_000),
  ]);

/** A user changes the back-off limit, so that failures before are too many, or no longer too many. */
export const movedLimit: Recipe = fc
  .tuple(fc.nat({ max: 3 }), fc.nat({ max: 2 }), modes)
  .map(([from, to, mode]) => [
    create({ parallelism: 2, completions: 4, backoffLimit: from, ...mode }, 1_000),
    run(),
    end(0, 1, 1_000),
    edit({ backoffLimit: to }, 3_000),
    run(12_000),
    end(0, 1, 1_000),
    reap(4_000),
  ]);

/** Many pods end at almost the same time. */
export const crowd: Recipe = fc
  .tuple(fc.integer({ min: 5, max: 9 }), modes, codes)
  .map(([pods, mode, code]) => [
    create({ parallelism: pods, completions: pods, ...mode }, 1_000),
    run(1_000),
    ...Array.from({ length: pods }, (_, i) => end(0, i === 0 ? code : 0, i === 0 ? 1_500 : 7)),
    run(14_000),
    endAll(0, 1_000),
    nothing(2_000),
  ]);

/** A deleted pod ends with success before the controller looks: it is no failure. */
export const stopsWell: Recipe = fc
  .record({ mode: modes, policy: replacements, afterMs: fc.constantFrom(20, 300, 800) })
  .map(({ mode, policy, afterMs }) => [
    create({ parallelism: 2, completions: 3, backoffLimit: 0, ...mode, ...policy }, 1_000),
    run(),
    step({ do: 'kill', pod: 0 }, 1_500),
    reap(afterMs, 0),
    run(3_000),
    endAll(0, 2_000),
    nothing(2_000),
  ]);
