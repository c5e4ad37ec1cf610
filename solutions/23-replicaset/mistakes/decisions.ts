/** Levels 1 to 4: decisions on plain objects. */
import type { Mistake } from '#harness/testing';

export const decisions: readonly Mistake[] = [
  // Level 1 · Which pods count, and what owns them
  {
    id: 'ended-pods-count',
    why: 'A pod that has failed or succeeded is counted: it never comes back, and no other is made in its place.',
    origin: 'common',
    law: 'Level 1',
    edits: [['return !hasEnded(pod) && pod.metadata', 'return pod.metadata']],
  },
  {
    id: 'dying-pods-count',
    why: 'A pod that is being deleted is counted until it is gone, so that its successor comes late.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      ['return !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined;', 'return !hasEnded(pod);'],
    ],
  },
  {
    id: 'steals-controlled-pods',
    why: 'A pod that something else controls is asked for, too. The server refuses, and no sync ever succeeds.',
    origin: 'k#42175',
    law: 'Level 1',
    edits: [
      [
        "  if (controller && controller.uid !== rs.metadata.uid) return 'ignore';\n  const matches = selectorOf(rs).matches(pod.metadata.labels);",
        "  const matches = selectorOf(rs).matches(pod.metadata.labels);\n  if (controller && controller.uid !== rs.metadata.uid) return matches ? 'adopt' : 'ignore';",
      ],
    ],
  },
  {
    id: 'same-name-same-owner',
    why: 'A ReplicaSet that is made again under its name counts the pods of the one before.',
    origin: 'common',
    law: 'Level 1',
    edits: [['controller.uid !== rs.metadata.uid', 'controller.name !== rs.metadata.name']],
  },
  {
    id: 'never-releases',
    why: 'A pod whose labels were changed, to look at it in peace, is still held and counted.',
    origin: 'common',
    law: 'Adopts and releases',
    edits: [["if (controller) return 'release';", "if (controller) return 'keep';"]],
  },
  {
    id: 'adopts-while-terminating',
    why: 'A ReplicaSet that is being deleted still adopts and releases, while the garbage collector decides about its pods.',
    origin: 'k#42639',
    law: 'Level 1',
    edits: [["  if (rs.metadata.deletionTimestamp !== undefined) return 'ignore';\n", '']],
  },
  {
    id: 'adopts-the-dying',
    why: 'A pod that is being deleted is adopted, although it will be gone in a moment.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'The sync hands no pod that is being deleted to it.',
    edits: [["matches && pod.metadata.deletionTimestamp === undefined ? 'adopt'", "matches ? 'adopt'"]],
  },

  // Level 2 · What a new pod looks like
  {
    id: 'owner-without-control',
    why: 'The ReplicaSet is an owner of the pod and does not control it: the first that selects the pod adopts it.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        'ownerReferences: [newControllerRef(rs)],',
        'ownerReferences: [{ ...newControllerRef(rs), controller: false }],',
      ],
    ],
  },
  {
    id: 'labels-of-the-selector',
    why: 'The pod has the labels that the selector asks for, and not those of the template.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        '      ...(labels === undefined ? {} : { labels }),\n',
        '      ...(labels === undefined ? {} : { labels: rs.spec.selector.matchLabels ?? {} }),\n',
      ],
    ],
  },
  {
    id: 'annotations-are-lost',
    why: 'What the template says in annotations never reaches the pods.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      ['      ...(annotations === undefined ? {} : { annotations }),\n', ''],
      ['labels, annotations, finalizers', 'labels, finalizers'],
    ],
  },

  {
    id: 'finalizers-are-lost',
    why: 'What is to be done before a pod goes is never waited for.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      ['      ...(finalizers === undefined ? {} : { finalizers }),\n', ''],
      ['labels, annotations, finalizers', 'labels, annotations'],
    ],
  },

  {
    id: 'containers-and-nothing-else',
    why: 'The pod has the containers of the template, and nothing else that the template says: it runs on the wrong nodes.',
    origin: 'common',
    law: 'Like the template',
    edits: [["spec: spec as Pod['spec'],", "spec: { containers: spec?.containers } as Pod['spec'],"]],
  },

  // Level 3 · Which pods are deleted
  {
    id: 'nodes-do-not-count',
    why: 'A pod that has no node yet goes no sooner than one that has.',
    origin: 'common',
    law: 'Deletes in order',
    edits: [['    ascending(one, other, ({ spec }) => (spec.nodeName ? 1 : 0)) ||\n', '']],
  },
  {
    id: 'phases-do-not-count',
    why: 'A pod that is still pending goes no sooner than one that runs and is not ready.',
    origin: 'common',
    law: 'Deletes in order',
    edits: [["=> PHASE_ORDER[status.phase ?? ''] ?? 0)", "=> 0 * (PHASE_ORDER[status.phase ?? ''] ?? 0))"]],
  },
  {
    id: 'ready-times-do-not-count',
    why: 'A pod that has been ready for a day goes sooner than one that is ready only now.',
    origin: 'common',
    law: 'Deletes in order',
    edits: [
      [
        '    compareAges(one, other, readySinceMs, nowMs) ||\n',
        '    0 * compareAges(one, other, readySinceMs, nowMs) ||\n',
      ],
    ],
  },
  {
    id: 'ready-pods-go-first',
    why: 'To scale down takes those that serve and leaves those that do not.',
    origin: 'openshift/origin#7271',
    law: 'Deletes in order',
    edits: [
      [
        'ascending(one, other, (pod) => (isReady(pod) ? 1 : 0)) ||',
        'ascending(other, one, (pod) => (isReady(pod) ? 1 : 0)) ||',
      ],
    ],
  },
  {
    id: 'cost-does-not-count',
    why: 'A pod that says that it is cheap to delete stays, and a dear one goes.',
    origin: 'common',
    law: 'Deletes in order',
    edits: [['    ascending(one, other, getDeletionCost) ||\n', '']],
  },
  {
    id: 'rank-before-cost',
    why: 'What an operator says of a pod counts less than where it happens to be.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'ascending(one, other, getDeletionCost) ||\n    b.rank - a.rank ||',
        'b.rank - a.rank ||\n    ascending(one, other, getDeletionCost) ||',
      ],
    ],
  },
  {
    id: 'ages-to-the-second',
    why: 'The youngest always goes, so that the pods on the oldest nodes are never replaced.',
    origin: 'k#96748: why ages are compared by magnitude',
    law: 'Level 3',
    edits: [['return ageMs > 0 ? Math.floor(Math.log2(ageMs * 1e6)) : -1;', 'return ageMs;']],
  },
  {
    id: 'restarts-of-the-first-container',
    why: 'A pod whose second container restarts again and again counts as healthy.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'return Math.max(0, ...(status.containerStatuses ?? []).map(({ restartCount }) => restartCount));',
        'return status.containerStatuses?.[0]?.restartCount ?? 0;',
      ],
    ],
  },
  {
    id: 'restarts-of-all-containers',
    why: 'Restarts are added up: a pod with many containers goes before one that crashes.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        'return Math.max(0, ...(status.containerStatuses ?? []).map(({ restartCount }) => restartCount));',
        'return (status.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0);',
      ],
    ],
  },

  // Level 4 · Slow start
  {
    id: 'all-at-once',
    why: 'A template that is refused is refused five hundred times a sync.',
    origin: 'k#49988: why creates start slowly',
    law: 'Starts slowly',
    edits: [['let size = initialBatchSize; successes < count;', 'let size = count; successes < count;']],
  },
  {
    id: 'goes-on-after-a-failure',
    why: 'A failure is noted, and the next batch, twice as big, fails alike.',
    origin: 'common',
    law: 'Level 4',
    edits: [['if (failures[0]) return { successes,', 'if (failures[0] && size > 1) return { successes,']],
  },
  {
    id: 'batches-never-grow',
    why: 'Five hundred pods are made one after the other.',
    origin: 'common',
    law: 'Level 4',
    edits: [['successes < count; size *= 2)', 'successes < count; size += 0)']],
  },
];
