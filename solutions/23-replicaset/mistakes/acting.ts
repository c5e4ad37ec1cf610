/** Levels 7 to 9: claiming, creating and deleting, the sync. */
import type { Mistake } from '#harness/testing';

export const acting: readonly Mistake[] = [
  // Level 7 · Claiming
  {
    id: 'adopts-unasked',
    why: 'The cache does not show yet that the ReplicaSet is being deleted: the orphan goes with it.',
    origin: 'k#42639: why the server is asked before',
    law: 'Level 7',
    edits: [
      ['        mayAdopt ??= mustBeAlive(desk, rs);\n        await mayAdopt;\n', '        await mayAdopt;\n'],
      ['/** The cache may not show yet', 'void mustBeAlive;\n\n/** The cache may not show yet'],
    ],
  },
  {
    id: 'one-failure-stops-all',
    why: 'A pod that cannot be claimed keeps the others from being claimed, and a failure is forgotten.',
    origin: 'common',
    law: 'Level 7',
    edits: [['if (!isNotFound(error)) failures.push(error);', 'if (!isNotFound(error)) return claimed;']],
  },

  // Level 8 · Creating and deleting
  {
    id: 'creations-are-not-expected',
    why: 'A pod that was created and is not in the cache yet is created again.',
    origin: 'k#7561',
    law: 'Level 8',
    edits: [["      expectations.expect(uid, 'creations', [metadata.uid]);\n", '']],
  },
  {
    id: 'deletions-are-not-expected',
    why: 'While the cache still shows the pods that were deleted, each sync deletes others.',
    origin: 'elastic/cloud-on-k8s#5274',
    law: 'Level 8',
    edits: [["        expectations.expect(uid, 'deletions', [pod.metadata.uid]);\n", '']],
  },
  {
    id: 'unanswered-create-did-not-happen',
    why: 'A create that timed out is taken for not done, and done again.',
    origin: 'upstream does this; see "How Kubernetes does it" in the README',
    law: 'Level 8',
    edits: [
      [
        "      expectations.expect(uid, 'creations', [metadata.uid]);\n      written.wroteAt(uid, 'pods', metadata.resourceVersion);\n    } catch (error) {\n      if (mayHaveHappened(error)) expectations.doubt(uid);\n",
        "      expectations.expect(uid, 'creations', [metadata.uid]);\n      written.wroteAt(uid, 'pods', metadata.resourceVersion);\n    } catch (error) {\n",
      ],
    ],
  },
  {
    id: 'unanswered-delete-did-not-happen',
    why: 'A delete that timed out is taken for not done. Meanwhile another pod goes first, and so two are gone.',
    origin: 'upstream does this; see "How Kubernetes does it" in the README',
    law: 'Level 8',
    edits: [
      [
        "expectations.expect(uid, 'deletions', [pod.metadata.uid]);\n      } catch (error) {\n        if (mayHaveHappened(error)) expectations.doubt(uid);\n",
        "expectations.expect(uid, 'deletions', [pod.metadata.uid]);\n      } catch (error) {\n",
      ],
    ],
  },
  {
    id: 'unanswered-delete-is-awaited',
    why: 'A delete that timed out, and was not done, is awaited: five minutes pass before anything else is put right.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        "        await control.delete(rs, pod);\n        expectations.expect(uid, 'deletions', [pod.metadata.uid]);\n      } catch (error) {\n        if (mayHaveHappened(error)) expectations.doubt(uid);\n",
        "        await control.delete(rs, pod);\n        expectations.expect(uid, 'deletions', [pod.metadata.uid]);\n      } catch (error) {\n        if (mayHaveHappened(error)) {\n          expectations.expect(uid, 'deletions', [pod.metadata.uid]);\n          expectations.doubt(uid);\n        }\n",
      ],
    ],
  },
  {
    id: 'refused-and-awaited',
    why: 'A deletion that was refused is still awaited: five minutes pass before it is tried again.',
    origin: 'common',
    law: 'Level 8',
    edits: [
      [
        '        await control.delete(rs, pod);\n',
        "        expectations.expect(uid, 'deletions', [pod.metadata.uid]);\n        await control.delete(rs, pod);\n",
      ],
    ],
  },

  // Level 9 · The sync
  {
    id: 'orphans-are-not-looked-for',
    why: 'A pod that nothing controls is never adopted.',
    origin: 'k#32829',
    law: 'Adopts and releases',
    edits: [['[...own, ...caches.orphans(namespace)]', '[...own, ...caches.orphans(String())]']],
  },
  {
    id: 'acts-while-terminating',
    why: 'While the garbage collector deletes the pods of a ReplicaSet that is going, it makes new ones.',
    origin: 'k#27438',
    law: 'Leaves the dying alone',
    edits: [
      [
        "const acts = state !== 'pending' && deletionTimestamp === undefined;",
        "const acts = state !== 'pending' && deletionTimestamp !== '';",
      ],
    ],
  },
  {
    id: 'failure-is-swallowed',
    why: 'What was refused is written into the status and never tried again.',
    origin: 'k#67662',
    law: 'Level 9',
    edits: [['  if (failure) throw failure;\n', '']],
  },
  {
    id: 'tries-again-at-once',
    why: 'What was refused is tried again without a pause, as fast as the server can refuse it.',
    origin: 'common',
    law: 'Backs off',
    edits: [['  if (failure) throw failure;\n', '  if (failure) queue.add(key);\n']],
  },
  {
    id: 'all-is-well-at-every-look',
    why: 'A condition says each time anew that nothing is wrong, and when: each look wakes whatever watches.',
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
    why: 'When minReadySeconds have passed nothing happens that would wake anything: the status stays as it was.',
    origin: 'k#39763: why the ReplicaSet is queued again for when its pods become available',
    law: 'Level 9',
    edits: [
      ['  if (availableMs !== undefined) queue.addAfter(key, availableMs);\n', '  void availableMs;\n'],
    ],
  },
  {
    id: 'expectations-never-end',
    why: 'Nothing wakes it when what it waits for does not come.',
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
    why: 'The timer of an earlier wait goes off too early for the present one, and the next is set for five minutes later.',
    origin: 'common',
    law: 'Looks again',
    edits: [['const LOOK_AGAIN_MS = 5_000;', 'const LOOK_AGAIN_MS = 300_001;']],
  },
  {
    id: 'the-unseen-are-not-expected',
    why: 'What the server shows and the cache does not is forgotten at once: the next sync creates it again.',
    origin: 'common',
    law: 'Level 9',
    edits: [["  expectations.expect(uid, 'creations', unseen.map(uidOf));\n", '  void unseen;\n']],
  },
  {
    id: 'doubt-is-lost',
    why: 'The server could not be asked, and the next sync believes the cache.',
    origin: 'common',
    law: 'Never too many',
    edits: [
      [
        '    // The server was not asked to the end.\n    expectations.doubt(uid);\n',
        '    // The server was not asked to the end.\n',
      ],
    ],
  },
];
