/** Level 9: the sync. */
import type { Mistake } from '#harness/testing';
import { GREEN } from './acting.ts';

export const sync: readonly Mistake[] = [
  // Level 9 · The sync
  {
    id: 'acts-on-an-old-cache',
    why: "The version of its cache shows that it is older than the controller's writes, but nothing checks it.",
    origin: 'k#129795: why Kubernetes 1.36 asks first of all',
    law: 'Level 9',
    hidden: `Expectations wait for the same pods as the store, and for deletions besides. ${GREEN}`,
    edits: [['  written.ensureReady(uid);\n', '']],
  },
  {
    id: 'statuses-are-not-noted',
    why: 'A cache that does not show the new status yet counts as fresh.',
    origin: 'common',
    law: 'Level 9',
    hidden: `A status update at an old version is refused, and the retry writes the same status. ${GREEN}`,
    edits: [
      [
        "  const updated = await updateReplicaSetStatus(context.client, rs, status);\n  written.wroteAt(uid, 'replicasets', updated.metadata.resourceVersion);\n",
        '  await updateReplicaSetStatus(context.client, rs, status);\n',
      ],
    ],
  },
  {
    id: 'counts-what-has-gone',
    why: 'A pod is deleted while the controller claims. The controller deletes it, too, and waits five minutes for an event that never comes.',
    misconception: 'You seem to believe that nothing changes while you wait for a response.',
    origin: 'common',
    law: 'Prompt',
    edits: [
      ['const there = seen.filter((pod) => isStillSeen(syncContext, rs, pod));', 'const there = seen;'],
    ],
  },
  {
    id: 'the-terminating-count',
    why: 'A pod is marked for deletion while the controller claims. It still counts. If the controller deletes it, too, it waits for an event that has come already.',
    misconception: 'You seem to believe that a pod counts as long as your cache has it.',
    origin: 'common',
    law: 'Prompt',
    edits: [
      ['cached !== undefined && isPodActive(cached) &&', 'cached !== undefined &&'],
      ['export function isStillSeen(', 'void isPodActive;\n\nexport function isStillSeen('],
    ],
  },
  {
    id: 'the-relabeled-count',
    why: 'A pod loses its labels while the controller claims. It still counts, so the controller deletes another.',
    origin: 'kubernetes/kubernetes@v1.36.3 acts on the pods that it listed when the sync began',
    law: 'Level 9',
    hidden:
      'The labels could also change just after a correct controller looks. The next sync releases the pod and replaces the deleted one.',
    edits: [
      [" && ['keep', 'adopt'].includes(classifyPod(cached, rs));", ';'],
      ['export function isStillSeen(', 'void classifyPod;\n\nexport function isStillSeen('],
    ],
  },
  {
    id: 'dying-and-trusted',
    why: 'The server reports that the ReplicaSet is being deleted; the next sync trusts the cache, which does not show that.',
    origin: 'common',
    law: 'Level 9',
    hidden: 'Until the cache shows the deletion, a pod may be created in any case.',
    edits: [['    expectations.doubt(uid);\n    return undefined;\n', '    return undefined;\n']],
  },
  {
    id: 'no-answer-no-status',
    why: 'If the list from the server fails, the status is not written either.',
    origin: 'common',
    law: 'Level 9',
    hidden: `The sync is retried a few milliseconds later, and then writes the status. ${GREEN}`,
    edits: [['    return asError(error);\n', '    throw error;\n']],
  },
  {
    id: 'orphans-are-not-looked-for',
    why: 'A pod without a controller is never adopted.',
    misconception: 'You seem to believe that only pods that you created can be yours.',
    origin: 'k#32829',
    law: 'Adopts and releases',
    edits: [['[...own, ...caches.orphans(namespace)]', '[...own, ...caches.orphans(String())]']],
  },
  {
    id: 'adopts-the-ended',
    why: 'A pod without a controller that has failed or succeeded is adopted, and counts.',
    misconception: 'You seem to believe that every orphan is worth adopting.',
    origin: 'common',
    law: 'Leaves others alone',
    edits: [
      [
        '[...own, ...caches.orphans(namespace)].filter(isPodActive)',
        '[...own.filter(isPodActive), ...caches.orphans(namespace)]',
      ],
    ],
  },
  {
    id: 'wants-what-the-cache-wants',
    why: 'The controller reads the ReplicaSet from the server, and then acts on the size that its stale cache shows.',
    misconception: 'You seem to doubt the pods of your cache, but not the rest of it.',
    origin: 'common',
    law: 'Never too many',
    isFirstDraft: true,
    edits: [
      ['return await act(syncContext, fresh, claimed);', 'return await act(syncContext, rs, claimed);'],
    ],
  },
  {
    id: 'acts-while-terminating',
    why: 'While the garbage collector deletes the pods of a terminating ReplicaSet, it creates new ones.',
    misconception: 'You seem to believe that a ReplicaSet needs its pods until it has disappeared.',
    origin: 'k#27438',
    law: 'Respects deletion',
    edits: [
      [
        "const acts = state !== 'pending' && deletionTimestamp === undefined;",
        "const acts = state !== 'pending' && deletionTimestamp !== '';",
      ],
    ],
  },
  {
    id: 'failure-is-swallowed',
    why: 'A refused operation is recorded in the status, but not retried.',
    misconception: 'You seem to believe that a failure is dealt with once the status reports it.',
    origin: 'k#67662',
    law: 'Level 9',
    edits: [['  if (failure) throw failure;\n', '']],
  },
  {
    id: 'refused-status-is-swallowed',
    why: 'A status that the server refuses twice is not written again, so the number of ready pods stays wrong.',
    misconception: 'You seem to believe that a rejected status does no harm.',
    origin: 'common',
    law: 'Final status',
    edits: [
      [
        'const updated = await updateReplicaSetStatus(context.client, rs, status);',
        'const updated = await updateReplicaSetStatus(context.client, rs, status).catch(() => rs);',
      ],
    ],
  },
  {
    id: 'fails-without-a-word',
    why: 'The sync throws the failure before it writes the status: the status does not explain why pods are missing.',
    misconception: 'You seem to believe that a sync that fails has nothing to report.',
    origin: 'common',
    law: 'Truthful status',
    edits: [
      [
        '  const nowMs = context.clock.now();\n  const terminating',
        '  if (failure) throw failure;\n  const nowMs = context.clock.now();\n  const terminating',
      ],
    ],
  },
  {
    id: 'tries-again-at-once',
    why: 'A refused operation is retried without a back-off, as fast as the server can refuse it.',
    misconception: 'You seem to believe that a rejected request succeeds if it is only repeated soon enough.',
    origin: 'common',
    law: 'Backs off',
    edits: [['  if (failure) throw failure;\n', '  if (failure) queue.add(key);\n']],
  },
  {
    id: 'all-is-well-at-every-look',
    why: 'Each sync writes a new condition with a new time, although nothing is wrong: this wakes every watcher.',
    misconception: 'You seem to believe that a write without news disturbs no watcher.',
    origin: 'common',
    law: 'Quiet at rest',
    edits: [
      [
        "  if (!failure) return conditions.filter(({ type }) => type !== 'ReplicaFailure');",
        "  if (!failure) {\n    const since = { status: 'False', lastTransitionTime: formatTime(nowMs) };\n    return [...conditions.filter(({ type }) => type !== 'ReplicaFailure'), { type: 'ReplicaFailure', ...since }];\n  }",
      ],
      ['  if (failure) throw failure;\n', '  queue.addAfter(key, 1_000);\n  if (failure) throw failure;\n'],
    ],
  },
  {
    id: 'availability-needs-an-event',
    why: 'No event occurs when minReadySeconds have passed, so the status stays as it was.',
    misconception: 'You seem to believe that every change comes with an event.',
    origin: 'k#39763: why the ReplicaSet is queued again for when its pods become available',
    law: 'Level 9',
    edits: [
      ['  if (availableMs !== undefined) queue.addAfter(key, availableMs);\n', '  void availableMs;\n'],
    ],
  },
  {
    id: 'expectations-never-end',
    why: 'If an expectation is never fulfilled, nothing wakes the controller.',
    misconception: 'You seem to believe that every expectation ends with an event.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        "  if (expectations.state(uid) === 'pending') queue.addAfter(key, LOOK_AGAIN_MS);\n",
        '  void LOOK_AGAIN_MS;\n',
      ],
    ],
  },
  {
    id: 'waits-twice-as-long',
    why: 'The timer of an earlier expectation fires too early for the present one, and the next is set for five minutes later.',
    misconception: 'You seem to believe that a timer that fires too early will not be missed.',
    origin: 'common',
    law: 'Looks again',
    edits: [['const LOOK_AGAIN_MS = 5_000;', 'const LOOK_AGAIN_MS = 300_001;']],
  },
  {
    id: 'the-unseen-are-not-expected',
    why: 'Pods that only the server shows are not expected: the next sync creates them again.',
    misconception:
      'You seem to believe that your cache shows the pods that you have just read from the server.',
    origin: 'common',
    law: 'Level 9',
    edits: [["  expectations.expect(uid, 'creations', unseen.map(uidOf));\n", '  void unseen;\n']],
  },
  {
    id: 'the-gone-are-not-expected',
    why: 'Pods that only the cache still shows are not expected to end: the next sync counts them, and deletes others.',
    misconception:
      'You seem to believe that your cache has dropped the pods that the server no longer lists.',
    origin: 'common',
    law: 'Level 9',
    edits: [["  expectations.expect(uid, 'deletions', stale.map(uidOf));\n", '  void stale;\n']],
  },
  {
    id: 'asks-too-late',
    why: 'The expectations are fulfilled while the controller claims; it then trusts the pods that it listed before, and creates others.',
    misconception: 'You seem to believe that a cache that is current now was current when you read it.',
    origin: 'common',
    law: 'Never too many',
    edits: [
      ['  const state = expectations.state(uid);\n', ''],
      [
        "  const acts = state !== 'pending'",
        "  const state = expectations.state(uid);\n  const acts = state !== 'pending'",
      ],
    ],
  },
  {
    id: 'doubt-is-lost',
    why: 'The list from the server failed, but the next sync trusts the cache.',
    misconception: 'You seem to believe that a read that fails settles a doubt.',
    origin: 'common',
    law: 'Never too many',
    edits: [['    expectations.doubt(uid);\n    return asError(error);\n', '    return asError(error);\n']],
  },
];
