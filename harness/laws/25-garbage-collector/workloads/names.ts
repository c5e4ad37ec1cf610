import fc from 'fast-check';
import type { Ownership, Policy } from '../operations.ts';
import type { PlaceName } from '../scenario/places.ts';
import type { Recipe } from './quiet.ts';
import { at, blocking, compact, cut, delayed, families, put } from './recipes.ts';

/* Scenarios with dependents that reference their owners by wrong names, or from another namespace. */

/** The wrong field of a reference to an existing owner. */
const wrongly = fc.constantFrom('name' as const, 'kind' as const);

/** A correct reference becomes wrong, and nothing else happens. */
export const renamed: Recipe = fc
  .tuple(families, wrongly, blocking)
  .map(([[eldest, second, third], wrong, blocks]) => ({
    steps: [
      at(0)(put(eldest)),
      at(0)(put(second, { to: eldest, blocks })),
      at(0)(put(third, { to: eldest, blocks })),
      at(2_000)(put(second, { to: eldest, blocks, wrong })),
    ],
  }));

/**
 * An owner is observed only after its dependents, perhaps just when the collector requests it under a wrong name;
 * later it is deleted.
 */
export const seenLate: Recipe = fc
  .tuple(families, wrongly, fc.integer({ min: 8, max: 40 }))
  .map(([[eldest, second, third], wrong, lateMs]) => ({
    steps: [
      delayed(eldest, lateMs),
      at(0)(put(eldest)),
      at(0)(put(second, { to: eldest, blocks: false, wrong })),
      at(0)(put(third, { to: eldest, blocks: false })),
      at(5_000)({ delete: eldest, policy: 'Background' }),
    ],
  }));

/** The wrong field of a reference, most often so that the owner is unknowable. */
const anyhow = fc.constantFrom('version' as const, 'version' as const, 'name' as const, 'kind' as const);

/**
 * The collector starts, and finds dependents that reference an owner by several names. The owner exists, or was
 * deleted.
 */
export const manyNames: Recipe = fc
  .tuple(
    fc.constantFrom<readonly PlaceName[]>(
      ['configmap a/x', 'configmap a/y', 'configmap b/x', 'lease a/x'],
      ['lease a/x', 'configmap a/x', 'lease b/z', 'lease a/y'],
    ),
    wrongly,
    anyhow,
    fc.constantFrom('stays', 'stays', 'goes', 'gone'),
  )
  .map(([[owner = 'node n', near = owner, far = owner, right = owner], one, other, fate]) => ({
    present: [
      put(owner),
      put(near, { to: owner, blocks: false, wrong: one }),
      put(far, { to: owner, blocks: false, wrong: other }),
      put(right, { to: owner, blocks: false }),
      ...(fate === 'gone' ? [{ delete: owner, policy: 'Background' } as const] : []),
    ],
    steps: fate === 'goes' ? [at(5_000)({ delete: owner, policy: 'Background' })] : [],
  }));

/**
 * An owner is created and deleted unobserved. Its dependents reference it by several names, and some of these cannot
 * be resolved.
 */
export const neverSeen: Recipe = fc
  .tuple(
    fc.constantFrom('version' as const, 'version' as const, 'name' as const),
    anyhow,
    fc.integer({ min: 100, max: 2_000 }),
  )
  .map(([one, other, afterMs]) => ({
    steps: [
      delayed('configmap a/x', 60_000),
      at(0)(put('configmap a/x')),
      at(0)(put('lease a/x', { to: 'configmap a/x', blocks: false, wrong: one })),
      at(0)(put('lease b/z', { to: 'configmap a/x', blocks: false, wrong: other })),
      at(0)(put('lease a/y', { to: 'configmap a/x', blocks: false })),
      at(afterMs)({ delete: 'configmap a/x', policy: 'Background' }),
      compact,
      cut,
    ],
  }));

/** A namespaced owner is referenced from another namespace, or by a cluster-scoped object. */
export const strangers: Recipe = fc
  .tuple(
    fc.constantFrom<PlaceName>('configmap a/x', 'lease a/x'),
    fc.constantFrom<PlaceName>('configmap b/x', 'lease b/z', 'priorityclass x', 'node n'),
    fc.boolean(),
    fc.boolean(),
    blocking,
    fc.constantFrom<Policy | undefined>('Background', 'Foreground', 'Orphan', undefined),
  )
  .map(([owner, stranger, comesFirst, withOther, blocks, policy]) => {
    const near: PlaceName = 'configmap a/y';
    const other: PlaceName = 'lease a/y';
    const others: readonly Ownership[] = withOther ? [{ to: other, blocks }] : [];
    const far = put(stranger, { to: owner, blocks });
    return {
      steps: [
        ...(withOther ? [at(0)(put(other))] : []),
        at(0)(put(owner)),
        at(0)(comesFirst ? far : put(near, { to: owner, blocks }, ...others)),
        at(10)(comesFirst ? put(near, { to: owner, blocks }, ...others) : far),
        ...(withOther ? [at(500)({ delete: other, policy: 'Background' as const })] : []),
        ...(policy ? [at(500)({ delete: owner, policy })] : []),
      ],
    };
  });

/** The collector starts, and observes a dependent with a wrong reference before it observes the owner. */
export const foundWrong: Recipe = fc.tuple(wrongly, blocking).map(([wrong, blocks]) => ({
  // A list is sorted by name.
  present: [put('configmap a/y'), put('configmap a/x', { to: 'configmap a/y', blocks, wrong })],
  steps: [],
}));
