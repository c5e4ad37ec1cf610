import type { Mistake } from '#harness/testing';

/** Mistakes of Level 2 · Fenceposts. */
export const level2: readonly Mistake[] = [
  {
    id: 'surge-rounds-down',
    why: 'A quarter of three replicas is no surge at all.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        'getScaledValueFromIntOrPercent(maxSurge ?? 0, desired, true)',
        'getScaledValueFromIntOrPercent(maxSurge ?? 0, desired, false)',
      ],
    ],
  },
  {
    id: 'unavailable-rounds-up',
    why: 'Of three replicas one may be missing when 25% may: that is a third.',
    origin: 'common',
    law: 'Stays available',
    edits: [
      [
        'getScaledValueFromIntOrPercent(maxUnavailable ?? 0, desired, false)',
        'getScaledValueFromIntOrPercent(maxUnavailable ?? 0, desired, true)',
      ],
    ],
  },
  {
    id: 'nothing-may-move',
    why: 'Where both fenceposts round to nothing, no pod can be added and none taken: the roll-out never begins.',
    origin: 'common',
    law: 'Level 2',
    edits: [['maxUnavailable: stuck ? 1 : unavailable', 'maxUnavailable: unavailable']],
  },
  {
    id: 'more-missing-than-there-are',
    why: 'maxUnavailable of 10 with 5 replicas asks for -5 available ones.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        'return Math.min(fencepostsOf(spec).maxUnavailable, spec.replicas);',
        'return fencepostsOf(spec).maxUnavailable;',
      ],
    ],
  },
];
