import fc from 'fast-check';
import { type Operation, type Ownership, type Policy, PROCESS, policies, type Step } from '../operations.ts';
import type { PlaceName } from '../scenario/places.ts';
import { at, blocking, compact, cut, delayed, families, put, soon } from './recipes.ts';

/*
 * Scenarios that end quiescent: after the relevant step, nothing happens that would rescue a collector which missed
 * it. A fault, if any, is part of the recipe.
 */

/** The steps, and the objects that exist before the collector starts. */
export type Recipe = fc.Arbitrary<{
  readonly present?: readonly Operation[];
  readonly steps: readonly Step[];
}>;

const hold = ['example.com/hold'] as const;

/**
 * Two owners of one object, and another dependent that one of them may have in another namespace. One of the owners
 * is deleted.
 */
export const twoOwners: Recipe = fc
  .tuple(
    fc.constantFrom<readonly [PlaceName, PlaceName, PlaceName]>(
      ['configmap a/x', 'lease a/x', 'configmap a/y'],
      ['lease a/x', 'configmap a/x', 'lease a/y'],
      ['node n', 'configmap a/x', 'lease a/x'],
      ['priorityclass x', 'lease a/x', 'configmap a/x'],
    ),
    blocking,
    fc.boolean(),
    policies,
    fc.boolean(),
    fc.constantFrom('none', 'far', 'held'),
  )
  .map(([[stays, goes, child], blocks, unblocks, policy, isReborn, also]) => {
    const far: PlaceName = 'configmap b/y';
    return {
      steps: [
        at(0)(put(stays)),
        ...(isReborn
          ? [
              at(0)(put('configmap b/x', { to: stays, blocks })),
              at(0)(put('lease a/y', { to: stays, blocks })),
              at(300)({ delete: stays, policy: 'Background' }),
              at(300)(put(stays)),
            ]
          : []),
        at(100)(put(goes)),
        ...(also === 'far' ? [at(0)(put(far, { to: stays, blocks }))] : []),
        ...(also === 'held' ? [at(0)({ ...put('lease b/z', { to: goes, blocks }), finalizers: hold })] : []),
        at(300)(put(child, { to: stays, blocks: unblocks }, { to: goes, blocks })),
        at(1_000)({ delete: goes, policy }),
      ],
    };
  });

/**
 * An owner waits for a dependent with a foreign finalizer; then the dependent stops blocking it in one of several
 * ways.
 */
export const unblocked: Recipe = fc
  .tuple(
    families.filter(([, second]) => second.includes('/')),
    fc.constantFrom('flag', 'flag', 'owner', 'none'),
    soon,
  )
  .map(([[eldest, second, third], how, afterMs]) => {
    const owners: Readonly<Record<string, readonly Ownership[]>> = {
      flag: [{ to: eldest, blocks: false }],
      owner: [{ to: third, blocks: true }],
    };
    return {
      steps: [
        at(0)(put(eldest)),
        at(0)(put(third)),
        at(0)({ ...put(second, { to: eldest, blocks: true }), finalizers: hold }),
        at(300)({ delete: eldest, policy: 'Foreground' }),
        at(300 + afterMs)(put(second, ...(owners[how] ?? []))),
      ],
    };
  });

/**
 * An owner waits for a dependent with a foreign finalizer, or for no blocking one; meanwhile another dependent is
 * created.
 */
export const lateComers: Recipe = fc
  .tuple(families, blocking, fc.boolean(), fc.boolean())
  .map(([[eldest, second, third, youngest], blocks, comes, owns]) => ({
    steps: [
      at(0)(put(eldest)),
      at(0)({ ...put(second, { to: eldest, blocks }), finalizers: hold }),
      ...(owns && !second.startsWith('node') ? [at(0)(put(youngest, { to: second, blocks: true }))] : []),
      at(300)({ delete: eldest, policy: 'Foreground' }),
      ...(comes ? [at(2_000)(put(third, { to: eldest, blocks: true }))] : []),
    ],
  }));

/**
 * A chain of objects, closed to a cycle or not; several are deleted in the foreground, at once or one after the
 * other.
 */
export const rings: Recipe = fc
  .tuple(
    fc.constantFrom(1, 2, 3, 4),
    fc.constantFrom<readonly number[]>([0], [0, 1, 2, 3], [3, 2, 1, 0], [0, 2]),
    fc.constantFrom(0, 0, 20, 60),
    fc.constantFrom(true, true, false),
  )
  .map(([length, ends, apartMs, isClosed]) => {
    const all: readonly PlaceName[] = ['configmap a/x', 'lease a/x', 'configmap a/y', 'lease a/y'];
    const members = all.slice(0, length);
    const last = members.at(-1) as PlaceName;
    return {
      steps: [
        ...members.map((member, i) => {
          const owner = members[i - 1];
          const made = put(member, ...(owner ? [{ to: owner, blocks: true }] : []));
          // A blocked end shows an owner that does not wait.
          return at(0)(isClosed || member !== last || !owner ? made : { ...made, finalizers: hold });
        }),
        ...(isClosed ? [at(0)(put('configmap a/x', { to: last, blocks: true }))] : []),
        ...ends.flatMap((end, i) => {
          const member = members[end];
          return member
            ? [at(i === 0 ? 500 : apartMs)({ delete: member, policy: 'Foreground' as const })]
            : [];
        }),
      ],
    };
  });

/**
 * Two owners share two dependents; one dependent is deleted, and then both owners, in the foreground. Two other objects own each other, each
 * after a third object, and both are deleted in the foreground.
 */
export const pairs: Recipe = fc.tuple(fc.boolean(), soon).map(([isSwapped, afterMs]) => {
  const both = (...owners: readonly PlaceName[]) => owners.map((to) => ({ to, blocks: true }));
  const owners: readonly PlaceName[] = ['configmap a/x', 'lease a/x'];
  const [first, second] = (isSwapped ? owners.toReversed() : owners) as [PlaceName, PlaceName];
  return {
    steps: [
      ...owners.map((owner) => at(0)(put(owner))),
      at(0)(put('configmap a/y', ...both(first, second))),
      at(0)({ ...put('lease a/y', ...both(first, second)), finalizers: hold }),
      at(0)(put('priorityclass x')),
      at(0)(put('configmap b/x', ...both('priorityclass x'))),
      at(0)(put('lease b/z', ...both('priorityclass x', 'configmap b/x'))),
      at(300)(put('configmap b/x', ...both('priorityclass x', 'lease b/z'))),
      at(500)({ delete: 'configmap a/y', policy: 'Background' }),
      at(500)({ delete: first, policy: 'Foreground' }),
      at(afterMs)({ delete: second, policy: 'Foreground' }),
      at(500)({ delete: 'configmap b/x', policy: 'Foreground' }),
      at(afterMs)({ delete: 'lease b/z', policy: 'Foreground' }),
    ],
  };
});

/** A finalizer of an object declares in advance how its dependents are treated. Then its owner is deleted. */
export const declared = (finalizer: 'orphan' | 'foregroundDeletion'): Recipe =>
  fc
    .tuple(
      families,
      fc.constantFrom<Policy>('Background', 'Background', 'Background', 'Foreground'),
      blocking,
    )
    .map(([[eldest, second, third], policy, blocks]) => ({
      steps: [
        at(0)(put(eldest)),
        at(0)({ ...put(second, { to: eldest, blocks }), finalizers: [finalizer] }),
        at(0)(put(third, { to: second, blocks })),
        at(500)({ delete: eldest, policy }),
      ],
    }));

/** An object with a foreign finalizer is deleted, and deleted again after the collector has released it. */
export const again: Recipe = fc
  .tuple(families, fc.tuple(policies, policies), fc.boolean(), blocking)
  .map(([[eldest, second], [first, then], owns, blocks]) => ({
    steps: [
      at(0)({ ...put(eldest), finalizers: hold }),
      ...(owns ? [at(0)(put(second, { to: eldest, blocks }))] : []),
      at(300)({ delete: eldest, policy: first }),
      at(1_000)({ delete: eldest, policy: then }),
    ],
  }));

/** An owner, or a dependent that an owner waits for, is deleted in a gap of the watch. */
export const gaps: Recipe = fc
  .tuple(families, blocking, fc.boolean())
  .map(([[eldest, second, third], blocks, waits]) => ({
    steps: [
      at(0)(put(eldest)),
      at(0)({ ...put(second, { to: eldest, blocks: true }), finalizers: waits ? hold : [] }),
      at(0)(put(third, { to: second, blocks })),
      ...(waits ? [at(300)({ delete: eldest, policy: 'Foreground' as const })] : []),
      { ...cut, afterMs: 1_000 },
      at(0)(waits ? { release: second } : { delete: eldest, policy: 'Background' as const }),
      compact,
    ],
  }));

/** The collector starts, and finds earlier changes, perhaps with delayed lists. */
export const found: Recipe = fc
  .tuple(families, policies, blocking, fc.constantFrom(0, 0, 3, 8), fc.boolean())
  .map(([[eldest, second, third], policy, blocks, requests, isHeld]) => ({
    present: [
      put(eldest),
      { ...put(second, { to: eldest, blocks }), finalizers: isHeld ? hold : [] },
      put(third, { to: second, blocks }),
      { delete: eldest, policy },
    ],
    steps:
      requests > 0
        ? [at(0)({ strike: { fault: 'refuse', process: PROCESS, reason: 'InternalError', requests } })]
        : [],
  }));

/**
 * The collector starts, and finds two objects without dependents: one is being deleted in the foreground, and the other waits until its
 * dependents are orphaned. Perhaps they had a dependent before.
 */
export const foundAlone: Recipe = fc
  .tuple(families, blocking, fc.boolean())
  .map(([[first, second, third], blocks, had]) => ({
    present: [
      put(first),
      put(second),
      ...(had ? [put(third, { to: second, blocks })] : []),
      { delete: first, policy: 'Foreground' as const },
      { delete: second, policy: 'Orphan' as const },
      ...(had ? [put(third)] : []),
    ],
    steps: [],
  }));

/**
 * The collector starts, and the first list of a resource is delayed; an owner waits for dependents of several
 * resources.
 */
export const lateLists: Recipe = fc
  .tuple(
    fc.constantFrom<Policy>('Foreground', 'Orphan'),
    fc.constantFrom<PlaceName>('configmap a/x', 'lease a/x', 'priorityclass x'),
    fc.constantFrom(6, 9, 12),
  )
  .map(([policy, late, requests]) => ({
    present: [
      put('node n'),
      put('configmap a/x', { to: 'node n', blocks: true }),
      put('lease a/x', { to: 'node n', blocks: true }),
      put('priorityclass x', { to: 'node n', blocks: true }),
      { delete: 'node n', policy },
    ],
    // A list arrives as a response or as a stream. A stream is delayed as soon as it has begun.
    steps: [
      at(0)({ strike: { fault: 'refuse', process: PROCESS, reason: 'InternalError', requests } }),
      ...Array.from({ length: 12 }, () => ({ ...delayed(late, 3_000), afterMs: 5 })),
    ],
  }));

/** An owner is deleted and recreated in a gap of the watch. */
export const remade: Recipe = fc.tuple(families, blocking).map(([[eldest, second, third], blocks]) => ({
  steps: [
    at(0)(put(eldest)),
    at(0)(put(second, { to: eldest, blocks })),
    at(0)(put(third, { to: eldest, blocks })),
    { ...cut, afterMs: 1_000 },
    at(0)({ delete: eldest, policy: 'Background' }),
    at(0)(put(eldest)),
    compact,
  ],
}));

/**
 * An owner is deleted with its dependents orphaned, while some of their updates are rejected, or they are observed
 * late.
 */
export const orphaned: Recipe = fc
  .tuple(
    families,
    blocking,
    fc.constantFrom('refused', 'refused', 'late', 'late', 'peace'),
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 0, max: 90 }),
  )
  .map(([[eldest, second, third, youngest], blocks, how, requests, afterMs]) => ({
    steps: [
      at(0)(put(eldest)),
      ...[second, third].map((one) => at(0)(put(one, { to: eldest, blocks }))),
      ...(how === 'refused'
        ? [
            at(500)({
              strike: { fault: 'refuse' as const, process: PROCESS, reason: 'Conflict' as const, requests },
            }),
          ]
        : []),
      at(500)({ delete: eldest, policy: 'Orphan' }),
      ...(how === 'late' ? [at(afterMs)(put(youngest, { to: eldest, blocks }))] : []),
    ],
  }));
