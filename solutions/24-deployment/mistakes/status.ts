/** Levels 5 and 6: the status, and the deadline of a rollout. */
import type { Mistake } from '#harness/testing';

export const status: readonly Mistake[] = [
  // Level 5 · The status
  {
    id: 'status-of-the-wrong-generation',
    why: 'A client that waits for `observedGeneration` waits forever.',
    misconception: 'You seem to believe that a status belongs to the newest spec, whichever you acted on.',
    origin: 'common',
    law: 'Final status',
    edits: [
      [
        'observedGeneration: metadata.generation ?? 0,',
        'observedGeneration: status.observedGeneration ?? 1,',
      ],
    ],
  },
  {
    id: 'complete-before-it-was-looked-at',
    why: 'A status of the previous generation makes a rollout complete before it starts: history is trimmed too early.',
    misconception: 'You seem to believe that a status is never older than the spec beside it.',
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
    why: 'The status counts pods that were only requested.',
    misconception: 'You seem to believe that a status describes the wish and not the state.',
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
    why: 'A ReplicaSet with an unknown number of terminating pods counts as having none.',
    origin: 'common: k#128546 tells unknown from none',
    law: 'Level 5',
    hidden: 'The ReplicaSet controller of 1.36 always reports the number.',
    edits: [
      [
        'getTerminatingReplicaCountForReplicaSets(all);',
        'getTerminatingReplicaCountForReplicaSets(all) ?? all.reduce((sum, rs) => sum + (rs.status.terminatingReplicas ?? 0), 0);',
      ],
    ],
  },
  {
    id: 'terminating-of-the-new-only',
    why: 'The status does not count terminating old pods, which are the majority in a rollout.',
    misconception: 'You seem to believe that only the new ReplicaSet has pods to count.',
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
    why: 'The deletion of old pods does not count as progress, so a slow drain exceeds the deadline.',
    misconception: 'You seem to believe that only new pods are progress.',
    origin: 'common',
    law: 'Level 5',
    edits: [['    oldPods(newStatus) < oldPods(status) ||\n', '']],
  },
  {
    id: 'flapping-is-progress',
    why: 'Pods that crash and restart count as progress each time, so that the rollout never exceeds its deadline.',
    misconception: 'You seem to believe that any change is progress.',
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
    why: 'A stuck rollout causes no event, so the controller never checks its deadline.',
    misconception: 'You seem to believe that every change comes with an event.',
    origin: 'k#106697, k#40207',
    law: 'Keeps the deadline',
    edits: [['if (afterMs !== undefined) enqueueAfter(', 'if (afterMs === 0) enqueueAfter(']],
  },
  {
    id: 'deadline-by-resync',
    why: 'It checks every ten minutes, regardless of the deadline.',
    misconception: 'You seem to believe that a regular look is soon enough for any deadline.',
    origin: 'k#34458: before it was queued for its deadline, a Deployment waited for the next resync',
    law: 'Keeps the deadline',
    edits: [['enqueueAfter(deployment, afterMs);', 'enqueueAfter(deployment, Math.max(afterMs, 600_000));']],
  },
  {
    id: 'the-last-second-is-over',
    why: 'A sync less than a second before the deadline sets no timer, so the deadline is never noticed.',
    misconception: 'You seem to believe that less than a second is no time.',
    origin: 'common',
    law: 'Keeps the deadline',
    edits: [['return afterMs < 1_000 ? 0 : afterMs;', 'return afterMs < 1_000 ? undefined : afterMs;']],
  },
  {
    id: 'deadline-in-milliseconds',
    why: 'The deadline in seconds is used as milliseconds, so that healthy rollouts time out.',
    misconception: 'You seem to believe that all times have the same unit.',
    origin: 'common',
    law: 'Keeps the deadline',
    edits: [['spec.progressDeadlineSeconds * 1_000', 'spec.progressDeadlineSeconds * 100']],
  },
  {
    id: 'the-complete-time-out',
    why: 'A rollback starts later than the deadline after the last rollout, and has timed out from the beginning.',
    misconception: 'You seem to believe that the clock of a rollout starts with the rollout before it.',
    origin: 'k#49637',
    law: 'Keeps the deadline',
    edits: [["  if (condition.reason === 'NewReplicaSetAvailable') return false;\n", '']],
  },
  {
    id: 'progress-does-not-count',
    why: 'A rollout that takes longer than the deadline times out, although each step was in time.',
    misconception: 'You seem to believe that a deadline counts from the start, whatever happens meanwhile.',
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
    why: 'A complete rollout that loses a node counts as in progress again, and times out if the pod does not return in time.',
    misconception: 'You seem to believe that a rollout that loses a pod begins again.',
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
    why: 'MaxInt32 counts as a deadline, although it means that there is none.',
    misconception: 'You seem to believe that every number is a deadline.',
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
    why: 'A quota prevents the creation of pods, and the Deployment does not report why the rollout is stuck.',
    misconception: 'You seem to believe that a Deployment has no part in the failures of its ReplicaSet.',
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
    why: 'The Deployment reports that pods cannot be created long after they were.',
    misconception: 'You seem to believe that a condition disappears by itself.',
    origin: 'common',
    law: 'Level 6',
    edits: [["    : removeDeploymentCondition(progressed, 'ReplicaFailure');", '    : [...progressed];']],
  },
];
