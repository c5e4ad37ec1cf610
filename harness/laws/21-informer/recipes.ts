import fc from 'fast-check';
import type { Fault, WatchFailure } from '../../faults/index.ts';
import { pauses } from '../../testing/arbitraries/time.ts';
import {
  type Group,
  type Name,
  names,
  type Operation,
  PROCESS,
  type Step,
  steps,
  type Write,
  writes,
} from './step.ts';

/** What happens, step by step. */
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
/** Enough for whatever is under way to be over. */
const calmMs = fc.integer({ min: 3_000, max: 8_000 });
const few = fc.array(steps(writes, fc.constant(0)), { minLength: 1, maxLength: 3 });

/**
 * The stream breaks, things happen, and the server forgets them, all before a watch is open again.
 *
 * What goes wrong in several steps, each of which does little by itself. Faults at random come together in this way
 * too, but so seldom that a test of a hundred lives would find nothing.
 */
export const gap: Recipe = fc
  .tuple(pauses, few, fc.constantFrom([], [compact()]))
  .map(([afterMs, missed, forgets]) => [cut(afterMs), ...missed, ...forgets]);

/** While nothing watches, some objects vanish, one changes, one comes; and then the server knows nothing of it any more. */
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

/** While nothing watches, an object goes and another of the same name comes. */
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

/** The same before the eyes of the informer: it goes and comes at once, or a moment later. */
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

/** The informer moves to another server for a while, and comes back to one that has seen less. */
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

/** It asks a server for a version that this one does not have, and will not have for a long time. */
export const tooLarge: Recipe = fc.tuple(calmMs, anyName, fc.boolean()).map(([afterMs, name, dies]) => [
  put(name),
  // It goes to the other one, which sees more.
  strike({ fault: 'restart-apiserver', replica: 0, forMs: 100 }, afterMs),
  wait(3_000),
  strike({ fault: 'lag', replica: 0, forMs: 600_000 }),
  put('b'),
  put('c'),
  // And comes back.
  strike({ fault: 'restart-apiserver', replica: 1, forMs: 600_000 }, 100),
  ...(dies ? [remove(name)] : [put(name)]),
  fail('InternalError', 3_000),
  wait(120_000),
]);

/** A list at the version that it has is refused: the server no longer has it. */
export const expiredList: Recipe = fc
  .tuple(calmMs, few, fc.constantFrom<WatchFailure>('Expired', 'InternalError'), fc.constantFrom(1, 2))
  .map(([afterMs, others, reason, requests]) => [
    ...others,
    strike({ fault: 'refuse', process: PROCESS, reason: 'Expired', requests }, afterMs),
    fail(reason),
    ...others,
    wait(5_000),
  ]);

/** A streaming list is told that its version is gone, at once or in the middle of it. */
export const expiredStream: Recipe = fc
  .tuple(calmMs, few, fc.integer({ min: 1, max: 2 }), fc.nat({ max: 2 }))
  .map(([afterMs, others, watches, events]) => [
    ...others,
    step({ trick: 'end', watches, events, error: 'Expired' }, afterMs),
    fail(),
    ...others,
    wait(5_000),
  ]);

/** Nothing happens to what it watches, but much elsewhere, for longer than a bookmark takes; then all that is forgotten. */
export const quiet: Recipe = fc
  .integer({ min: 60_000, max: 200_000 })
  .map((afterMs) => [elsewhere(), cut(afterMs)]);

/** An hour of that. */
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

/** No apiserver is there. */
export const outage: Recipe = fc
  .tuple(pauses, fc.integer({ min: 20_000, max: 60_000 }))
  .map(([afterMs, forMs]) => [
    strike({ fault: 'restart-apiserver', replica: 0, forMs }, afterMs),
    strike({ fault: 'restart-apiserver', replica: 1, forMs }),
  ]);

/** For so long that no wait may grow any more. */
export const longOutage: Recipe = fc
  .tuple(calmMs, few)
  .map(([afterMs, others]) => [
    ...others,
    strike({ fault: 'restart-apiserver', replica: 0, forMs: 500_000 }, afterMs),
    strike({ fault: 'restart-apiserver', replica: 1, forMs: 500_000 }),
    put('a', 1_000),
    wait(500_000),
  ]);

/** The server is in trouble for a while, well for a long time, and then in trouble again. */
export const storm: Recipe = fc
  .tuple(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 250_000, max: 400_000 }))
  .map(([requests, afterMs]) => [
    strike({ fault: 'refuse', process: PROCESS, reason: 'InternalError', requests }),
    fail(),
    fail('InternalError', afterMs),
  ]);

/** The server is in trouble until waits have grown. */
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

/** The server has too much to do, at the start or later, and says when to come back: soon, or not so soon. */
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

/** The server is too busy and says to come back in 20 s; soon after that, something else happens, as the end does. */
export const inAWait: Recipe = fc
  .integer({ min: 10, max: 4_000 })
  .map((afterMs) => [step({ trick: 'busy', requests: 4 }), cut(), wait(afterMs)]);

/** The watch ends with an error, of each kind. */
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

/** Watches end early: at once, or in the middle of what a streaming list begins with. */
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

/** A watch brings nothing any more, and lasts. */
export const deaf: Recipe = fc
  .tuple(calmMs, few, few)
  .map(([afterMs, before, after]) => [...before, step({ trick: 'deafen' }, afterMs), ...after, wait(1_000)]);

/** A watch brings the deletion of an object that there never was. */
export const neverSeen: Recipe = fc
  .tuple(fc.oneof(fc.constant(0), calmMs), few, few)
  .map(([afterMs, before, after]) => [
    ...before,
    step({ trick: 'deletion' }, afterMs),
    put('a', 10),
    ...after,
    wait(2_000),
  ]);

/** Much happens, fast and slowly, for handlers to be told. */
export const bustle: Recipe = fc
  .array(
    steps(writes as fc.Arbitrary<Write>, fc.oneof(fc.nat({ max: 3 }), fc.integer({ min: 500, max: 3_000 }))),
    {
      minLength: 6,
      maxLength: 12,
    },
  )
  .map((all) => [...all, wait(5_000)]);

/** The first list takes its time: the server is late, or away, or in trouble. */
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

/** It is started a second time. */
export const again: Recipe = fc
  .tuple(fc.oneof(fc.constant(0), fc.constant(1), calmMs), few)
  .map(([afterMs, others]) => [step({ call: 'run' }, afterMs), ...others, wait(5_000)]);

/** There is nothing at first, and nothing for a while. */
export const nothing: Recipe = fc
  .tuple(calmMs, few)
  .map(([afterMs, others]) => [wait(afterMs), ...others, wait(1_000)]);

/** What comes from the watch is held back, while the informer goes on. */
export const heldBack: Recipe = fc
  .tuple(fc.oneof(fc.constant(1), calmMs), fc.integer({ min: 1_000, max: 5_000 }), few, few)
  .map(([afterMs, forMs, first, second]) => [
    ...first,
    strike({ fault: 'delay-watches', process: PROCESS, forMs }, afterMs),
    ...second,
    wait(forMs + 1_000),
  ]);

/** A bookmark comes in the middle of changes: a minute after the watch was opened, some ms more or less. */
export const bookmarkAmidChanges: Recipe = fc
  .array(fc.tuple(anyName, fc.integer({ min: 1, max: 3 })), { minLength: 8, maxLength: 10 })
  .map((all) => [wait(59_992), ...all.map(([name, afterMs]) => put(name, afterMs)), wait(1_000)]);

/** For half a minute there is no server at all. */
export const lateStart: Recipe = few.map((others) => [
  strike({ fault: 'restart-apiserver', replica: 0, forMs: 25_000 }),
  ...others,
  wait(40_000),
]);

/** Half of a streaming list came, and what was in it is deleted before the next one. */
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

/** The next list is not answered. */
export const hanging: Recipe = fc
  .tuple(calmMs, few)
  .map(([afterMs, others]) => [
    ...others,
    strike({ fault: 'time-out', process: PROCESS, performed: false }, afterMs),
    fail(),
    wait(10_000),
  ]);
