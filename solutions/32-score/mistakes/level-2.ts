import type { Mistake } from '#harness/testing';

/** Mistakes of Level 2 · Balance. */
export const level2: readonly Mistake[] = [
  {
    id: 'sample-deviation',
    why: 'Takes the deviation of a sample, divided by one less than there are.',
    origin: 'common',
    law: 'Level 2',
    edits: [['(fraction - mean), 0) / count);', '(fraction - mean), 0) / (count - 1));']],
  },
  {
    id: 'fractions-of-a-score',
    why: 'Gives what it has computed, with all its digits.',
    origin: 'common',
    law: 'Whole numbers',
    edits: [
      [
        'return Math.trunc((1 - deviationOf(fractions)) * MAX_NODE_SCORE);',
        'return (1 - deviationOf(fractions)) * MAX_NODE_SCORE;',
      ],
    ],
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
    law: 'By the book',
    edits: [
      [
        '(amountOf(nodeInfo.requested, name) + amount) / capacity',
        '(amountOf(nodeInfo.nonZeroRequested, name) + amount) / capacity',
      ],
    ],
  },
  {
    id: 'root-of-two',
    why: 'Takes the root also for two, which is not quite half their distance: one point more here, one less there.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        '  if (count === 2) return Math.abs(Math.min(fractions[0] ?? 0, 1) - Math.min(fractions[1] ?? 0, 1)) / 2;\n',
        '',
      ],
    ],
  },
];
