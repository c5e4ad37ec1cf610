import type { Mistake } from '#harness/testing';

/** Mistakes of Level 4 · One pod, one node. */
export const level4: readonly Mistake[] = [
  {
    id: 'no-node-names-no-plugin',
    why: 'The rejection without any nodes names no plugin, so that no event wakes the pod.',
    misconception: 'You seem to believe that a cluster without nodes stays without nodes.',
    origin: 'common',
    law: 'Level 4',
    edits: [['if (numAllNodes === 0) throw new scheduling.NoNodesAvailableError();', '']],
  },
  {
    id: 'the-first-that-fits',
    why: 'Takes the first feasible node, without scores.',
    misconception: 'You seem to believe that every node that can run a pod is equally good.',
    origin: 'common',
    law: 'Level 4',
    edits: [['if (feasible.length === 1) return', 'if (feasible.length >= 1) return']],
  },
  {
    id: 'schedules-the-dying',
    why: 'A pod that is being deleted is scheduled, and occupies room that other pods could use.',
    misconception: 'You seem to believe that a pod that is being deleted still needs a node.',
    origin: 'common',
    law: 'Leaves others alone',
    edits: [
      ['if (scheduling.skipPodSchedule(scheduler, pod)) {', 'if (scheduler.cache.isAssumedPod(pod)) {'],
    ],
  },
  {
    id: 'scores-the-only-one',
    why: 'Calls every score plugin even if there is only one feasible node.',
    origin: 'common',
    law: 'Level 4',
    hidden: 'It costs time, but changes nothing.',
    edits: [['if (feasible.length === 1) return', 'if (feasible.length === 0) return']],
  },
  {
    id: 'always-begins-at-the-first',
    why: 'Every search starts at the first node: in a large cluster, the same nodes are always chosen.',
    misconception: 'You seem to believe that it does not matter which nodes a search reaches first.',
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
