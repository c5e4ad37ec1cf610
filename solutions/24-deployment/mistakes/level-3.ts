import type { Mistake } from '#harness/testing';

/** Mistakes of Level 3 · Scale up the new. */
export const level3: readonly Mistake[] = [
  {
    id: 'surge-counts-the-new-only',
    why: 'The old pods are not counted, so that for a while there are twice as many as asked for.',
    origin: 'common',
    law: 'Within budget',
    edits: [
      [
        '- getReplicaCountForReplicaSets(all);\n      const missing',
        '- newReplicaSet.spec.replicas;\n      const missing',
      ],
    ],
  },
  {
    id: 'surge-counts-what-is-there',
    why: 'Pods that were asked for and have not come yet are not counted, and asked for again.',
    origin: 'common',
    law: 'Within budget',
    edits: [
      [
        'const room = spec.replicas + maxSurge(deployment) - getReplicaCountForReplicaSets(all);',
        'const room = spec.replicas + maxSurge(deployment) - getActualReplicaCountForReplicaSets(all);',
      ],
    ],
  },
  {
    id: 'new-fills-all-the-room',
    why: 'With room for more than asked for, the new ReplicaSet takes it, surge and all.',
    origin: 'common',
    law: 'Level 3',
    edits: [['(room > 0 ? Math.min(room, missing) : 0)', 'Math.max(room, 0)']],
  },
  {
    id: 'surge-left-in-place',
    why: 'A new ReplicaSet that is too big never shrinks.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'const shrinks = newReplicaSet.spec.replicas > desired;',
        'const shrinks = newReplicaSet.spec.replicas > 2 * desired + 9;',
      ],
    ],
  },
];
