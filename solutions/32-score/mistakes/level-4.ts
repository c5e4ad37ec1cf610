import type { Mistake } from '#harness/testing';

/** Mistakes of Level 4 · Taints that would rather not. */
export const level4: readonly Mistake[] = [
  {
    id: 'hard-taints-count',
    why: 'Hard taints count again, although the filter has already checked them.',
    origin: 'common',
    law: 'Level 4',
    edits: [["    if (taint.effect !== 'PreferNoSchedule') continue;\n", '']],
  },
  {
    id: 'effect-must-be-said',
    why: 'A toleration without an effect does not count for PreferNoSchedule.',
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
    why: 'Does not reverse the scores: pods go to the nodes with the most taints.',
    origin: 'common',
    law: 'By formula',
    edits: [
      [
        'defaultNormalizeScore(MAX_NODE_SCORE, true, scores)',
        'defaultNormalizeScore(MAX_NODE_SCORE, false, scores)',
      ],
    ],
  },
];
