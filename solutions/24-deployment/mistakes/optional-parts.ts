/** Levels 10 to 12, marked ★: scaling in proportion, Recreate, history and rollback. */
import type { Mistake } from '#harness/testing';

export const optionalParts: readonly Mistake[] = [
  // Level 10 ★ · Scale in proportion
  {
    id: 'proportion-of-what-is-there',
    why: 'A share of the pods that there are is not a share of what was asked for with the surge.',
    origin: 'common: forgets the annotation max-replicas',
    law: 'Level 10',
    edits: [
      [
        'const before = getReplicasAnnotation(replicaSet, MAX_REPLICAS) || deployment.status.replicas || 0;',
        'const before = deployment.status.replicas || 0;',
      ],
    ],
  },
  {
    id: 'leftovers-are-lost',
    why: 'No ReplicaSet gets what rounding leaves over.',
    origin: 'common',
    law: 'Level 10',
    edits: [['Math.max(0, first[1] + toAdd - added)', 'Math.max(0, first[1])']],
  },
  {
    id: 'scales-without-the-surge',
    why: 'In the middle of a roll-out the surge is taken away, so that the next step finds no room.',
    origin: 'common',
    law: 'Level 10',
    edits: [
      [
        'const allowedSize = replicas > 0 ? replicas + fencepostsOf(deployment).maxSurge : 0;',
        'const allowedSize = replicas;',
      ],
    ],
  },
  {
    id: 'smallest-get-the-rest',
    why: 'What rounding leaves over goes to the smallest.',
    origin: 'common',
    law: 'Level 10',
    edits: [
      [
        'b.spec.replicas - a.spec.replicas || byAge(a, b)',
        'a.spec.replicas - b.spec.replicas || byAge(a, b)',
      ],
    ],
  },
  {
    id: 'annotations-stay-behind',
    why: 'A ReplicaSet that has the right size already is not marked as sized: the change of size is never done with, and nothing is rolled out.',
    origin: 'k#50067: any prefix of the writes must be recoverable; upstream stumbles here',
    law: 'Level 10',
    edits: [
      [
        '.filter((order) => grows(order) !== 0 || isBehind(order))',
        '.filter((order) => grows(order) !== 0 || (isBehind(order) && sizes.length < 0))',
      ],
    ],
  },
  {
    id: 'uses-room-before-it-is-there',
    why: 'One ReplicaSet grows before the other shrinks: a controller that dies between the two writes leaves more pods than there may be.',
    origin: 'upstream scale: writes the biggest first',
    law: 'Level 10',
    edits: [
      [
        '.sort((a, b) => Number(grows(a) > 0) - Number(grows(b) > 0))',
        '.sort((a, b) => Number(grows(b) > 0) - Number(grows(a) > 0))',
      ],
    ],
  },
  {
    id: 'surge-is-a-scaling',
    why: 'Every roll-out is taken for a change of size, and the new ReplicaSet never gets its share.',
    origin: 'common: compares with the size instead of the annotation',
    law: 'Level 10',
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
    law: 'Level 10',
    edits: [['  if (!isRollingUpdate(deployment) && active.length > 1) return false;\n', '']],
  },

  // Level 11 ★ · Recreate
  {
    id: 'recreate-does-not-wait',
    why: 'Old and new run side by side, which is what Recreate is there to prevent.',
    origin: 'common',
    law: 'Never overlaps',
    edits: [
      [
        'if (down.length > 0 || oldPodsRunning(old, caches.podsOf(old))) return before;',
        'if (down.length > 0 || caches.podsOf(old).length < 0) return before;',
      ],
    ],
  },
  {
    id: 'recreate-believes-replica-sets',
    why: 'A ReplicaSet no longer counts a pod that is being deleted, but the pod runs until it is gone.',
    origin: 'k#27362: Recreate must wait for the old pods themselves',
    law: 'Never overlaps',
    edits: [
      [
        "  return oldPods.some(({ status }) => status.phase !== 'Failed' && status.phase !== 'Succeeded');",
        '  return oldPods.length < 0;',
      ],
    ],
  },
  {
    id: 'recreate-ignores-the-unknown',
    why: 'A node that does not answer may still run its pods.',
    origin: 'common',
    law: 'Level 11',
    edits: [
      [
        "status.phase !== 'Failed' && status.phase !== 'Succeeded');",
        "status.phase === 'Pending' || status.phase === 'Running');",
      ],
    ],
  },
  {
    id: 'recreate-waits-for-the-dead',
    why: 'A pod that has failed is never deleted: a roll-out that waits for it waits for ever.',
    origin: 'k#128798: a Recreate stalled until its deadline where an old pod had been evicted',
    law: 'Level 11',
    edits: [
      [
        "  return oldPods.some(({ status }) => status.phase !== 'Failed' && status.phase !== 'Succeeded');",
        '  return oldPods.length > 0;',
      ],
    ],
  },

  // Level 12 ★ · History and rollback
  {
    id: 'history-newest-first',
    why: 'What is deleted is what one would want to go back to.',
    origin: 'common',
    law: 'Level 12',
    edits: [
      [
        '    .toSorted(byRevision)\n    .slice(0,',
        '    .toSorted((a, b) => byRevision(b, a))\n    .slice(0,',
      ],
    ],
  },
  {
    id: 'history-with-pods',
    why: 'A ReplicaSet that has pods still is deleted, and they with it.',
    origin: 'common',
    law: 'Level 12',
    edits: [
      ['        spec.replicas === 0 &&\n        status.replicas === 0 &&\n', '        spec !== status &&\n'],
    ],
  },
  {
    id: 'history-never-trimmed',
    why: 'Old ReplicaSets pile up.',
    origin: 'common',
    law: 'Trims history',
    edits: [
      [
        'if (deploymentComplete(deployment, deployment.status)) {',
        'if (deploymentComplete(deployment, deployment.status) && old.length < 0) {',
      ],
    ],
  },
  {
    id: 'history-in-the-place-of-another',
    why: 'For one that cannot go the next one has to, although it is not too old.',
    origin: 'common',
    law: 'Level 12',
    edits: [
      [
        '.slice(0, Math.max(0, alive.length - limit))\n    .filter(\n      ({ metadata, spec, status }) =>\n        spec.replicas === 0 &&\n        status.replicas === 0 &&\n        (status.observedGeneration ?? 0) >= (metadata.generation ?? 0),\n    );',
        '.filter(({ spec, status }) => spec.replicas === 0 && status.replicas === 0)\n    .slice(0, Math.max(0, alive.length - limit));',
      ],
    ],
  },
  {
    id: 'rollback-keeps-the-hash',
    why: 'The template gets the label of an old ReplicaSet, and is another one for ever.',
    origin: 'kubectl removes it on purpose',
    law: 'Level 12',
    edits: [
      [
        "templateWithoutHash(target.spec.template as Deployment['spec']['template']);",
        'target.spec.template ?? templateWithoutHash(deployment.spec.template);',
      ],
    ],
  },
  {
    id: 'rolls-back-to-the-revisions-of-others',
    why: 'The ReplicaSet of another controller has the labels, and gives this Deployment its template.',
    origin: 'common',
    law: 'Level 12',
    edits: [
      [
        'items.filter((item) => controllerOf(item)?.uid === deployment.metadata.uid);',
        'items.filter((item) => controllerOf(item)?.uid !== undefined || deployment.metadata.uid);',
      ],
    ],
  },
];
