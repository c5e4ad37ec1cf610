import fc from 'fast-check';
import type { Fault } from '../../../faults/index.ts';
import { crashes } from '../../../testing/arbitraries/faults.ts';
import {
  type Finalizer,
  type Operation,
  type Ownership,
  type Policy,
  PROCESS,
  policies,
  type Step,
} from '../operations.ts';
import { type PlaceName, placeOf } from '../scenario/places.ts';

/** The members of a family. */
export type Family = readonly [eldest: PlaceName, second: PlaceName, third: PlaceName, youngest: PlaceName];

/** Members of one family: each can own the later members, and the eldest is of another kind than the second. */
export const families = fc.constantFrom<Family>(
  ['configmap a/x', 'lease a/x', 'lease a/y', 'configmap a/y'],
  ['lease a/x', 'configmap a/x', 'configmap a/y', 'lease a/y'],
  ['node n', 'configmap b/x', 'lease b/z', 'configmap b/y'],
  ['priorityclass x', 'node n', 'configmap a/x', 'lease a/x'],
);

/** Whether dependents block their owners; mostly they do, because controllers create them so. */
export const blocking = fc.constantFrom(true, true, false);

/** Creates an object with these owners. */
export const put = (where: PlaceName, ...owners: readonly Ownership[]): Operation => ({
  put: where,
  owners,
  finalizers: [],
});
/** Makes a step: an operation, some time after the step before. */
export const at =
  (afterMs: number) =>
  (operation: Operation): Step => ({ afterMs, ...operation });

/** The collector's watches break off. */
export const cut = at(0)({ strike: { fault: 'cut-watches', process: PROCESS } });
/** The log is compacted: a watch must begin with a list. */
export const compact = at(0)({ strike: { fault: 'compact' } });

/** A delay that is short enough to hit the middle of other work. */
export const soon = fc.nat({ max: 60 });

/** The finalizers of an eldest: mostly none. */
const keepers = fc.constantFrom<readonly Finalizer[]>(
  [],
  [],
  [],
  [],
  ['example.com/hold'],
  ['orphan'],
  ['foregroundDeletion'],
);

/**
 * A parent and its descendants: a chain, siblings, a tree, a child with two parents, or a cycle.
 *
 * Each recipe is several steps, and a single step means little. Random operations also combine in this way, but so
 * rarely that a hundred runs would show nothing.
 */
export const family: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    families,
    blocking,
    fc.constantFrom('line', 'siblings', 'tree', 'two parents', 'circle'),
    keepers,
    fc.boolean(),
  )
  .map(([[eldest, second, third, youngest], blocks, shape, kept, holds]) => {
    const child = (where: PlaceName, ...owners: readonly PlaceName[]): Operation =>
      put(where, ...owners.map((to) => ({ to, blocks })));
    const parent: Operation = { put: eldest, owners: [], finalizers: kept };
    if (shape === 'two parents') return [parent, put(second), child(third, eldest, second)];
    const siblings = [parent, child(second, eldest), child(third, eldest)];
    if (shape === 'siblings') return siblings;
    const held: readonly Finalizer[] = holds ? ['example.com/hold'] : [];
    if (shape === 'tree') return [...siblings, { ...child(youngest, second), finalizers: held }];
    const line = [parent, child(second, eldest), child(third, second)];
    // A namespaced object cannot own a cluster-scoped one.
    const closing = [eldest, second, third].find((name) => name.includes('/')) ?? third;
    return shape === 'circle' ? [...line, child(closing, third)] : line;
  });

/** Faults that hit the collector just when it has work to do. */
const disturbances: fc.Arbitrary<readonly Fault[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  {
    weight: 3,
    arbitrary: fc
      .record({
        fault: fc.constant('refuse' as const),
        process: fc.constant(PROCESS),
        reason: fc.constantFrom('Conflict' as const, 'InternalError' as const, 'TooManyRequests' as const),
        requests: fc.integer({ min: 1, max: 6 }),
      })
      .map((fault) => [fault]),
  },
  { weight: 2, arbitrary: crashes(PROCESS).map((fault) => [fault]) },
  {
    weight: 1,
    arbitrary: fc.boolean().map((performed): Fault[] => [{ fault: 'time-out', process: PROCESS, performed }]),
  },
);

/** A family is created, and parts of it are deleted shortly after each other. */
const familyEndsAmid = (faults: fc.Arbitrary<readonly Fault[]>): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(
      family,
      faults,
      fc.array(fc.tuple(fc.constantFrom(0, 0, 1, 2), policies, soon), { minLength: 1, maxLength: 2 }),
      fc.constantFrom(0, 3, 1_000),
    )
    .map(([members, faults, ends, apartMs]) => {
      const named = members.flatMap((operation) => ('put' in operation ? [operation.put] : []));
      return [
        ...members.map(at(apartMs)),
        ...faults.map((strike) => at(0)({ strike })),
        ...ends.map(([which, policy, afterMs]) => at(afterMs)({ delete: named[which] as PlaceName, policy })),
      ];
    });

export const familyEnds = familyEndsAmid(disturbances);

/** The same without faults. */
export const familyEndsInPeace = familyEndsAmid(fc.constant([]));

/** Users delete an object, and soon delete it again with another policy. */
export const secondThoughts: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    families,
    fc.boolean(),
    fc.constantFrom<readonly [Policy, Policy]>(
      ['Foreground', 'Orphan'],
      ['Orphan', 'Foreground'],
      ['Foreground', 'Background'],
    ),
    fc.integer({ min: 20, max: 120 }),
  )
  .map(([[eldest, second], blocks, [first, then], afterMs]) => [
    at(0)(put(eldest)),
    at(0)(put(second, { to: eldest, blocks })),
    at(200)({ delete: eldest, policy: first }),
    at(afterMs)({ delete: eldest, policy: then }),
  ]);

/** A dependent whose owner was just deleted gets another owner, perhaps just in time. */
export const rescue: fc.Arbitrary<readonly Step[]> = fc
  .tuple(families, blocking, fc.integer({ min: 0, max: 120 }))
  .map(([[eldest, second, third], blocks, afterMs]) => {
    const [one, other] = second.includes('/') ? [second, third] : [third, second];
    return [
      at(0)(put(eldest)),
      at(0)(put(other)),
      at(0)(put(one, { to: eldest, blocks })),
      at(300)({ delete: eldest, policy: 'Background' }),
      at(afterMs)(put(one, { to: other, blocks })),
    ];
  });

/** The collector crashes with work to do, and meets faults when it restarts. */
export const comeback: fc.Arbitrary<readonly Step[]> = fc
  .tuple(family, policies, fc.nat({ max: 3 }), fc.boolean(), fc.integer({ min: 1, max: 12 }))
  .map(([members, policy, skip, performed, requests]) => [
    ...members.map(at(0)),
    at(200)({ strike: { fault: 'crash', process: PROCESS, skip, performed, restartAfterMs: 500 } }),
    at(0)({ strike: { fault: 'refuse', process: PROCESS, reason: 'InternalError', requests } }),
    ...members
      .slice(0, 1)
      .flatMap((operation) => ('put' in operation ? [at(0)({ delete: operation.put, policy })] : [])),
  ]);

/** A deletion, and immediately a new incarnation under the same name, perhaps while no watch is open. */
export const rebirth: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    families,
    blocking,
    policies,
    fc.constantFrom('seen', 'cut', 'forgotten', 'late'),
    soon,
    fc.constantFrom([], [0], [20], [5_000]),
  )
  .map(([[eldest, second, third], blocks, policy, how, afterMs, ends]) => {
    const heir: Ownership = { to: eldest, blocks };
    return [
      at(0)(put(eldest)),
      at(0)(put(second, heir)),
      at(afterMs)(put(second, heir)),
      ...(how === 'late' ? [delayed(eldest, 30_000)] : []),
      ...(how === 'cut' || how === 'forgotten' ? [cut] : []),
      at(0)({ delete: eldest, policy }),
      at(how === 'seen' ? afterMs : 0)(put(eldest)),
      at(0)(put(third, heir)),
      ...(how === 'forgotten' ? [compact] : []),
      ...ends.map((ms) => at(ms)({ delete: eldest, policy })),
    ];
  });

/** The collector observes a place late: events of its resource are delayed, events of others are not. */
export const delayed = (where: PlaceName, forMs: number): Step =>
  at(0)({
    strike: { fault: 'delay-watches', process: PROCESS, resource: placeOf(where).resource.plural, forMs },
  });

/** The wrong field of a reference. */
export const wrongly = fc.constantFrom('name' as const, 'kind' as const, 'version' as const, undefined);

/**
 * An owner is created and deleted unobserved; its dependents are observed, and one of them may reference it by a
 * wrong name.
 */
export const unseen: fc.Arbitrary<readonly Step[]> = fc
  .tuple(families, blocking, wrongly, fc.integer({ min: 100, max: 2_000 }))
  .map(([[eldest, second, third], blocks, wrong, afterMs]) => [
    delayed(eldest, 60_000),
    at(0)(put(eldest)),
    at(0)(put(second, { to: eldest, blocks, ...(wrong && { wrong }) })),
    at(0)(put(third, { to: eldest, blocks })),
    at(afterMs)({ delete: eldest, policy: 'Background' }),
    compact,
    cut,
  ]);

/**
 * Some of several dependents of one owner reference it by a wrong name, initially or later; and the owner may be
 * observed late.
 */
export const misnomer: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    families,
    fc.constantFrom('name' as const, 'kind' as const, 'version' as const),
    fc.constantFrom('first', 'last', 'later', 'corrected'),
    fc.constantFrom(0, 0, 3, 1_000),
    fc.constantFrom(0, 20, 60, 5_000),
    fc.integer({ min: 100, max: 10_000 }),
    fc.boolean(),
  )
  .map(([[eldest, second, third], wrong, when, apartMs, lateMs, afterMs, ends]) => {
    const right: Ownership = { to: eldest, blocks: false };
    const mistaken: Ownership = { ...right, wrong };
    const [one, two] = when === 'first' || when === 'corrected' ? [mistaken, right] : [right, mistaken];
    const changes = when === 'later' || when === 'corrected';
    return [
      ...(lateMs > 0 ? [delayed(eldest, lateMs)] : []),
      at(0)(put(eldest)),
      at(apartMs)(put(second, one)),
      at(apartMs)(put(third, changes ? right : two)),
      ...(changes ? [at(afterMs)(put(second, two))] : []),
      ...(ends ? [at(afterMs)({ delete: eldest, policy: 'Background' })] : []),
    ];
  });

/** One of two owners is deleted while the other is unknowable; then the reference to the unknowable one is removed. */
export const verdict: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.constantFrom('version' as const, undefined), fc.integer({ min: 100, max: 10_000 }))
  .map(([wrong, afterMs]) => {
    const known: Ownership = { to: 'priorityclass x', blocks: true };
    // A namespaced object cannot own a node.
    const unknown: Ownership = wrong
      ? { to: 'priorityclass x', blocks: false, wrong }
      : { to: 'configmap a/x', blocks: false };
    const owner: PlaceName = wrong ? 'configmap a/x' : 'priorityclass x';
    const dependent: PlaceName = wrong ? 'configmap a/y' : 'node n';
    return [
      at(0)(put('priorityclass x')),
      at(0)(put('configmap a/x')),
      at(0)(put(dependent, { ...known, to: owner }, unknown)),
      at(1_000)({ delete: owner, policy: 'Background' }),
      at(afterMs)(put(dependent, { ...known, to: owner })),
    ];
  });
