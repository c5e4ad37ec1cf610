import type { Mistake } from '#harness/testing';

/** Mistakes of Level 5 · Scale in proportion. */
export const level5: readonly Mistake[] = [
  {
    id: 'proportion-of-what-is-there',
    why: 'A share of the pods that there are is not a share of what was asked for with the surge.',
    origin: 'common: forgets the annotation max-replicas',
    law: 'Level 5',
    edits: [
      [
        'const before = getReplicasAnnotation(replicaSet, MAX_REPLICAS) || deployment.status.replicas || 0;',
        'const before = deployment.status.replicas || 0;',
      ],
    ],
  },
  {
    id: 'leftovers-are-lost',
    why: 'What rounding leaves over nobody gets.',
    origin: 'common',
    law: 'Level 5',
    edits: [['Math.max(0, first[1] + toAdd - added)', 'Math.max(0, first[1])']],
  },
  {
    id: 'scales-without-the-surge',
    why: 'In the midst of a roll-out the surge is taken away, so that the next step finds no room.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'const allowedSize = desired > 0 ? desired + maxSurge(deployment) : 0;',
        'const allowedSize = desired;',
      ],
    ],
  },
  {
    id: 'smallest-get-the-rest',
    why: 'What rounding leaves over goes to the smallest.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      ['b.spec.replicas - a.spec.replicas || (toAdd > 0', 'a.spec.replicas - b.spec.replicas || (toAdd > 0'],
    ],
  },
  {
    id: 'annotations-stay-behind',
    why: 'One that has the right size already is not marked as sized: the change of size is never done with, and nothing is rolled out.',
    origin: 'k#50067: any prefix of the writes must be recoverable; upstream stumbles here',
    law: 'Level 5',
    edits: [
      [
        'grows(order) !== 0 ||\n          (active.includes(order.replicaSet) && replicasAnnotationsNeedUpdate(deployment, order.replicaSet))',
        'grows(order) !== 0',
      ],
    ],
  },
  {
    id: 'surge-is-a-scaling',
    why: 'Every roll-out is taken for a change of size, and the new ReplicaSet never gets its share.',
    origin: 'common: compares with the size instead of the annotation',
    law: 'Level 5',
    edits: [
      [
        'return desired !== undefined && desired !== deployment.spec.replicas;',
        'return desired !== undefined && replicaSet.spec.replicas !== deployment.spec.replicas;',
      ],
    ],
  },
  {
    id: 'recreate-waits-for-a-scaling',
    why: 'Two ReplicaSets under Recreate and another size: nothing is scaled, and the roll-out waits for that.',
    origin: 'upstream isScalingEvent',
    law: 'Level 5',
    edits: [['  if (!isRollingUpdate(deployment.spec) && active.length > 1) return false;\n', '']],
  },
];
