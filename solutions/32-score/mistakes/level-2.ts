import type { Mistake } from '#harness/testing';

/** Mistakes of Level 2 · Balance. */
export const level2: readonly Mistake[] = [
  {
    id: 'sample-deviation',
    why: 'Computes the deviation of a sample, divided by n - 1.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'Only a profile that balances three resources shows it, and there is none.',
    edits: [['(fraction - mean), 0) / count);', '(fraction - mean), 0) / (count - 1));']],
  },
  {
    id: 'fractions-of-a-score',
    why: 'Returns a fractional score.',
    origin: 'common',
    law: 'Whole numbers',
    edits: [['Math.trunc((MAX_NODE_SCORE / 2 + improvement) / 2)', '(MAX_NODE_SCORE / 2 + improvement) / 2']],
  },
  {
    id: 'overfull-is-uneven',
    why: 'Utilization above 100 % increases the deviation.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        'Math.abs(Math.min(fractions[0] ?? 0, 1) - Math.min(fractions[1] ?? 0, 1)) / 2',
        'Math.abs((fractions[0] ?? 0) - (fractions[1] ?? 0)) / 2',
      ],
    ],
  },
  {
    id: 'balances-best-effort',
    why: 'All pods without requests go to the node that happens to be the most balanced.',
    origin: 'k#129138',
    law: 'Level 2',
    edits: [['      if (requested.every(({ amount }) => amount === 0)) return skip;\n', '']],
  },
  {
    id: 'balances-what-is-assumed',
    why: 'Uses the default requests of pods without any, like NodeResourcesFit.',
    origin: 'common',
    law: 'By formula',
    edits: [
      [
        'after.push((amountOf(nodeInfo.requested, name) + amount) / capacity);',
        'after.push((amountOf(nodeInfo.nonZeroRequested, name) + amount) / capacity);',
      ],
    ],
  },
  {
    id: 'balance-of-the-end',
    why: 'Scores the balance after the placement, as Kubernetes before 1.36 did: a pod that unbalances a balanced node still goes there.',
    origin: 'k#135573',
    law: 'By formula',
    edits: [
      [
        'return MAX_NODE_SCORE / 2 + Math.trunc((MAX_NODE_SCORE / 2 + improvement) / 2);',
        'return improvement + balancedAllocationScore(before);',
      ],
    ],
  },
  {
    id: 'halves-before-it-cuts',
    why: 'Rounds half a point up, although the score is truncated.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        'Math.trunc((MAX_NODE_SCORE / 2 + improvement) / 2)',
        'Math.round((MAX_NODE_SCORE / 2 + improvement) / 2)',
      ],
    ],
  },
  {
    id: 'root-of-two',
    why: 'Uses the square root for two resources, too, which is not exactly half their difference: one point more here, one less there.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'The result is on the other side of a whole number, and the law accepts both sides.',
    edits: [
      [
        '  if (count === 2) return Math.abs(Math.min(fractions[0] ?? 0, 1) - Math.min(fractions[1] ?? 0, 1)) / 2;\n',
        '',
      ],
    ],
  },
  {
    id: 'skips-if-one-is-not-asked-for',
    why: 'Skips a pod that requests cpu but no memory, although exactly such pods unbalance nodes.',
    origin: 'common',
    law: 'By formula',
    edits: [
      ['requested.every(({ amount }) => amount === 0)', 'requested.some(({ amount }) => amount === 0)'],
    ],
  },
];
