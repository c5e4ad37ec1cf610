import type { Mistake } from '#harness/testing';

/** Mistakes of Level 1 · How full a node is. */
export const level1: readonly Mistake[] = [
  {
    id: 'percent-of-a-fraction',
    why: 'Computes a percentage of a fraction: 1 - 8/10 is slightly less than 0.2, so a node with a fifth free scores 19.',
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
    why: 'Rounds to the nearest whole number instead of down.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'Only a profile with MostAllocated shows it, and there is none.',
    edits: [
      [
        'return Math.trunc((Math.min(requested, capacity) * MAX_NODE_SCORE) / capacity);',
        'return Math.round((Math.min(requested, capacity) * MAX_NODE_SCORE) / capacity);',
      ],
    ],
  },
  {
    id: 'divides-by-nothing',
    why: 'Divides by 0 for a resource that the node does not have.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'The plugin skips resources that the node does not have.',
    edits: [['if (capacity === 0 || requested > capacity) return 0;', 'if (requested > capacity) return 0;']],
  },
  {
    id: 'overfull-below-nothing',
    why: 'An overcommitted node scores below 0, which outweighs all other plugins.',
    origin: 'common',
    law: 'Whole numbers',
    edits: [['if (capacity === 0 || requested > capacity) return 0;', 'if (capacity === 0) return 0;']],
  },
  {
    id: 'overfull-above-all',
    why: 'An overcommitted node scores above 100.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'Only a profile with MostAllocated shows it, and there is none.',
    edits: [
      [
        'return Math.trunc((Math.min(requested, capacity) * MAX_NODE_SCORE) / capacity);',
        'return Math.trunc((requested * MAX_NODE_SCORE) / capacity);',
      ],
    ],
  },
  {
    id: 'overfull-looks-empty',
    why: 'The free amount becomes negative, overflows and is capped at 100: all pods go to the fullest node.',
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
    why: 'Swaps the two strategies: the one that must spread packs.',
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
    why: 'Pods without requests count as 0, and pile up on the node that is emptiest at first.',
    origin: 'common',
    law: 'By formula',
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
    why: 'Uses the present utilization of a node, without the new pod.',
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
    why: 'A node scores lower because it lacks a resource that it does not need.',
    origin: 'common',
    law: 'Level 1',
    edits: [['        if (capacity === 0) continue;\n', '']],
  },
  {
    id: 'mean-without-weights',
    why: 'All resources count alike, whatever weights the arguments give them.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'The default profile gives cpu and memory the same weight.',
    edits: [
      [
        'amount, capacity) * weight;\n        weights += weight;',
        'amount, capacity);\n        weights += Math.min(1, weight);',
      ],
    ],
  },
];
