import fc from 'fast-check';
import { type Operation, type Policy, PROCESS } from '../operations.ts';
import type { PlaceName } from '../scenario/places.ts';
import type { Recipe } from './quiet.ts';
import { at, blocking, delayed, families, put } from './recipes.ts';

/* Scenarios with an event right after the collector has read an object, or before it has observed it. */

/** The event that happens to a dependent at the last moment. */
export type LastMoment = 'rescued' | 'rescued late' | 'replaced' | 'touched' | 'left';

/** A dependent changes when the collector has just read it, and is about to delete it. */
export const lastMoment = (...whats: readonly LastMoment[]): Recipe =>
  fc
    .tuple(families, fc.constantFrom(...whats), blocking)
    .map(([[eldest, second, third, youngest], what, blocks]) => {
      const [one, other] = eldest === 'priorityclass x' ? [third, youngest] : [second, third];
      const rescued: readonly Operation[] = [put(one, { to: other, blocks })];
      const operations: Readonly<Record<LastMoment, readonly Operation[]>> = {
        rescued,
        'rescued late': [{ touch: one }, { whenRead: one, operations: rescued, always: false }],
        replaced: [{ delete: one, policy: 'Background' }, put(one)],
        touched: [{ touch: one }],
        left: [{ delete: one, policy: 'Foreground' }],
      };
      const held: Operation = { ...put(other, { to: one, blocks: true }), finalizers: ['example.com/hold'] };
      return {
        steps: [
          at(0)(put(eldest)),
          at(0)(put(one, { to: eldest, blocks })),
          at(0)(what === 'left' ? held : put(other)),
          at(1_000)({ whenRead: one, operations: operations[what], always: what === 'touched' }),
          at(0)({ delete: eldest, policy: 'Background' }),
        ],
      };
    });

/**
 * Users delete an object and orphan its dependents. The collector, which has not observed that, is about to delete
 * it, too.
 */
export const leftUnheard: Recipe = fc
  .tuple(families, fc.constantFrom<Policy>('Foreground', 'Foreground', 'Background'), fc.nat({ max: 10 }))
  .map(([[eldest, second, third, youngest], policy, afterMs]) => {
    const [one, other] = eldest === 'priorityclass x' ? [third, youngest] : [second, third];
    return {
      steps: [
        at(0)(put(eldest)),
        at(0)(put(one, { to: eldest, blocks: true })),
        at(0)(put(other, { to: one, blocks: true })),
        { ...delayed(one, 5_000), afterMs: 1_000 },
        at(0)({ delete: eldest, policy }),
        at(afterMs)({ delete: one, policy: 'Orphan' }),
      ],
    };
  });

/** A dependent gets another owner, and the collector has not observed it when the first owner is deleted. */
export const rescuedUnheard: Recipe = fc
  .tuple(families, blocking, fc.nat({ max: 10 }))
  .map(([[eldest, second, third, youngest], blocks, afterMs]) => {
    const [one, other] = eldest === 'priorityclass x' ? [third, youngest] : [second, third];
    return {
      steps: [
        at(0)(put(eldest)),
        at(0)(put(other)),
        at(0)(put(one, { to: eldest, blocks })),
        { ...delayed(one, 5_000), afterMs: 1_000 },
        at(0)(put(one, { to: other, blocks })),
        at(afterMs)({ delete: eldest, policy: 'Background' }),
      ],
    };
  });

/**
 * Users delete an owner in the foreground. The collector has read it and is about to release it; then they delete it
 * with another policy.
 */
export const otherwise: Recipe = families.map(([eldest, second, third]) => ({
  steps: [
    at(0)(put(eldest)),
    at(0)(put(second, { to: eldest, blocks: false })),
    at(0)(put(third, { to: eldest, blocks: false })),
    at(1_000)({ whenRead: eldest, operations: [{ delete: eldest, policy: 'Orphan' }], always: false }),
    at(0)({ delete: eldest, policy: 'Foreground' }),
  ],
}));

/** Families whose members can have two owners: neither is cluster-scoped. */
const pairs = fc.constantFrom<readonly [PlaceName, PlaceName, PlaceName]>(
  ['configmap a/x', 'lease a/x', 'configmap a/y'],
  ['lease a/x', 'configmap a/x', 'lease a/y'],
  ['node n', 'configmap a/x', 'lease a/x'],
);

/** One of two owners is deleted. The collector reads the dependent, and then cannot read the remaining owner. */
export const unreadable: Recipe = fc
  .tuple(
    pairs,
    blocking,
    fc.constantFrom('InternalError' as const, 'TooManyRequests' as const, 'ServiceUnavailable' as const),
    fc.constantFrom(1, 2),
  )
  .map(([[stays, goes, child], blocks, reason, requests]) => ({
    steps: [
      at(0)(put(stays)),
      at(0)(put(goes)),
      at(0)(put(child, { to: stays, blocks }, { to: goes, blocks })),
      at(1_000)({
        whenRead: child,
        operations: [{ strike: { fault: 'refuse', process: PROCESS, reason, requests } }],
        always: false,
      }),
      at(0)({ delete: goes, policy: 'Background' }),
    ],
  }));

/** One of two owners is being deleted, and has a foreign finalizer. The other is deleted. */
export const heldOwner: Recipe = fc.tuple(pairs, blocking).map(([[stays, goes, child], blocks]) => ({
  steps: [
    at(0)({ ...put(stays), finalizers: ['example.com/hold'] }),
    at(0)(put(goes)),
    at(0)(put(child, { to: stays, blocks }, { to: goes, blocks })),
    at(1_000)({ delete: stays, policy: 'Background' }),
    at(1_000)({ delete: goes, policy: 'Background' }),
  ],
}));
