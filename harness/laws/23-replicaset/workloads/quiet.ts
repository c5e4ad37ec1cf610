import fc from 'fast-check';
import { PROCESS } from '../operations.ts';
import { calmMs, few, holdBack, type Recipe, scale, step, strike } from './recipes.ts';

/*
 * Recipes that end in a quiet period: after the relevant step no event wakes a controller that missed it, or that waits for an event
 * that never comes.
 */

const nothing = (afterMs: number) => step({ do: 'nothing' }, afterMs);
const run = (afterMs = 1_000) => step({ do: 'run' }, afterMs);

/** The phase of a pod that ends: `Failed` or `Succeeded`. */
const endings = fc.constantFrom<{ readonly as?: 'Succeeded' }>({}, { as: 'Succeeded' });

/** A pod is removed or detached at once, and must be replaced at once. */
export const goneAtOnce: Recipe = fc
  .tuple(calmMs, few, fc.nat({ max: 4 }), fc.boolean(), fc.constantFrom('kill' as const, 'detach' as const))
  .map(([afterMs, replicas, pod, runs, how]) => [
    scale(replicas, afterMs),
    ...(runs ? [run()] : []),
    step(how === 'detach' ? { do: 'detach', pod } : { do: 'kill', pod, force: runs }, 3_000),
    nothing(20),
  ]);

/** A pod fails or succeeds, and still exists. */
export const failing: Recipe = fc
  .tuple(calmMs, few, fc.nat({ max: 4 }), endings)
  .map(([afterMs, replicas, pod, ending]) => [
    scale(replicas, afterMs),
    run(),
    step({ do: 'fail', pod, ...ending }, 2_000),
    nothing(2_000),
  ]);

/** A selected pod without a controller has ended before the ReplicaSet is created. */
export const endedOrphan: Recipe = fc
  .tuple(calmMs, few, endings)
  .map(([afterMs, replicas, ending]) => [
    step({ do: 'delete', set: 'web', how: 'Background' }, afterMs),
    step({ do: 'collect', pods: 9 }, 100),
    step({ do: 'orphan', of: 'web' }, 100),
    run(),
    step({ do: 'fail', pod: 0, ...ending }, 1_000),
    step({ do: 'create', set: 'web', replicas }, 1_000),
    nothing(2_000),
  ]);

/** One of several pods is deleted soon after its creation. */
export const goneEarly: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 2, max: 5 }), fc.nat({ max: 4 }), fc.integer({ min: 300, max: 2_000 }))
  .map(([afterMs, replicas, pod, laterMs]) => [
    scale(0, afterMs),
    scale(replicas, 1_000),
    step({ do: 'kill', pod }, laterMs),
    nothing(20),
  ]);

/** A pod loses its labels, is released, and gets them back. */
export const strays: Recipe = fc
  .tuple(calmMs, few, fc.nat({ max: 4 }), fc.boolean())
  .map(([afterMs, replicas, pod, runs]) => [
    scale(replicas, afterMs),
    ...(runs ? [run()] : []),
    step({ do: 'relabel', pod, to: 'nothing' }, 2_000),
    step({ do: 'return' }, 4_000),
    nothing(20),
  ]);

/** Pods stop slowly: deleted pods keep terminating. Then another pod is deleted. */
export const slowStops: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 2 }), fc.nat({ max: 2 }))
  .map(([afterMs, left, more, pod]) => [
    scale(left + more, afterMs),
    run(),
    scale(left, 2_000),
    step({ do: 'kill', pod }, 2_000),
    nothing(20),
  ]);

/** Terminating pods end or lose their labels before they are removed. */
export const lastMoments: Recipe = fc
  .tuple(calmMs, few, fc.constantFrom('end' as const, 'relabel-the-going' as const), fc.boolean())
  .map(([afterMs, replicas, how, isReaped]) => [
    scale(replicas, afterMs),
    run(),
    step({ do: 'kill', pod: 0 }, 2_000),
    step({ do: how }, 3_000),
    nothing(3_000),
    ...(isReaped ? [step({ do: 'reap' })] : []),
  ]);

/** A pod is created and deleted while the watch is delayed, and no event ever reports it. Later another pod is deleted. */
export const neverSeen: Recipe = fc
  .tuple(calmMs, few, fc.nat({ max: 4 }))
  .map(([afterMs, replicas, pod]) => [
    scale(0, afterMs),
    holdBack('pods', 30_000, 3_000),
    scale(replicas, 100),
    step({ do: 'kill', pod: 0 }, 3_000),
    strike({ fault: 'compact' }, 1_000),
    strike({ fault: 'cut-watches', process: PROCESS }, 100),
    step({ do: 'kill', pod }, 400_000),
    nothing(20),
  ]);

/** Pods become available without an event. */
export const byTimeAlone: Recipe = fc
  .tuple(calmMs, few, fc.boolean())
  .map(([afterMs, replicas, flips]) => [
    step({ do: 'create', set: 'canary', replicas }, afterMs),
    run(2_000),
    ...(flips ? [step({ do: 'flip', pod: 0 }, 3_000), step({ do: 'flip', pod: 0 }, 4_000)] : []),
    nothing(1_000),
  ]);

/** Deletes are rejected, and nothing else happens. */
export const refusedDeletes: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 2, max: 4 }), fc.constantFrom(1, 2), fc.boolean())
  .map(([afterMs, replicas, requests, runs]) => [
    scale(replicas, afterMs),
    ...(runs ? [run()] : []),
    strike({ fault: 'refuse', process: PROCESS, reason: 'TooManyRequests', requests }, 2_000),
    scale(replicas - 1),
    nothing(5_000),
  ]);

/** Creates are rejected, and nothing else happens. */
export const refusedCreates: Recipe = fc
  .tuple(calmMs, few, fc.integer({ min: 1, max: 4 }))
  .map(([afterMs, replicas, requests]) => [
    scale(0, afterMs),
    strike({ fault: 'refuse', process: PROCESS, reason: 'Forbidden', requests }, 2_000),
    scale(replicas),
    nothing(5_000),
  ]);

/** Creates are rejected for so long that the status must report it. */
export const lastingRefusal: Recipe = fc
  .tuple(calmMs, few, fc.integer({ min: 13, max: 16 }))
  .map(([afterMs, replicas, requests]) => [
    scale(0, afterMs),
    strike({ fault: 'refuse', process: PROCESS, reason: 'Forbidden', requests }, 2_000),
    scale(replicas),
    nothing(60_000),
  ]);

/** Writes of a status are rejected, also the second attempt of a sync, and nothing else happens. */
export const refusedStatus: Recipe = fc
  .tuple(
    calmMs,
    few,
    fc.integer({ min: 2, max: 4 }),
    fc.constantFrom('InternalError' as const, 'Conflict' as const),
  )
  .map(([afterMs, replicas, requests, reason]) => [
    scale(replicas, afterMs),
    run(),
    strike({ fault: 'refuse', process: PROCESS, reason, requests, verb: 'updateStatus' }, 2_000),
    step({ do: 'flip', pod: 0 }),
    nothing(5_000),
  ]);

/** Some creates succeed, and then one of a batch is rejected. */
export const refusedInPart: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 12, max: 16 }), fc.integer({ min: 30, max: 110 }))
  .map(([afterMs, replicas, laterMs]) => [
    scale(0, afterMs),
    scale(replicas, 2_000),
    strike({ fault: 'refuse', process: PROCESS, reason: 'Forbidden', requests: 1 }, laterMs),
    nothing(5_000),
  ]);

/** The release of a pod is rejected for seconds; then the same sync releases it and writes the status. */
export const refusedRelease: Recipe = fc
  .tuple(calmMs, few, fc.integer({ min: 10, max: 12 }))
  .map(([afterMs, replicas, requests]) => [
    scale(replicas, afterMs),
    run(),
    strike({ fault: 'refuse', process: PROCESS, reason: 'InternalError', requests, verb: 'patch' }, 3_000),
    step({ do: 'relabel', pod: 0, to: 'nothing' }),
    nothing(15_000),
  ]);

/** An adoption or a release is rejected, and nothing else happens. */
export const refusedClaims: Recipe = fc
  .tuple(calmMs, few, fc.boolean(), fc.constantFrom(1, 2))
  .map(([afterMs, replicas, adopts, requests]) => [
    scale(replicas, afterMs),
    strike({ fault: 'refuse', process: PROCESS, reason: 'InternalError', requests }, 3_000),
    adopts ? step({ do: 'orphan', of: 'web' }) : step({ do: 'relabel', pod: 0, to: 'nothing' }),
    nothing(5_000),
  ]);

/** Scales from 0 to many pods. */
export const many: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 8, max: 20 }))
  .map(([afterMs, replicas]) => [scale(0, afterMs), scale(replicas, 2_000), nothing(5_000)]);

/** A delete gets no response and is not performed; then the pod is needed again, and others are deleted. */
export const wantedAgain: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 3, max: 5 }), fc.boolean())
  .map(([afterMs, replicas, runs]) => [
    scale(replicas, afterMs),
    ...(runs ? [run()] : []),
    strike({ fault: 'time-out', process: PROCESS, performed: false }, 2_000),
    scale(replicas - 1),
    scale(replicas, 30_000),
    step({ do: 'kill', pod: replicas - 1 }, 40_000),
    step({ do: 'kill', pod: replicas - 1 }, 2_000),
    nothing(20),
  ]);

/** A ReplicaSet is recreated while the pods of the first still exist. */
export const namesakes: Recipe = fc
  .tuple(calmMs, few, few, fc.integer({ min: 0, max: 2_000 }), fc.boolean())
  .map(([afterMs, first, second, laterMs, runs]) => [
    scale(first, afterMs),
    ...(runs ? [run()] : []),
    step({ do: 'delete', set: 'web', how: 'Background' }, 2_000),
    step({ do: 'create', set: 'web', replicas: second }, laterMs),
    nothing(5_000),
  ]);

/** A ReplicaSet is recreated, unobserved, before the status of the first would change. */
export const staleStatus: Recipe = fc
  .tuple(calmMs, few, few)
  .map(([afterMs, first, second]) => [
    scale(first + 1, afterMs),
    run(),
    holdBack('replicasets', 20_000, 2_000),
    step({ do: 'delete', set: 'web', how: 'Background' }, 100),
    step({ do: 'create', set: 'web', replicas: second }, 10),
    step({ do: 'flip', pod: 0 }, 100),
    nothing(25_000),
  ]);

/** A selected pod has another controller, before or after the ReplicaSet is created. */
export const strangers: Recipe = fc
  .tuple(calmMs, few, fc.boolean())
  .map(([afterMs, replicas, later]) => [
    step({ do: 'delete', set: 'web', how: 'Background' }, afterMs),
    step({ do: 'collect', pods: 9 }, 100),
    ...(later ? [] : [step({ do: 'stranger', of: 'web' })]),
    step({ do: 'create', set: 'web', replicas }, 1_000),
    ...(later ? [step({ do: 'stranger', of: 'web' }, 1_000)] : []),
    step({ do: 'kill', pod: 0 }, 2_000),
    nothing(2_000),
  ]);

/**
 * The controller waits for the event of a created pod, and meanwhile another pod is deleted. It may already have waited for an earlier
 * event.
 */
export const unseen: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 2, max: 4 }), fc.nat({ max: 3 }), fc.boolean())
  .map(([afterMs, replicas, pod, waited]) => [
    ...(waited ? [holdBack('pods', 5_000, afterMs)] : []),
    scale(0, waited ? 100 : afterMs),
    holdBack('pods', 400_000, 10_000),
    scale(replicas, 100),
    step({ do: 'kill', pod }, 5_000),
    nothing(350_000),
  ]);

/** Pods that it is about to delete or adopt have been replaced by pods with the same names, unobserved. */
export const sameNames: Recipe = fc
  .tuple(calmMs, few, fc.boolean())
  .map(([afterMs, replicas, adopts]) =>
    adopts
      ? [
          step({ do: 'delete', set: 'web', how: 'Background' }, afterMs),
          step({ do: 'collect', pods: 9 }, 100),
          step({ do: 'orphan', of: 'web' }, 100),
          holdBack('pods', 20_000, 2_000),
          step({ do: 'replace', pod: 0 }, 100),
          step({ do: 'create', set: 'web', replicas }, 100),
          nothing(25_000),
        ]
      : [
          scale(replicas, afterMs),
          run(),
          holdBack('pods', 20_000, 2_000),
          ...Array.from({ length: replicas }, (_, pod) => step({ do: 'replace', pod }, 10)),
          scale(0, 100),
          nothing(25_000),
        ],
  );

/** It adopts an orphan that has another owner, and later releases it. */
export const letGo: Recipe = fc
  .tuple(calmMs, few)
  .map(([afterMs, replicas]) => [
    step({ do: 'delete', set: 'web', how: 'Background' }, afterMs),
    step({ do: 'collect', pods: 9 }, 100),
    step({ do: 'orphan', of: 'web' }, 100),
    step({ do: 'create', set: 'web', replicas }, 1_000),
    ...[0, 1, 2, 3, 4].map((pod) => step({ do: 'relabel' as const, pod, to: 'nothing' as const }, 2_000)),
    nothing(2_000),
  ]);

/** It adopts an orphan, which is the only wanted pod, and observes no further events; then more pods are wanted. */
export const adoptedBlind: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 1, max: 3 }))
  .map(([afterMs, more]) => [
    step({ do: 'delete', set: 'web', how: 'Background' }, afterMs),
    step({ do: 'collect', pods: 9 }, 100),
    step({ do: 'orphan', of: 'web' }, 100),
    holdBack('pods', 20_000, 2_000),
    step({ do: 'create', set: 'web', replicas: 1 }, 100),
    scale(1 + more, 5_000),
    nothing(20_000),
  ]);

/**
 * It crashes, and restarts with an apiserver that lags far behind and shows as many pods as were wanted earlier. It observes the new
 * `spec.replicas` before the pods.
 */
export const restartedBehind: Recipe = fc
  .tuple(calmMs, few, few)
  .map(([afterMs, first, more]) => [
    scale(first, afterMs),
    strike({ fault: 'lag', replica: 1, forMs: 60_000 }, 5_000),
    scale(first + more, 100),
    strike({ fault: 'crash', process: PROCESS, skip: 0, performed: true, restartAfterMs: 200 }, 3_000),
    step({ do: 'kill', pod: 0 }, 100),
    strike({ fault: 'restart-apiserver', replica: 0, forMs: 20_000 }, 150),
    holdBack('pods', 80_000, 3_000),
    nothing(90_000),
  ]);

/** As many orphans as it takes a controller long to adopt. */
const ORPHANS = [1, 2, 3, 4, 5, 6];

/** It adopts orphans, one by one, and must then delete them as surplus; meanwhile a pod is deleted. Later another pod is deleted. */
export const goneMeanwhile: Recipe = fc
  .tuple(calmMs, few, fc.integer({ min: 130, max: 230 }))
  .map(([afterMs, replicas, laterMs]) => [
    scale(replicas, afterMs),
    run(),
    holdBack('pods', 500, 2_000),
    ...ORPHANS.map(() => step({ do: 'orphan', of: 'web' })),
    step({ do: 'kill', pod: 0 }, 500 + laterMs),
    step({ do: 'kill', pod: 0 }, 5_000),
    nothing(20),
  ]);

/**
 * It adopts scheduled orphans, one by one, and must then delete them as surplus; meanwhile a pod is marked for deletion, and keeps
 * terminating. Later another pod is deleted.
 */
export const terminatingMeanwhile: Recipe = fc
  .tuple(calmMs, few, fc.nat({ max: 2 }), fc.integer({ min: 130, max: 230 }))
  .map(([afterMs, replicas, pod, laterMs]) => [
    scale(replicas, afterMs),
    run(),
    holdBack('pods', 500, 2_000),
    ...ORPHANS.map(() => step({ do: 'orphan', of: 'web' })),
    step({ do: 'bind' }),
    step({ do: 'kill', pod }, 500 + laterMs),
    step({ do: 'kill', pod: 0 }, 5_000),
    nothing(20),
  ]);

/** A ReplicaSet starts with an orphan that the controller has not observed; later a pod is deleted. */
export const adoptedUnseen: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 2, max: 4 }), fc.nat({ max: 3 }))
  .map(([afterMs, replicas, pod]) => [
    step({ do: 'delete', set: 'web', how: 'Background' }, afterMs),
    step({ do: 'collect', pods: 9 }, 100),
    holdBack('pods', 20_000, 1_000),
    step({ do: 'orphan', of: 'web' }, 100),
    step({ do: 'create', set: 'web', replicas }, 100),
    step({ do: 'kill', pod }, 25_000),
    nothing(20),
  ]);
