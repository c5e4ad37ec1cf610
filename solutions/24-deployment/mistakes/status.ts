/** Levels 5 and 6: what the status says, and when a roll-out is given up. */
import type { Mistake } from '#harness/testing';

export const status: readonly Mistake[] = [
  // Level 5 · The status
  {
    id: 'status-of-the-wrong-generation',
    why: 'A client that waits for its change to be seen waits for ever.',
    origin: 'common',
    law: 'Says what is',
    edits: [
      [
        'observedGeneration: metadata.generation ?? 0,',
        'observedGeneration: status.observedGeneration ?? 1,',
      ],
    ],
  },
  {
    id: 'complete-before-it-was-looked-at',
    why: 'By a status of the last generation a roll-out is over that has not begun: history is trimmed too early.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        '(newStatus.availableReplicas ?? 0) === spec.replicas &&\n    (newStatus.observedGeneration ?? 0) >= (metadata.generation ?? 0)',
        '(newStatus.availableReplicas ?? 0) === spec.replicas && metadata !== undefined',
      ],
    ],
  },
  {
    id: 'counts-what-it-asked-for',
    why: 'The status says that pods are there which were only asked for.',
    origin: 'common',
    law: 'Truthful',
    edits: [
      [
        'replicas: getActualReplicaCountForReplicaSets(all),',
        'replicas: getReplicaCountForReplicaSets(getActualReplicaCountForReplicaSets(all) < 0 ? [] : all),',
      ],
    ],
  },
  {
    id: 'terminating-is-none-if-unknown',
    why: 'A ReplicaSet that does not say how many of its pods still stop counts as one that has none.',
    origin: 'common: k#128546 tells unknown from none',
    law: 'Level 5',
    hidden: 'The ReplicaSet controller of 1.36 always says.',
    edits: [
      [
        'getTerminatingReplicaCountForReplicaSets(all);',
        'getTerminatingReplicaCountForReplicaSets(all) ?? all.reduce((sum, rs) => sum + (rs.status.terminatingReplicas ?? 0), 0);',
      ],
    ],
  },
  {
    id: 'terminating-of-the-new-only',
    why: 'The status does not count the old pods that still stop, which are most of them in a roll-out.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'getTerminatingReplicaCountForReplicaSets(all);',
        'getTerminatingReplicaCountForReplicaSets(newReplicaSet ? [newReplicaSet] : []);',
      ],
    ],
  },
  {
    id: 'fewer-old-is-no-progress',
    why: 'Old pods that go are not taken for progress, so a slow drain runs into the deadline.',
    origin: 'common',
    law: 'Level 5',
    edits: [['    oldPods(newStatus) < oldPods(status) ||\n', '']],
  },
  {
    id: 'flapping-is-progress',
    why: 'Pods that crash and come back count as progress each time, so that the roll-out never meets its deadline.',
    origin: 'common: compares for a difference, not for more',
    law: 'Level 5',
    edits: [
      [
        '(newStatus.readyReplicas ?? 0) > (status.readyReplicas ?? 0)',
        '(newStatus.readyReplicas ?? 0) !== (status.readyReplicas ?? 0)',
      ],
    ],
  },

  // Level 6 · Progress and the deadline
  {
    id: 'deadline-never-fires',
    why: 'Nothing happens to a roll-out that is stuck, so nothing looks whether it is.',
    origin: 'k#106697, k#40207',
    law: 'Keeps the deadline',
    edits: [['if (afterMs !== undefined) enqueueAfter(', 'if (afterMs === 0) enqueueAfter(']],
  },
  {
    id: 'deadline-by-resync',
    why: 'It looks every ten minutes, whenever the deadline is.',
    origin: 'k#34458: before it was queued for its deadline, a Deployment waited for the next resync',
    law: 'Keeps the deadline',
    edits: [['enqueueAfter(deployment, afterMs);', 'enqueueAfter(deployment, Math.max(afterMs, 600_000));']],
  },
  {
    id: 'deadline-in-milliseconds',
    why: 'Seconds are taken for something shorter, and roll-outs are given up that are well under way.',
    origin: 'common',
    law: 'Keeps the deadline',
    edits: [['spec.progressDeadlineSeconds * 1_000', 'spec.progressDeadlineSeconds * 100']],
  },
  {
    id: 'progress-does-not-count',
    why: 'A roll-out that goes on for longer than the deadline is given up, although each step came in time.',
    origin: 'common: sets a condition that has not changed, which changes nothing',
    law: 'Level 6',
    edits: [
      [
        'return replaceDeploymentCondition(conditions, progress(',
        'return setDeploymentCondition(conditions, progress(',
      ],
    ],
  },
  {
    id: 'complete-is-left-again',
    why: 'A finished roll-out that loses a node is one under way again, and is given up if the pod does not come back in time.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        "if (before === 'NewReplicaSetAvailable' && replicas === updatedReplicas) return conditions;",
        "if (before === 'NewReplicaSetAvailable' && replicas !== updatedReplicas && replicas === 0) return conditions;",
      ],
    ],
  },
  {
    id: 'infinite-deadline-is-a-deadline',
    why: 'MaxInt32 stands for no deadline.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        '  const progressed = hasProgressDeadline(rollout.deployment)\n',
        '  const progressed = rollout.deployment.spec.progressDeadlineSeconds !== undefined\n',
      ],
    ],
  },
  {
    id: 'failures-are-not-told',
    why: 'A quota keeps the pods from being created, and the Deployment does not say why nothing moves.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        'const failure = getReplicaFailure(rollout);',
        'const failure = rollout ? undefined : getReplicaFailure(rollout);',
      ],
    ],
  },
  {
    id: 'failures-stay',
    why: 'The Deployment says that pods cannot be created long after they were.',
    origin: 'common',
    law: 'Level 6',
    edits: [["    : removeDeploymentCondition(progressed, 'ReplicaFailure');", '    : [...progressed];']],
  },
];
