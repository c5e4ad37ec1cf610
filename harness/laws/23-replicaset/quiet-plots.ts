import fc from 'fast-check';
import { calmMs, few, holdBack, type Plot, scale, step, strike } from './plots.ts';
import { PROCESS } from './step.ts';

/*
 * Lives that end in silence: after the step that matters nothing happens that would wake a controller which missed it, or which
 * waits for something that never comes.
 */

const nothing = (afterMs: number) => step({ do: 'nothing' }, afterMs);
const run = (afterMs = 1_000) => step({ do: 'run' }, afterMs);

/** A pod is gone at once, deleted or detached; its successor is due at once. */
export const goneAtOnce: Plot = fc
  .tuple(calmMs, few, fc.nat({ max: 4 }), fc.boolean(), fc.constantFrom('kill' as const, 'detach' as const))
  .map(([afterMs, replicas, pod, runs, how]) => [
    scale(replicas, afterMs),
    ...(runs ? [run()] : []),
    step(how === 'detach' ? { do: 'detach', pod } : { do: 'kill', pod, force: runs }, 3_000),
    nothing(20),
  ]);

/** A pod fails for good, and a failed pod stays. */
export const failing: Plot = fc
  .tuple(calmMs, few, fc.nat({ max: 4 }))
  .map(([afterMs, replicas, pod]) => [
    scale(replicas, afterMs),
    run(),
    step({ do: 'fail', pod }, 2_000),
    nothing(2_000),
  ]);

/** As soon as pods are created one of them is deleted. */
export const goneEarly: Plot = fc
  .tuple(calmMs, fc.integer({ min: 2, max: 5 }), fc.nat({ max: 4 }), fc.integer({ min: 300, max: 2_000 }))
  .map(([afterMs, replicas, pod, laterMs]) => [
    scale(0, afterMs),
    scale(replicas, 1_000),
    step({ do: 'kill', pod }, laterMs),
    nothing(20),
  ]);

/** A pod loses its labels, is let go, and gets them back. */
export const strays: Plot = fc
  .tuple(calmMs, few, fc.nat({ max: 4 }), fc.boolean())
  .map(([afterMs, replicas, pod, runs]) => [
    scale(replicas, afterMs),
    ...(runs ? [run()] : []),
    step({ do: 'relabel', pod, to: 'nobody' }, 2_000),
    step({ do: 'return' }, 4_000),
    nothing(20),
  ]);

/** Pods stop slowly: those that were deleted are marked, and stay. Then another is lost. */
export const slowStops: Plot = fc
  .tuple(calmMs, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 2 }), fc.nat({ max: 2 }))
  .map(([afterMs, left, more, pod]) => [
    scale(left + more, afterMs),
    run(),
    scale(left, 2_000),
    step({ do: 'kill', pod }, 2_000),
    nothing(20),
  ]);

/** Pods become available by time alone. */
export const byTimeAlone: Plot = fc
  .tuple(calmMs, few, fc.boolean())
  .map(([afterMs, replicas, flips]) => [
    step({ do: 'create', set: 'canary', replicas }, afterMs),
    run(2_000),
    ...(flips ? [step({ do: 'flip', pod: 0 }, 3_000), step({ do: 'flip', pod: 0 }, 4_000)] : []),
    nothing(1_000),
  ]);

/** Deletions are refused, and nothing else happens. */
export const refusedDeletes: Plot = fc
  .tuple(calmMs, fc.integer({ min: 2, max: 4 }), fc.constantFrom(1, 2), fc.boolean())
  .map(([afterMs, replicas, requests, runs]) => [
    scale(replicas, afterMs),
    ...(runs ? [run()] : []),
    strike({ fault: 'refuse', process: PROCESS, reason: 'TooManyRequests', requests }, 2_000),
    scale(replicas - 1),
    nothing(5_000),
  ]);

/** Creates are refused, and nothing else happens. */
export const refusedCreates: Plot = fc
  .tuple(calmMs, few, fc.integer({ min: 1, max: 4 }))
  .map(([afterMs, replicas, requests]) => [
    scale(0, afterMs),
    strike({ fault: 'refuse', process: PROCESS, reason: 'Forbidden', requests }, 2_000),
    scale(replicas),
    nothing(5_000),
  ]);

/** An adoption or a release is refused, and nothing else happens. */
export const refusedClaims: Plot = fc
  .tuple(calmMs, few, fc.boolean(), fc.constantFrom(1, 2))
  .map(([afterMs, replicas, adopts, requests]) => [
    scale(replicas, afterMs),
    strike({ fault: 'refuse', process: PROCESS, reason: 'InternalError', requests }, 3_000),
    adopts ? step({ do: 'orphan', of: 'web' }) : step({ do: 'relabel', pod: 0, to: 'nobody' }),
    nothing(5_000),
  ]);

/** Many pods, from none. */
export const many: Plot = fc
  .tuple(calmMs, fc.integer({ min: 8, max: 20 }))
  .map(([afterMs, replicas]) => [scale(0, afterMs), scale(replicas, 2_000), nothing(5_000)]);

/** A delete is never answered, and was not done; the pod is wanted again, and others are lost. */
export const wantedAgain: Plot = fc
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

/** A ReplicaSet is made again under its name while the pods of the first are there. */
export const namesakes: Plot = fc
  .tuple(calmMs, few, few, fc.integer({ min: 0, max: 2_000 }), fc.boolean())
  .map(([afterMs, first, second, laterMs, runs]) => [
    scale(first, afterMs),
    ...(runs ? [run()] : []),
    step({ do: 'delete', set: 'web', how: 'Background' }, 2_000),
    step({ do: 'create', set: 'web', replicas: second }, laterMs),
    nothing(5_000),
  ]);

/** A pod that something else controls is there before the ReplicaSet. */
export const strangers: Plot = fc
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
 * It waits for a pod that it created and does not see, and another of them is lost meanwhile. A little earlier it may have waited for
 * something else.
 */
export const unseen: Plot = fc
  .tuple(calmMs, fc.integer({ min: 2, max: 4 }), fc.nat({ max: 3 }), fc.boolean())
  .map(([afterMs, replicas, pod, waited]) => [
    ...(waited ? [holdBack('pods', 5_000, afterMs)] : []),
    scale(0, waited ? 100 : afterMs),
    holdBack('pods', 400_000, 10_000),
    scale(replicas, 100),
    step({ do: 'kill', pod }, 5_000),
    nothing(350_000),
  ]);

/** A ReplicaSet begins with an orphan that its controller has not heard of; later it loses a pod. */
export const adoptedUnseen: Plot = fc
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
