import type { Mistake } from '#harness/testing';

/** Mistakes of Level 2 · Balance. */
export const level2: readonly Mistake[] = [
  {
    id: 'sample-deviation',
    why: 'Takes the deviation of a sample, divided by one less than there are.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'A profile that balances three resources shows it, and there is none.',
    edits: [['(fraction - mean), 0) / count);', '(fraction - mean), 0) / (count - 1));']],
  },
  {
    id: 'fractions-of-a-score',
    why: 'Gives what it has computed, with all its digits.',
    origin: 'common',
    law: 'Whole numbers',
    edits: [['Math.trunc((MAX_NODE_SCORE / 2 + improvement) / 2)', '(MAX_NODE_SCORE / 2 + improvement) / 2']],
  },
  {
    id: 'overfull-is-uneven',
    why: 'What is overfull counts as that much further away from the others.',
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
    why: 'Pods that ask for nothing all go to the node that happens to be balanced.',
    origin: 'k#129138',
    law: 'Level 2',
    edits: [['      if (requested.every(({ amount }) => amount === 0)) return skip;\n', '']],
  },
  {
    id: 'balances-what-is-assumed',
    why: 'Counts what is assumed for pods that do not say, as how full a node is does.',
    origin: 'common',
    law: 'By its formula',
    edits: [
      [
        'after.push((amountOf(nodeInfo.requested, name) + amount) / capacity);',
        'after.push((amountOf(nodeInfo.nonZeroRequested, name) + amount) / capacity);',
      ],
    ],
  },
  {
    id: 'balance-of-the-end',
    why: 'Takes how even it would be, as Kubernetes did before 1.36: a pod that makes an even node uneven goes there all the same.',
    origin: 'k#135573',
    law: 'By its formula',
    edits: [
      [
        'return MAX_NODE_SCORE / 2 + Math.trunc((MAX_NODE_SCORE / 2 + improvement) / 2);',
        'return improvement + balancedAllocationScore(before);',
      ],
    ],
  },
  {
    id: 'halves-before-it-cuts',
    why: 'Rounds up where half a point is left: the score is cut, not rounded.',
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
    why: 'Takes the root also for two, which is not quite half their distance: one point more here, one less there.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'It goes to the other side of a whole number, and a law takes either side for right.',
    edits: [
      [
        '  if (count === 2) return Math.abs(Math.min(fractions[0] ?? 0, 1) - Math.min(fractions[1] ?? 0, 1)) / 2;\n',
        '',
      ],
    ],
  },
  {
    id: 'skips-if-one-is-not-asked-for',
    why: 'Skips a pod that asks for cpu and for no memory: it is the one that makes nodes uneven.',
    origin: 'common',
    law: 'By its formula',
    edits: [
      ['requested.every(({ amount }) => amount === 0)', 'requested.some(({ amount }) => amount === 0)'],
    ],
  },
];
