/** Levels 1 to 4: decisions on plain objects. */
import type { Mistake } from '#harness/testing';

export const decisions: readonly Mistake[] = [
  // Level 1 · Which pods count, and what owns them
  {
    id: 'ended-pods-count',
    why: 'A failed or succeeded pod counts: it never runs again, and no replacement is created.',
    misconception: 'You seem to count a pod for as long as it exists, whatever it still does.',
    origin: 'common',
    law: 'Level 1',
    edits: [['return !hasEnded(pod) && pod.metadata', 'return pod.metadata']],
  },
  {
    id: 'dying-pods-count',
    why: 'A pod that is being deleted counts until it is removed, so that its replacement comes late.',
    misconception: 'You seem to count on a pod until it has disappeared.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      ['return !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined;', 'return !hasEnded(pod);'],
    ],
  },
  {
    id: 'steals-controlled-pods',
    why: 'It also tries to adopt pods with another controller. The server refuses, and no sync ever succeeds.',
    misconception: 'You seem to believe that matching labels alone make a pod yours.',
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
    why: 'A recreated ReplicaSet counts the pods of the previous one with the same name.',
    misconception: 'You seem to believe that a name means the same ReplicaSet at all times.',
    origin: 'common',
    law: 'Level 1',
    edits: [['controller.uid !== rs.metadata.uid', 'controller.name !== rs.metadata.name']],
  },
  {
    id: 'never-releases',
    why: 'A pod whose labels a user changed, to debug it, stays owned and counted.',
    misconception: 'You seem to believe that a pod stays yours whatever happens to its labels.',
    origin: 'common',
    law: 'Adopts and releases',
    edits: [["if (controller) return 'release';", "if (controller) return 'keep';"]],
  },
  {
    id: 'adopts-while-terminating',
    why: 'A terminating ReplicaSet still adopts and releases pods, although the garbage collector decides about them.',
    misconception: 'You seem to believe that a ReplicaSet claims pods until its last moment.',
    origin: 'k#42639',
    law: 'Level 1',
    edits: [["  if (rs.metadata.deletionTimestamp !== undefined) return 'ignore';\n", '']],
  },
  {
    id: 'adopts-the-dying',
    why: 'A pod that is being deleted is adopted, although it will soon be removed.',
    origin: 'common',
    law: 'Level 1',
    hidden: 'The sync passes no pod that is being deleted.',
    edits: [["matches && pod.metadata.deletionTimestamp === undefined ? 'adopt'", "matches ? 'adopt'"]],
  },
  {
    id: 'the-succeeded-count',
    why: 'A pod that has succeeded counts as active: it never runs again, and no replacement is created.',
    misconception: 'You seem to believe that a pod that ended well still does its work.',
    origin: 'common',
    law: 'Converges',
    edits: [
      ['return !hasEnded(pod) && pod', "return !(hasEnded(pod) && pod.status.phase === 'Failed') && pod"],
    ],
  },

  // Level 2 · What a new pod looks like
  {
    id: 'owner-without-control',
    why: 'The ReplicaSet owns the pod but does not control it: any other ReplicaSet that selects the pod adopts it.',
    misconception: 'You seem to believe that every owner of a pod also controls it.',
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
    why: 'The pod has the labels of the selector, not those of the template.',
    misconception: 'You seem to believe that a pod gets only the labels by which it is found.',
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
    why: 'The annotations of the template never reach the pods.',
    misconception: 'You seem to believe that nothing in a cluster reads the annotations of a pod.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      ['      ...(annotations === undefined ? {} : { annotations }),\n', ''],
      ['labels, annotations, finalizers', 'labels, finalizers'],
    ],
  },

  {
    id: 'finalizers-are-lost',
    why: 'The finalizers of the template never reach the pods.',
    misconception: 'You seem to believe that finalizers never come from a template.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      ['      ...(finalizers === undefined ? {} : { finalizers }),\n', ''],
      ['labels, annotations, finalizers', 'labels, annotations'],
    ],
  },

  {
    id: 'name-without-a-hyphen',
    why: 'The names of the pods run into each other: pod webx7k2p could belong to web or to webx.',
    misconception: "Can a reader of the pod's name see where the name of its ReplicaSet ends?",
    origin: 'common',
    law: 'Like the template',
    edits: [['}-`,', '}`,']],
  },
  {
    id: 'containers-and-nothing-else',
    why: 'The pod has only the containers of the template, not the rest of its spec: it runs on the wrong nodes.',
    misconception: 'You seem to believe that a pod consists of its containers.',
    origin: 'common',
    law: 'Like the template',
    edits: [["spec: spec as Pod['spec'],", "spec: { containers: spec?.containers } as Pod['spec'],"]],
  },

  // Level 3 · Which pods are deleted
  {
    id: 'nodes-do-not-count',
    why: 'A pod without a node has no precedence over a pod with one.',
    misconception: 'You seem to believe that a pod without a place to run is worth as much as any other.',
    origin: 'common',
    law: 'Deletes in order',
    edits: [['    ascending(one, other, ({ spec }) => (spec.nodeName ? 1 : 0)) ||\n', '']],
  },
  {
    id: 'phases-do-not-count',
    why: 'A pending pod has no precedence over a running pod that is not ready.',
    misconception: 'You seem to believe that all pods that are not ready are equally far from ready.',
    origin: 'common',
    law: 'Deletes in order',
    edits: [["=> PHASE_ORDER[status.phase ?? ''] ?? 0)", "=> 0 * (PHASE_ORDER[status.phase ?? ''] ?? 0))"]],
  },
  {
    id: 'unknown-is-pending',
    why: 'A pod with the phase Unknown has the precedence of a pending one, although it may still run.',
    misconception: 'You seem to believe that a pod does not run if its node is silent.',
    origin: 'common',
    law: 'Deletes in order',
    edits: [['Unknown: 1, ', '']],
  },
  {
    id: 'ready-times-do-not-count',
    why: 'A pod that has been ready for a day is deleted before one that has just become ready.',
    misconception: 'You seem to believe that ready pods are equal, however long they have been ready.',
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
    why: 'A scale-down deletes ready pods first and keeps the others.',
    misconception: 'Which pods does your scale-down keep: the pods that serve, or the others?',
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
    why: 'A pod with a low deletion cost stays, and one with a high cost is deleted.',
    misconception: 'You seem to believe that a user has no say in which pods are deleted.',
    origin: 'common',
    law: 'Deletes in order',
    edits: [['    ascending(one, other, getDeletionCost) ||\n', '']],
  },
  {
    id: 'rank-before-cost',
    why: 'The deletion cost, which an operator sets, counts less than the node.',
    misconception: 'You seem to believe that the place of a pod matters more than the wish of its user.',
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
    why: 'The youngest pod is always deleted, so that the pods on the oldest nodes are never replaced.',
    misconception: 'You seem to believe that a second of age makes one pod better than another.',
    origin: 'k#96748: why ages are compared by magnitude',
    law: 'Level 3',
    edits: [['return ageMs > 0 ? Math.floor(Math.log2(ageMs * 1e6)) : -1;', 'return ageMs;']],
  },
  {
    id: 'ages-in-milliseconds',
    why: 'The magnitude of an age is a power of two of milliseconds, not of nanoseconds: its boundaries differ from those of Kubernetes.',
    misconception: 'You seem to believe that the unit of an age does not change its magnitude.',
    origin: 'common',
    law: 'Deletes in order',
    edits: [['Math.floor(Math.log2(ageMs * 1e6))', 'Math.floor(Math.log2(ageMs))']],
  },
  {
    id: 'init-restarts-count',
    why: 'Restarts of an ordinary init container, which has ended, count like those of a sidecar.',
    misconception:
      'You seem to believe that a container that has ended still says something about the health of its pod.',
    origin: 'common',
    law: 'Deletes in order',
    edits: [['filter(({ name }) => sidecars.has(name))', 'filter(({ name }) => sidecars.has(name) || name)']],
  },
  {
    id: 'restarts-of-the-first-container',
    why: 'A pod whose second container keeps restarting counts as healthy.',
    misconception: 'You seem to believe that one container speaks for its whole pod.',
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
    why: 'Restarts are added up: a pod with many containers is deleted before one that crashes.',
    misconception:
      'You seem to believe that ten containers with one restart each are as bad as one container with ten.',
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
    why: 'Five hundred pods of an invalid template are refused in each sync.',
    misconception: 'You seem to believe that the server accepts whatever you ask for.',
    origin: 'k#49988: why creates start slowly',
    law: 'Starts slowly',
    edits: [['let size = initialBatchSize; successes < count;', 'let size = count; successes < count;']],
  },
  {
    id: 'goes-on-after-a-failure',
    why: 'After a failure, the next batch, twice as large, fails in the same way.',
    misconception: 'You seem to believe that a first failure is only bad luck.',
    origin: 'common',
    law: 'Level 4',
    edits: [['if (failures[0]) return { successes,', 'if (failures[0] && size > 1) return { successes,']],
  },
  {
    id: 'goes-on-if-half-succeed',
    why: 'A batch with some failures counts as a success, so the next one, twice as large, starts.',
    misconception: 'You seem to believe that a partial success is a success.',
    origin: 'common',
    law: 'Starts slowly',
    edits: [
      [
        'if (failures[0]) return { successes,',
        'if (failures[0] && failures.length > results.length / 2) return { successes,',
      ],
    ],
  },
  {
    id: 'batches-never-grow',
    why: 'Five hundred pods are created one by one.',
    misconception:
      'You seem to believe that caution is as necessary after a hundred successes as before the first.',
    origin: 'common',
    law: 'Level 4',
    edits: [['successes < count; size *= 2)', 'successes < count; size += 0)']],
  },
];
