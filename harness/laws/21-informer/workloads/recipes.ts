import fc from 'fast-check';
import type { Fault, WatchFailure } from '../../../faults/index.ts';
import { pauses } from '../../../testing/arbitraries/time.ts';
import {
  type Group,
  type Name,
  names,
  type Operation,
  type Pair,
  PROCESS,
  type Step,
  steps,
  type Write,
  writes,
} from '../operations.ts';

/** Generates the steps that lead to one situation. */
export type Recipe = fc.Arbitrary<readonly Step[]>;

const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });
const step = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
const wait = (afterMs: number): Step => step({ wait: true }, afterMs);
const put = (name: Name, afterMs = 0, group: Group = 'red'): Step =>
  step({ write: 'put', name, group }, afterMs);
const recreate = (name: Name, afterMs = 0): Step => step({ write: 'recreate', name, group: 'red' }, afterMs);
const remove = (name: Name, afterMs = 0): Step => step({ write: 'delete', name, group: 'red' }, afterMs);
const elsewhere = (afterMs = 0): Step => step({ write: 'elsewhere' }, afterMs);
const cut = (afterMs = 0): Step => strike({ fault: 'cut-watches', process: PROCESS }, afterMs);
const fail = (reason: WatchFailure = 'InternalError', afterMs = 0): Step =>
  strike({ fault: 'fail-watches', process: PROCESS, reason }, afterMs);
const compact = (afterMs = 0): Step => strike({ fault: 'compact' }, afterMs);

const anyName = fc.constantFrom(...names);
/** Long enough for all activity to end. */
const calmMs = fc.integer({ min: 3_000, max: 8_000 });
const few = fc.array(steps(writes, fc.constant(0)), { minLength: 1, maxLength: 3 });

/**
 * The stream breaks, objects change, and perhaps the server compacts, all before a watch is open again.
 *
 * Random faults coincide in this way, too, but so rarely that a hundred random scenarios would find nothing.
 */
export const gap: Recipe = fc
  .tuple(pauses, few, fc.constantFrom([], [compact()]))
  .map(([afterMs, missed, forgets]) => [cut(afterMs), ...missed, ...forgets]);

/** While no watch is open, objects are deleted, changed and created; then the server compacts. */
export const deaths: Recipe = fc
  .tuple(calmMs, fc.shuffledSubarray([...names], { minLength: 4 }), fc.boolean())
  .map(([afterMs, [one = 'a', two = 'b', three = 'c', four = 'a'], both]) => [
    remove(four),
    put(one),
    put(two, 1),
    put(three, 1),
    cut(afterMs),
    remove(one),
    ...(both ? [remove(two)] : [put(two)]),
    put(three),
    put(four),
    compact(),
    wait(5_000),
  ]);

/** While no watch is open, an object is deleted and another one of its name created. */
export const reborn: Recipe = fc
  .tuple(calmMs, anyName, fc.boolean(), few)
  .map(([afterMs, name, twice, others]) => [
    put(name),
    cut(afterMs),
    recreate(name),
    ...(twice ? [recreate(name)] : []),
    ...others,
    compact(),
    wait(5_000),
  ]);

/** The same while a watch is open: the object is created again at once, or a moment later. */
export const rebornInSight: Recipe = fc
  .tuple(calmMs, anyName, fc.integer({ min: 0, max: 3 }), few)
  .map(([afterMs, name, gapMs, others]) => [
    put(name),
    remove(name, afterMs),
    put(name, gapMs),
    recreate(name, gapMs),
    ...others,
    wait(2_000),
  ]);

/** The informer moves to another server, and later returns to a server at an older revision. */
export const staleReplica: Recipe = fc
  .tuple(pauses, anyName, fc.array(steps(writes, fc.nat({ max: 12 })), { maxLength: 2 }))
  .map(([afterMs, name, seenElsewhere]) => [
    strike({ fault: 'restart-apiserver', replica: 0, forMs: 100 }, afterMs),
    put(name, 5_000),
    strike({ fault: 'lag', replica: 0, forMs: 60_000 }, 50),
    put(name),
    ...seenElsewhere,
    fail('InternalError', 50),
  ]);

/** The informer requests a version that its server does not have yet, and will not have for a long time. */
export const tooLarge: Recipe = fc.tuple(calmMs, anyName, fc.boolean()).map(([afterMs, name, dies]) => [
  put(name),
  // The informer moves to the other server, which has newer revisions.
  strike({ fault: 'restart-apiserver', replica: 0, forMs: 100 }, afterMs),
  wait(3_000),
  strike({ fault: 'lag', replica: 0, forMs: 600_000 }),
  put('b'),
  put('c'),
  // And returns.
  strike({ fault: 'restart-apiserver', replica: 1, forMs: 600_000 }, 100),
  ...(dies ? [remove(name)] : [put(name)]),
  fail('InternalError', 3_000),
  wait(120_000),
]);

/** The watch reports that its version has expired, on a server that lags behind the informer. */
export const expiredBehind: Recipe = fc
  .tuple(calmMs, anyName)
  .map(([afterMs, name]) => [
    put(name),
    strike({ fault: 'restart-apiserver', replica: 0, forMs: 100 }, afterMs),
    wait(3_000),
    strike({ fault: 'lag', replica: 0, forMs: 60_000 }),
    put(name),
    put('c'),
    strike({ fault: 'restart-apiserver', replica: 1, forMs: 60_000 }, 100),
    fail('Expired', 3_000),
    wait(20_000),
  ]);

/** The server refuses a list at the informer's version, because it no longer has it. */
export const expiredList: Recipe = fc
  .tuple(calmMs, few, fc.constantFrom<WatchFailure>('Expired', 'InternalError'), fc.constantFrom(1, 2))
  .map(([afterMs, others, reason, requests]) => [
    ...others,
    strike({ fault: 'refuse', process: PROCESS, reason: 'Expired', requests }, afterMs),
    fail(reason),
    ...others,
    wait(5_000),
  ]);

/** The server reports Expired to a streaming list, at once or in the middle of it. */
export const expiredStream: Recipe = fc
  .tuple(calmMs, few, fc.integer({ min: 1, max: 2 }), fc.nat({ max: 2 }))
  .map(([afterMs, others, watches, events]) => [
    ...others,
    step({ trick: 'end', watches, events, error: 'Expired' }, afterMs),
    fail(),
    ...others,
    wait(5_000),
  ]);

/** Other resources change for longer than the period of bookmarks; then the watch breaks. */
export const quiet: Recipe = fc
  .integer({ min: 60_000, max: 200_000 })
  .map((afterMs) => [elsewhere(), cut(afterMs)]);

/** The same for an hour, and then a compaction. */
export const quietHour: Recipe = fc
  .tuple(fc.integer({ min: 60, max: 70 }), fc.constantFrom(cut(), wait(700_000)))
  .map(([minutes, ends]) => [
    elsewhere(),
    ...Array.from({ length: minutes / 10 }, () => elsewhere(600_000)),
    wait(100_000),
    compact(),
    ends,
    wait(5_000),
  ]);

/** All apiservers are down for a while. */
export const outage: Recipe = fc
  .tuple(pauses, fc.integer({ min: 20_000, max: 60_000 }))
  .map(([afterMs, forMs]) => [
    strike({ fault: 'restart-apiserver', replica: 0, forMs }, afterMs),
    strike({ fault: 'restart-apiserver', replica: 1, forMs }),
  ]);

/** All apiservers are down until waits have reached their maximum. */
export const longOutage: Recipe = fc
  .tuple(calmMs, few)
  .map(([afterMs, others]) => [
    ...others,
    strike({ fault: 'restart-apiserver', replica: 0, forMs: 500_000 }, afterMs),
    strike({ fault: 'restart-apiserver', replica: 1, forMs: 500_000 }),
    put('a', 1_000),
    wait(500_000),
  ]);

/** The server fails for a while, works for a long time, and then fails again. */
export const storm: Recipe = fc
  .tuple(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 250_000, max: 400_000 }))
  .map(([requests, afterMs]) => [
    strike({ fault: 'refuse', process: PROCESS, reason: 'InternalError', requests }),
    fail(),
    fail('InternalError', afterMs),
  ]);

/** The server fails until waits have grown. */
export const trouble: Recipe = fc
  .tuple(
    calmMs,
    fc.integer({ min: 8, max: 12 }),
    fc.constantFrom('InternalError' as const, 'ServiceUnavailable' as const),
  )
  .map(([afterMs, requests, reason]) => [
    strike({ fault: 'refuse', process: PROCESS, reason, requests }, afterMs),
    fail(),
    wait(120_000),
  ]);

/** Lists succeed, but each watch is forbidden, until waits have grown. */
export const forbidden: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 12, max: 15 }), few)
  .map(([afterMs, watches, others]) => [
    step({ trick: 'forbid', watches }, afterMs),
    cut(),
    ...others,
    wait(120_000),
  ]);

/** An object moves from two groups to two others, and back. */
export const regrouped: Recipe = fc
  .tuple(
    calmMs,
    anyName,
    fc.shuffledSubarray<Pair>(['red-blue', 'blue-green', 'red-green'], { minLength: 3 }),
    fc.boolean(),
  )
  .map(([afterMs, name, [first = 'red-blue', ...pairs], unseen]) => [
    put(name, afterMs, first),
    // In the second case, a list brings the change, not a watch.
    ...pairs.flatMap((pair) => [...(unseen ? [cut(2_000)] : []), put(name, unseen ? 0 : 1_000, pair)]),
    put(name, 2_000, first),
    wait(2_000),
  ]);

/** The server is too busy, at the start or later, with or without a long Retry-After. */
export const busy: Recipe = fc
  .tuple(fc.oneof(fc.constant(0), calmMs), fc.integer({ min: 1, max: 4 }), fc.boolean(), fc.boolean(), few)
  .map(([afterMs, requests, isOpen, isSoon, others]) => [
    wait(afterMs),
    isSoon
      ? strike({ fault: 'refuse', process: PROCESS, reason: 'TooManyRequests', requests })
      : step({ trick: 'busy', requests }),
    isOpen ? fail('TooManyRequests') : cut(),
    ...others,
    wait(100_000),
  ]);

/** The server is too busy, with a Retry-After of 20 s; the next step, such as the abort, follows soon. */
export const inAWait: Recipe = fc
  .integer({ min: 10, max: 4_000 })
  .map((afterMs) => [step({ trick: 'busy', requests: 4 }), cut(), wait(afterMs)]);

/** The watch ends with each kind of error in turn. */
export const errors: Recipe = fc
  .tuple(
    fc.shuffledSubarray<WatchFailure>(['Expired', 'InternalError', 'TooManyRequests', 'Timeout'], {
      minLength: 4,
    }),
    calmMs,
    few,
  )
  .map(([reasons, afterMs, others]) =>
    reasons.flatMap((reason) => [fail(reason, afterMs), ...others, wait(5_000)]),
  );

/** Watches end early: at once, or in the middle of the initial events. */
export const cutStreams: Recipe = fc
  .tuple(fc.oneof(fc.constant(0), calmMs), fc.integer({ min: 1, max: 4 }), fc.nat({ max: 2 }), few)
  .map(([afterMs, watches, events, others]) => [
    wait(afterMs),
    step({ trick: 'end', watches, events }),
    ...(afterMs === 0 ? [] : [fail('Expired')]),
    ...others,
    wait(20_000),
  ]);

/** A watch ends as soon as it is open, again and again. */
export const shortWatches: Recipe = fc
  .tuple(calmMs, fc.integer({ min: 3, max: 8 }), few)
  .map(([afterMs, watches, others]) => [
    step({ trick: 'end', watches, events: 0 }, afterMs),
    cut(),
    ...others,
    wait(60_000),
  ]);

/** A watch stays open but brings no more events. */
export const deaf: Recipe = fc
  .tuple(calmMs, few, few)
  .map(([afterMs, before, after]) => [...before, step({ trick: 'deafen' }, afterMs), ...after, wait(1_000)]);

/** A watch brings the deletion of an object that never existed. */
export const neverSeen: Recipe = fc
  .tuple(fc.oneof(fc.constant(0), calmMs), few, few)
  .map(([afterMs, before, after]) => [
    ...before,
    step({ trick: 'deletion' }, afterMs),
    put('a', 10),
    ...after,
    wait(2_000),
  ]);

/** Many writes, in quick and slow succession. */
export const bustle: Recipe = fc
  .array(
    steps(writes as fc.Arbitrary<Write>, fc.oneof(fc.nat({ max: 3 }), fc.integer({ min: 500, max: 3_000 }))),
    {
      minLength: 6,
      maxLength: 12,
    },
  )
  .map((all) => [...all, wait(5_000)]);

/** The first list takes long: the server lags, restarts, fails or times out. */
export const slowStart: Recipe = fc
  .tuple(
    fc.constantFrom<Fault>(
      { fault: 'restart-apiserver', replica: 0, forMs: 6_000 },
      { fault: 'lag', replica: 0, forMs: 6_000 },
      { fault: 'refuse', process: PROCESS, reason: 'ServiceUnavailable', requests: 3 },
      { fault: 'time-out', process: PROCESS, performed: true },
    ),
    few,
    few,
  )
  .map(([fault, first, second]) => [strike(fault), ...first, wait(3_000), ...second, wait(5_000)]);

/** `run` is called a second time. */
export const again: Recipe = fc
  .tuple(fc.oneof(fc.constant(0), fc.constant(1), calmMs), few)
  .map(([afterMs, others]) => [step({ call: 'run' }, afterMs), ...others, wait(5_000)]);

/** No object exists at first, and for a while. */
export const nothing: Recipe = fc
  .tuple(calmMs, few)
  .map(([afterMs, others]) => [wait(afterMs), ...others, wait(1_000)]);

/** The events of the watch arrive late, while the informer continues. */
export const heldBack: Recipe = fc
  .tuple(fc.oneof(fc.constant(1), calmMs), fc.integer({ min: 1_000, max: 5_000 }), few, few)
  .map(([afterMs, forMs, first, second]) => [
    ...first,
    strike({ fault: 'delay-watches', process: PROCESS, forMs }, afterMs),
    ...second,
    wait(forMs + 1_000),
  ]);

/** A bookmark comes between changes, about a minute after the watch was opened. */
export const bookmarkAmidChanges: Recipe = fc
  .array(fc.tuple(anyName, fc.integer({ min: 1, max: 3 })), { minLength: 8, maxLength: 10 })
  .map((all) => [wait(59_992), ...all.map(([name, afterMs]) => put(name, afterMs)), wait(1_000)]);

/** For the first half minute, no server is up. */
export const lateStart: Recipe = few.map((others) => [
  strike({ fault: 'restart-apiserver', replica: 0, forMs: 25_000 }),
  ...others,
  wait(40_000),
]);

/** A streaming list ends half-way, and its objects are deleted before the next one. */
export const halfLists: Recipe = fc
  .tuple(
    fc.oneof(fc.constant(0), calmMs),
    fc.integer({ min: 1, max: 2 }),
    fc.constantFrom<WatchFailure>('TooManyRequests', 'InternalError'),
  )
  .map(([afterMs, events, error]) => [
    wait(afterMs),
    step({ trick: 'end', watches: 1, events, error }),
    ...(afterMs === 0 ? [] : [fail()]),
    wait(afterMs === 0 ? 10 : 1_700),
    ...names.map((name) => remove(name)),
    put('c', 20_000),
    fail(),
    wait(10_000),
  ]);

/** The next list gets no answer. */
export const hanging: Recipe = fc
  .tuple(calmMs, few)
  .map(([afterMs, others]) => [
    ...others,
    strike({ fault: 'time-out', process: PROCESS, performed: false }, afterMs),
    fail(),
    wait(10_000),
  ]);
