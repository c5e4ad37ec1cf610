import type { Mistake } from '#harness/testing';

/** Mistakes of Level 4 · Scale down the old. */
export const level4: readonly Mistake[] = [
  {
    id: 'budget-from-spec',
    why: 'Pods that were asked for count as available, so that the old ones go before the new ones are ready.',
    origin: 'k#19299: the budget has to be computed from readiness',
    law: 'Stays available',
    edits: [
      [
        'return Math.min(status.availableReplicas ?? 0, spec.replicas);',
        'return status ? spec.replicas : 0;',
      ],
    ],
  },
  {
    id: 'ready-is-available',
    why: 'minReadySeconds is over before it began.',
    origin: 'common',
    law: 'Stays available',
    edits: [
      [
        'return Math.min(status.availableReplicas ?? 0, spec.replicas);',
        'return Math.min(status.readyReplicas ?? 0, spec.replicas);',
      ],
    ],
  },
  {
    id: 'believes-stale-reports',
    why: 'What a ReplicaSet reports it had counts as available, also those pods that it was told to remove.',
    origin: 'upstream: availability is what is reported, however old the report',
    law: 'Level 4',
    edits: [
      [
        'return Math.min(status.availableReplicas ?? 0, spec.replicas);',
        'return spec ? (status.availableReplicas ?? 0) : 0;',
      ],
    ],
  },
  {
    id: 'unhealthy-are-kept',
    why: 'Pods that are not ready are never taken first: a roll-out back from a broken image is blocked by its pods.',
    origin: 'k#67250, k#16737',
    law: 'Converges',
    edits: [['let left = Math.max(0, maxCleanupCount);', 'let left = Math.min(0, maxCleanupCount);']],
  },
  {
    id: 'new-unavailable-pods-are-spent',
    why: 'New pods that crash make room for old pods to go.',
    origin: 'upstream rolling.go describes it: unavailable pods of the new ReplicaSet must not free budget',
    law: 'Level 4',
    edits: [
      [' - minAvailable(deployment) - newUnavailable;', ' - minAvailable(deployment) - 0 * newUnavailable;'],
    ],
  },
  {
    id: 'every-old-one-spends-it-all',
    why: 'What may be missing is taken from each old ReplicaSet, not from all of them together.',
    origin: 'common',
    law: 'Level 4',
    edits: [['      left -= removed;\n', '']],
  },
  {
    id: 'youngest-go-first',
    why: 'The last good ReplicaSet is drained before the one that nobody wants any more.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        'Math.max(0, getAvailableReplicaCountForReplicaSets(all) - minAvailable(deployment));\n  return orders(\n    old.toSorted(byAge)',
        'Math.max(0, getAvailableReplicaCountForReplicaSets(all) - minAvailable(deployment));\n  return orders(\n    old.toSorted((a, b) => byAge(b, a))',
      ],
    ],
  },
  {
    id: 'drains-only-what-it-made',
    why: 'ReplicaSets that were adopted keep their pods for ever.',
    origin: 'k#42571: an old ReplicaSet that is not drained',
    law: 'Converges',
    edits: [
      [
        'const active = filterActiveReplicaSets(old);',
        "const active = filterActiveReplicaSets(old).filter(({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/max-replicas'] !== undefined);",
      ],
    ],
  },
];
