import type { Mistake } from '#harness/testing';

/** Mistakes of Level 4 · One pod, one node. */
export const level4: readonly Mistake[] = [
  {
    id: 'no-node-names-no-plugin',
    why: 'That there is no node at all is laid to no plugin, and no event wakes a pod that no plugin turned away.',
    origin: 'common',
    law: 'Level 4',
    edits: [['if (numAllNodes === 0) throw new scheduling.NoNodesAvailableError();', '']],
  },
  {
    id: 'the-first-that-fits',
    why: 'Does not ask where a pod would run best.',
    origin: 'common',
    law: 'Level 4',
    edits: [['if (feasible.length === 1) return', 'if (feasible.length >= 1) return']],
  },
  {
    id: 'schedules-the-dying',
    why: 'A pod that is being deleted takes room from those that live.',
    origin: 'common',
    law: 'Leaves alone',
    edits: [
      ['if (scheduling.skipPodSchedule(scheduler, pod)) {', 'if (scheduler.cache.isAssumedPod(pod)) {'],
    ],
  },
  {
    id: 'scores-the-only-one',
    why: 'Where there is one node there is nothing to compare, and every score plugin is asked for nothing.',
    origin: 'common',
    law: 'Level 4',
    hidden: 'It costs time and changes nothing.',
    edits: [['if (feasible.length === 1) return', 'if (feasible.length === 0) return']],
  },
  {
    id: 'always-begins-at-the-first',
    why: 'In a large cluster only some nodes are looked at: always the same, if one always begins with the same.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        'filtering.findNodesThatFit({ plugins, state, pod, snapshot, startIndex })',
        'filtering.findNodesThatFit({ plugins, state, pod, snapshot, startIndex: startIndex && 0 })',
      ],
    ],
  },
];
