import type { Mistake } from '#harness/testing';

/** Mistakes of Level 4 · Taints that would rather not. */
export const level4: readonly Mistake[] = [
  {
    id: 'hard-taints-count',
    why: 'Taints that the filter has dealt with count once more.',
    origin: 'common',
    law: 'Level 4',
    edits: [["    if (taint.effect !== 'PreferNoSchedule') continue;\n", '']],
  },
  {
    id: 'effect-must-be-said',
    why: 'A toleration of every effect does not count for this one.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        'if (!tolerations?.some((toleration) => filters.toleratesTaint(toleration, taint))) count++;',
        'if (!tolerations?.some((toleration) => toleration.effect && filters.toleratesTaint(toleration, taint))) count++;',
      ],
    ],
  },
  {
    id: 'more-taints-are-better',
    why: 'Forgets to turn the scores over: pods go where they are wanted least.',
    origin: 'common',
    law: 'By its formula',
    edits: [
      [
        'defaultNormalizeScore(MAX_NODE_SCORE, true, scores)',
        'defaultNormalizeScore(MAX_NODE_SCORE, false, scores)',
      ],
    ],
  },
];
