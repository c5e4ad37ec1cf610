import type { Mistake } from '#harness/testing';

/** The laws alone kill each mistake. */
export const lawsSuffice = true;

/**
 * Wrong controllers, each made by one or two edits of the reference. `k#` is an issue or pull request of
 * kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [
  {
    id: 'evicted-pods-count',
    why: 'An evicted pod counts as healthy until its deletion is visible, so too many pods are evicted.',
    origin: 'k#36196',
    law: 'Safe',
    edits: [['      disruptedPods[pod.metadata.name] === undefined &&\n', '']],
  },
  {
    id: 'overwrites-evictions',
    why: 'After a conflict, the old counts are written over an eviction that happened meanwhile.',
    origin: 'k#82149',
    law: 'Safe',
    edits: [
      [
        '    await client.updateStatus(podDisruptionBudgets, { ...budget, status }, { signal });',
        '    await client.updateStatus(podDisruptionBudgets, { ...budget, status }, { signal }).catch(async (error) => {\n      if (!isConflict(error)) throw error;\n      const latest = await client.get(podDisruptionBudgets, keyOf(budget));\n      await client.updateStatus(podDisruptionBudgets, { ...latest, status }, { signal });\n    });',
      ],
    ],
  },
  {
    id: 'forgets-evictions',
    why: 'A sync removes all recorded evictions, and the next sync counts their pods as healthy.',
    origin: 'k#34546',
    law: 'Waits',
    edits: [
      [
        '    ...(Object.keys(disruptedPods).length > 0 ? { disruptedPods: { ...disruptedPods } } : {}),\n',
        '',
      ],
    ],
  },
  {
    id: 'terminating-pods-count',
    why: 'A terminating pod counts as healthy, so the next eviction takes one pod too many.',
    origin: 'common',
    law: 'Safe',
    edits: [
      ['      pod.metadata.deletionTimestamp === undefined &&\n      disruptedPods', '      disruptedPods'],
    ],
  },
  {
    id: 'never-looks-again',
    why: 'No sync runs when an eviction without a deletion expires.',
    origin: 'common',
    law: 'Computes',
    edits: [
      [
        '    if (firstExpiryMs !== undefined) this.#queue.addAfter(keyToString(keyOf(budget)), firstExpiryMs);\n',
        '    void firstExpiryMs;\n',
      ],
    ],
  },
  {
    id: 'evictions-never-expire',
    why: 'A pod that was evicted but not deleted never counts as healthy again.',
    origin: 'k#36196',
    law: 'Computes',
    edits: [['    if (leftMs <= 0) {', '    if (leftMs < Number.NEGATIVE_INFINITY) {']],
  },
  {
    id: 'rounds-down',
    why: 'A percentage of healthy pods is rounded down, so one pod too many may be evicted.',
    origin: 'common',
    law: 'Computes',
    edits: [
      [
        'return intstr.getScaledValueFromIntOrPercent(minAvailable, expectedPods, true);',
        'return intstr.getScaledValueFromIntOrPercent(minAvailable, expectedPods, false);',
      ],
    ],
  },
  {
    id: 'counts-each-replica-set',
    why: 'During a rollout, a Deployment counts once for each of its ReplicaSets.',
    origin: 'common',
    law: 'Computes',
    edits: [['scales.set(scale.uid, scale.replicas);', 'scales.set(owner.uid, scale.replicas);']],
  },
  {
    id: 'scale-of-the-replica-set',
    why: 'The scale is the one of the ReplicaSet, not of its Deployment, so it is wrong during a rollout.',
    origin: 'common',
    law: 'Computes',
    edits: [["if (parent?.kind !== 'Deployment') return", "if (parent?.kind !== 'None') return"]],
  },
  {
    id: 'fails-on-unmanaged-pods',
    why: 'One pod without a controller stops the sync, and the budget blocks all evictions.',
    origin: 'k#103414',
    law: 'Computes',
    edits: [
      [
        "        recorder.event(budget, 'Warning', 'UnmanagedPods', unmanagedMessage(budget));\n",
        '        throw new UnknownScale(unmanagedMessage(budget));\n',
      ],
    ],
  },
  {
    id: 'negative-counts',
    why: 'With a maxUnavailable above the number of pods, the status is negative, and the server rejects it.',
    origin: 'calfonso/rusternetes#102',
    law: 'Computes',
    edits: [['return Math.max(0, expectedPods - unavailable);', 'return expectedPods - unavailable;']],
  },
  {
    id: 'allows-without-expected-pods',
    why: 'A budget without expected pods allows evictions before its first pods are counted.',
    origin: 'common',
    law: 'Computes',
    edits: [
      [
        'counts.expectedPods <= 0 ? 0 : Math.max(0, counts.currentHealthy - counts.desiredHealthy)',
        'Math.max(0, counts.currentHealthy - counts.desiredHealthy)',
      ],
    ],
  },
  {
    id: 'keeps-the-generation',
    why: 'The status keeps the generation of the first sync, so the API refuses evictions after a change of the budget.',
    origin: 'common',
    law: 'Computes',
    edits: [
      [
        'const { generation: observedGeneration = 0 } = metadata;\n  // A budget',
        'const observedGeneration = status.observedGeneration ?? metadata.generation ?? 0;\n  // A budget',
      ],
    ],
  },
  {
    id: 'fails-open',
    why: 'A sync that fails leaves the number of allowed disruptions, which may be wrong now.',
    origin: 'k#99598',
    law: 'Computes',
    edits: [['    disruptionsAllowed: 0,\n', '']],
  },
  {
    id: 'waits-for-a-pod',
    why: 'A change of the scale is not noticed before the next change of a pod.',
    origin: 'kubernetes/kubernetes@v1.36.3',
    law: 'Computes',
    edits: [
      [
        '          if (textOf(old) !== textOf(each)) changed(each);\n',
        '          void [old, each, textOf];\n',
      ],
    ],
  },
  {
    id: 'keeps-relabeled-pods',
    why: 'A budget is not synced when a pod leaves it by a change of its labels.',
    origin: 'kubernetes/kubernetes@v1.36.3',
    law: 'Computes',
    edits: [
      [
        'if (!semanticEqual(old.metadata.labels, pod.metadata.labels)) this.#enqueueBudgetsOf(old);',
        'void old;',
      ],
    ],
  },
  {
    id: 'keeps-deleted-pods',
    why: 'A budget is not synced when a pod disappears, so it still counts as expected.',
    origin: 'common',
    law: 'Computes',
    edits: [
      [
        '      onDelete: (last) => this.#enqueueBudgetsOf(lastKnown(last)),\n',
        '      onDelete: (last) => void lastKnown(last),\n',
      ],
    ],
  },
  {
    id: 'resets-at-once',
    why: 'The condition of an evicted pod is reset before its deletion, so the eviction looks like a failure of the pod.',
    origin: 'common',
    law: 'Waits',
    edits: [['const STALE_MS = 120_000;', 'const STALE_MS = 1_000;']],
  },
  {
    id: 'resets-the-kubelets-condition',
    why: 'The condition of a pod that its kubelet ends slowly is reset.',
    origin: 'common',
    law: 'Waits',
    edits: [
      [
        "if (condition?.status !== 'True' || condition.reason === 'TerminationByKubelet') return undefined;",
        "if (condition?.status !== 'True') return undefined;",
      ],
    ],
  },
  {
    id: 'never-resets',
    why: 'A pod that was not deleted keeps its condition, and a later failure counts as a disruption.',
    origin: 'common',
    law: 'Computes',
    edits: [['await Promise.all([syncing, this.#stale.run()]);', 'await syncing;']],
  },
  {
    id: 'always-writes',
    why: 'Each sync writes the status, even if nothing has changed.',
    origin: 'k#103414',
    law: 'Quiet',
    edits: [['    if (semanticEqual(budget.status, status)) return;\n', '']],
  },
];
