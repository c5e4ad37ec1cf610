import type { Mistake } from '#harness/testing';

/** Mistakes of Level 1 · How full a node is. */
export const level1: readonly Mistake[] = [
  {
    id: 'percent-of-a-fraction',
    why: 'Takes the percent of a fraction: 1 - 8/10 is a little less than 0.2, and a node with a fifth free has 19.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'return Math.trunc(((capacity - requested) * MAX_NODE_SCORE) / capacity);',
        'return Math.trunc((1 - requested / capacity) * MAX_NODE_SCORE);',
      ],
    ],
  },
  {
    id: 'rounds-to-the-nearest',
    why: 'Rounds up what is more than half, where whole numbers are divided.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'A profile with MostAllocated shows it, and there is none.',
    edits: [
      [
        'return Math.trunc((Math.min(requested, capacity) * MAX_NODE_SCORE) / capacity);',
        'return Math.round((Math.min(requested, capacity) * MAX_NODE_SCORE) / capacity);',
      ],
    ],
  },
  {
    id: 'divides-by-nothing',
    why: 'Of a resource that the node does not have, so much is free as nothing divided by nothing.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'The plugin leaves a resource out of which the node has none.',
    edits: [['if (capacity === 0 || requested > capacity) return 0;', 'if (requested > capacity) return 0;']],
  },
  {
    id: 'overfull-below-nothing',
    why: 'A node that is asked for more than it has gets less than 0, which drowns what all others say.',
    origin: 'common',
    law: 'Whole numbers',
    edits: [['if (capacity === 0 || requested > capacity) return 0;', 'if (capacity === 0) return 0;']],
  },
  {
    id: 'overfull-above-all',
    why: 'A node that is asked for more than it has gets more than 100.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'A profile with MostAllocated shows it, and there is none.',
    edits: [
      [
        'return Math.trunc((Math.min(requested, capacity) * MAX_NODE_SCORE) / capacity);',
        'return Math.trunc((requested * MAX_NODE_SCORE) / capacity);',
      ],
    ],
  },
  {
    id: 'overfull-looks-empty',
    why: 'What is free falls below 0, is taken for a very large number and cut off at 100: all go to the fullest node.',
    origin: 'common',
    law: 'Load counts',
    edits: [
      [
        'if (capacity === 0 || requested > capacity) return 0;',
        'if (capacity === 0) return 0;\n  if (requested > capacity) return MAX_NODE_SCORE;',
      ],
    ],
  },
  {
    id: 'least-is-most',
    why: 'Takes the two strategies for each other: the one that is to spread packs.',
    origin: 'common',
    law: 'Load counts',
    edits: [
      [
        'const strategies = { LeastAllocated: leastAllocatedScore, MostAllocated: mostAllocatedScore } as const;',
        'const strategies = { LeastAllocated: mostAllocatedScore, MostAllocated: leastAllocatedScore } as const;',
      ],
    ],
  },
  {
    id: 'says-nothing-wants-nothing',
    why: 'Pods that do not say what they want weigh nothing, and pile up on the node that is emptiest at first.',
    origin: 'common',
    law: 'By its formula',
    edits: [
      [
        'requestedResources(resources, podInfoOf(pod).nonZeroRequests)',
        'requestedResources(resources, podInfoOf(pod).requests)',
      ],
      ['amountOf(nonZeroRequested, name) + amount', 'amountOf(requested, name) + amount'],
      [
        'score(state, _pod, { allocatable, nonZeroRequested }) {',
        'score(state, _pod, { allocatable, requested }) {',
      ],
    ],
  },
  {
    id: 'forgets-the-pod-itself',
    why: 'Looks at how full a node is, and not at how full it would be.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'scoreOf(amountOf(nonZeroRequested, name) + amount, capacity)',
        'scoreOf(amountOf(nonZeroRequested, name), capacity)',
      ],
    ],
  },
  {
    id: 'lacking-counts-as-full',
    why: 'A node is punished for not having a resource that it need not have.',
    origin: 'common',
    law: 'Level 1',
    edits: [['        if (capacity === 0) continue;\n', '']],
  },
];
