import { describe, expect, test } from 'vitest';
import type { Interval } from '#given/65-job';
import { matchSuccessPolicy } from '#kata/65-job/job';
import { anIndexedJob } from './objects.fixture.ts';

type Rule = { succeededIndexes?: string; succeededCount?: number };

describe('Level 10 ★ · The success policy', () => {
  const rows: readonly (readonly [string, Rule[], readonly Interval[], number | undefined])[] = [
    ['all the indexes of a rule', [{ succeededIndexes: '0,2' }], [[0, 2]], 0],
    [
      'one index of a rule is missing',
      [{ succeededIndexes: '0,2' }],
      [
        [0, 1],
        [3, 9],
      ],
      undefined,
    ],
    [
      'a number of any indexes',
      [{ succeededCount: 2 }],
      [
        [3, 3],
        [7, 7],
      ],
      0,
    ],
    [
      'fewer indexes',
      [{ succeededCount: 3 }],
      [
        [3, 3],
        [7, 7],
      ],
      undefined,
    ],
    [
      'a number of the indexes of a rule',
      [{ succeededIndexes: '0-4', succeededCount: 2 }],
      [
        [1, 1],
        [4, 8],
      ],
      0,
    ],
    [
      'the rest of the indexes do not count',
      [{ succeededIndexes: '0-4', succeededCount: 2 }],
      [[4, 8]],
      undefined,
    ],
    ['the second rule', [{ succeededIndexes: '0' }, { succeededCount: 1 }], [[5, 5]], 1],
    ['the first of two rules', [{ succeededIndexes: '5' }, { succeededCount: 1 }], [[5, 5]], 0],
    ['no index at all', [{ succeededCount: 0 }], [], undefined],
    ['a rule that names no index of the Job', [{ succeededIndexes: '10-12' }], [[0, 9]], undefined],
    [
      'several intervals',
      [{ succeededIndexes: '1-2,5-6' }],
      [
        [0, 3],
        [5, 9],
      ],
      0,
    ],
  ];
  test.each(rows)('%s', (_, rules, succeeded, rule) => {
    const end = matchSuccessPolicy(anIndexedJob(10, {}, { successPolicy: { rules } }), succeeded);
    expect(end, `${JSON.stringify(rules)}; succeeded: ${JSON.stringify(succeeded)}`).toEqual(
      rule === undefined
        ? undefined
        : { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message: `Matched rules at index ${rule}` },
    );
  });

  test('is not met without a policy', () => {
    expect(matchSuccessPolicy(anIndexedJob(10), [[0, 9]])).toBeUndefined();
  });
});
