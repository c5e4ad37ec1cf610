import type { Mistake } from '#harness/testing';

/** Mistakes of Level 7 · Status and deadline. */
export const level7: readonly Mistake[] = [
  {
    id: 'status-of-the-wrong-generation',
    why: 'A client that waits for its change to be seen waits for ever.',
    origin: 'common',
    law: 'Says what is',
    edits: [
      [
        'observedGeneration: deployment.metadata.generation ?? 0,',
        'observedGeneration: deployment.status.observedGeneration ?? 1,',
      ],
    ],
  },
  {
    id: 'complete-before-it-was-looked-at',
    why: 'A status of the last generation makes kubectl rollout status say that a roll-out is over that has not begun.',
    origin: 'common',
    law: 'Level 7',
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
        'replicas: getActualReplicaCountForReplicaSets(all),\n      updatedReplicas',
        'replicas: getReplicaCountForReplicaSets(all),\n      updatedReplicas',
      ],
    ],
  },
  {
    id: 'deadline-never-fires',
    why: 'Nothing happens to a roll-out that is stuck, so nobody looks whether it is.',
    origin: 'k#106697, k#40207',
    law: 'Says what is',
    edits: [['if (afterMs === undefined) return;', 'if (afterMs !== 0) return;']],
  },
  {
    id: 'deadline-by-resync',
    why: 'It looks every ten minutes, whenever the deadline is.',
    origin: 'k#34458: before it was queued for its deadline, a Deployment waited for the next resync',
    law: 'Keeps the deadline',
    edits: [['afterMs + DEADLINE_SKEW_MS);', 'Math.max(afterMs, 600_000) + DEADLINE_SKEW_MS);']],
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
    why: 'A roll-out that goes on for longer than the deadline is given up, though each step came in time.',
    origin: 'common: sets a condition that has not changed, which changes nothing',
    law: 'Level 7',
    edits: [
      [
        "    return [\n      ...removeDeploymentCondition(conditions, 'Progressing'),\n      { ...condition, ...(since === undefined ? {} : { lastTransitionTime: since }) },\n    ];\n  }\n  if (deploymentTimedOut",
        '    return setDeploymentCondition(conditions, since ? condition : { ...condition });\n  }\n  if (deploymentTimedOut',
      ],
    ],
  },
  {
    id: 'fewer-old-is-no-progress',
    why: 'Old pods that go are not taken for progress, so a slow drain runs into the deadline.',
    origin: 'common',
    law: 'Level 7',
    edits: [['    oldPods(newStatus) < oldPods(status) ||\n', '']],
  },
  {
    id: 'infinite-deadline-is-a-deadline',
    why: 'MaxInt32 stands for no deadline.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'return spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== MAX_INT32;',
        'return spec.progressDeadlineSeconds !== undefined;',
      ],
    ],
  },
  {
    id: 'speaks-of-the-last-roll-out',
    why: 'Who died before saying that a roll-out began leaves a status in which the last one is complete: no deadline holds for that.',
    origin: 'upstream getNewReplicaSet; k#106697',
    law: 'Level 9',
    edits: [["!progress || (isNews && progress.reason === 'NewReplicaSetAvailable')", '!progress && isNews']],
  },
];
