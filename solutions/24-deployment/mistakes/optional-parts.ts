/** Levels 10 to 12, marked ★: scaling in proportion, Recreate, history and rollback. */
import type { Mistake } from '#harness/testing';

export const optionalParts: readonly Mistake[] = [
  // Level 10 ★ · Scale in proportion
  {
    id: 'proportion-of-what-is-there',
    why: 'The proportion is computed from the existing pods, not from the desired ones with the surge.',
    misconception: 'You seem to believe that the present number of pods is the wished one.',
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
    why: 'No ReplicaSet gets the rounding difference.',
    misconception: 'You seem to believe that rounded shares always add up.',
    origin: 'common',
    law: 'Level 10',
    edits: [['Math.max(0, first[1] + toAdd - added)', 'Math.max(0, first[1])']],
  },
  {
    id: 'scales-without-the-surge',
    why: 'In the middle of a rollout the surge is removed, so that the next step has no room.',
    misconception: 'You seem to believe that a rollout can pause while you scale.',
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
    why: 'The smallest ReplicaSet gets the rounding difference.',
    misconception: 'You seem to believe that it does not matter who gets the remainder.',
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
    why: 'A ReplicaSet that already has its new size does not get the annotation for it: the scaling never ends, and blocks the rollout.',
    misconception: 'You seem to believe that a ReplicaSet that keeps its size has nothing to record.',
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
    why: 'One ReplicaSet grows before the other shrinks: a controller that crashes between the two writes leaves too many pods.',
    misconception: 'You seem to believe that two writes happen at the same time.',
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
    why: 'Every rollout counts as a scaling, and the new ReplicaSet never gets its share.',
    misconception: 'You seem to believe that only a user changes the number of pods.',
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
    why: 'With two ReplicaSets under Recreate and a new size, nothing is scaled, and the rollout waits for the scaling.',
    misconception: 'You seem to believe that every strategy scales in proportion.',
    origin: 'upstream isScalingEvent',
    law: 'Level 10',
    edits: [['  if (!isRollingUpdate(deployment) && active.length > 1) return false;\n', '']],
  },

  // Level 11 ★ · Recreate
  {
    id: 'recreate-does-not-wait',
    why: 'Old and new pods run at the same time, which Recreate must prevent.',
    misconception: 'You seem to believe that an old pod is gone once you have asked for its end.',
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
    why: 'A ReplicaSet no longer counts a pod that is being deleted, although the pod still runs.',
    misconception: 'You seem to believe that a pod that no longer counts no longer runs.',
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
    why: 'Pods in phase Unknown do not count, although an unreachable node may still run them.',
    misconception: 'You seem to believe that a pod does not run if its node is silent.',
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
    why: 'The rollout waits forever for a failed pod, because no controller deletes it.',
    misconception: 'You seem to believe that a failed pod will be removed by somebody.',
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
    why: 'The newest ReplicaSets, which a user is most likely to roll back to, are deleted.',
    misconception: 'You seem to believe that users go back to the oldest revision.',
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
    why: 'A ReplicaSet that still has pods is deleted, together with them.',
    misconception: 'You seem to believe that an old ReplicaSet has no pods.',
    origin: 'common',
    law: 'Level 12',
    edits: [
      ['        spec.replicas === 0 &&\n        status.replicas === 0 &&\n', '        spec !== status &&\n'],
    ],
  },
  {
    id: 'history-by-an-earlier-status',
    why: 'A ReplicaSet was scaled a moment ago, and its status does not report the pods yet: it is deleted, together with them.',
    misconception: 'You seem to believe that a status is never older than the spec beside it.',
    origin: 'common',
    law: 'Trims history',
    edits: [
      [
        '        (status.observedGeneration ?? 0) >= (metadata.generation ?? 0),',
        '        metadata !== undefined,',
      ],
    ],
  },
  {
    id: 'history-never-trimmed',
    why: 'Old ReplicaSets accumulate.',
    misconception: 'You seem to believe that history costs nothing.',
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
    why: 'If a ReplicaSet cannot be deleted, the next one is deleted in its place, although it is within the limit.',
    misconception: 'You seem to believe that the limit counts deletions and not ReplicaSets.',
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
    why: 'The template gets the hash label of the old ReplicaSet, and so differs from it forever.',
    misconception: 'You seem to believe that the template of a ReplicaSet is the template of its Deployment.',
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
    why: 'A ReplicaSet of another controller matches the labels, and the rollback copies its template.',
    misconception: 'You seem to believe that matching labels alone make a ReplicaSet yours.',
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
