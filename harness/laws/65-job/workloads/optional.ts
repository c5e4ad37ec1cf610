import fc from 'fast-check';
import type { JobShape } from '../operations.ts';
import { crash, create, end, endAll, few, nothing, type Recipe, reap, run, step } from './recipes.ts';

/*
 * Recipes for the optional policies (★).
 */

type Rules = NonNullable<JobShape['podFailurePolicy']>['rules'];

const rules: fc.Arbitrary<Rules> = fc.constantFrom<Rules>(
  [{ action: 'FailJob', onExitCodes: { containerName: 'main', operator: 'In', values: [42] } }],
  [
    { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
    { action: 'FailJob', onExitCodes: { operator: 'NotIn', values: [1, 2] } },
  ],
  [
    { action: 'Count', onExitCodes: { operator: 'In', values: [1] } },
    { action: 'Ignore', onExitCodes: { containerName: 'main', operator: 'NotIn', values: [42] } },
    { action: 'FailJob', onExitCodes: { operator: 'In', values: [2, 42] } },
  ],
  [{ action: 'FailJob', onExitCodes: { containerName: 'setup', operator: 'In', values: [1, 42] } }],
  [
    { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'False' }] },
    { action: 'Ignore', onExitCodes: { operator: 'In', values: [2] } },
  ],
);

const endings = fc.array(
  fc.record({
    do: fc.constant('end' as const),
    pod: fc.nat({ max: 2 }),
    code: fc.constantFrom(1, 2, 42, 0),
    isDisrupted: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Pods fail with different exit codes and conditions under a pod failure policy. */
export const failurePolicy: Recipe = fc
  .record({
    rules,
    endings,
    backoffLimit: fc.nat({ max: 3 }),
    crashes: fc.boolean(),
    skip: fc.nat({ max: 6 }),
  })
  .map(({ rules, endings, backoffLimit, crashes, skip }) => [
    create({ parallelism: 3, completions: 4, backoffLimit, podFailurePolicy: { rules } }, 1_000),
    run(),
    ...(crashes ? [crash(skip, true, 50, 1_500)] : []),
    ...endings.flatMap((ending) => [step(ending, 1_300), run(12_000)]),
    reap(2_000),
    nothing(2_000),
  ]);

const successRules = fc.constantFrom<NonNullable<JobShape['successPolicy']>['rules']>(
  [{ succeededIndexes: '0' }],
  [{ succeededIndexes: '1-2', succeededCount: 1 }],
  [{ succeededCount: 2 }],
  [{ succeededIndexes: '0,3' }, { succeededIndexes: '1,2' }],
);

/** Indexes complete until a rule of the success policy matches; other pods still run. */
export const successPolicy: Recipe = fc
  .record({
    rules: successRules,
    order: fc.array(fc.record({ pod: fc.nat({ max: 3 }), code: fc.constantFrom(0, 0, 1) }), {
      minLength: 2,
      maxLength: 5,
    }),
    reapMs: fc.constantFrom(500, 8_000),
  })
  .map(({ rules, order, reapMs }) => [
    create({ parallelism: 4, completions: 4, completionMode: 'Indexed', successPolicy: { rules } }, 1_000),
    run(),
    ...order.map(({ pod, code }) => end(pod, code, 1_700)),
    nothing(reapMs),
    reap(),
    run(12_000),
    endAll(0, 2_000),
    nothing(2_000),
  ]);

/** Indexes fail, each with its own limit and back-off. */
export const perIndex: Recipe = fc
  .record({
    backoffLimitPerIndex: fc.nat({ max: 2 }),
    maximum: fc.constantFrom<Pick<JobShape, 'maxFailedIndexes'>>(
      {},
      { maxFailedIndexes: 0 },
      { maxFailedIndexes: 1 },
    ),
    order: fc.array(fc.record({ pod: fc.nat({ max: 2 }), code: fc.constantFrom(1, 1, 42, 0) }), {
      minLength: 2,
      maxLength: 5,
    }),
    rules: fc.constantFrom<Rules | undefined>(
      undefined,
      [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [42] } }],
      [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [42] } }],
    ),
    crashes: fc.boolean(),
    skip: fc.nat({ max: 6 }),
    waitMs: fc.constantFrom(3_000, 11_000, 21_000),
    parallelism: few,
  })
  .map(({ backoffLimitPerIndex, maximum, order, rules, crashes, skip, waitMs, parallelism }) => [
    create(
      {
        parallelism,
        completions: 3,
        completionMode: 'Indexed',
        backoffLimitPerIndex,
        ...maximum,
        ...(rules ? { podFailurePolicy: { rules } } : {}),
      },
      1_000,
    ),
    run(),
    ...(crashes ? [crash(skip, true, 50, 1_500)] : []),
    ...order.flatMap(({ pod, code }) => [end(pod, code, 1_700), run(waitMs)]),
    reap(2_000),
    run(40_000),
    endAll(0, 1_000),
    reap(3_000),
    nothing(3_000),
  ]);
