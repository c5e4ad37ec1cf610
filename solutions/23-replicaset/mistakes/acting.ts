/** Levels 7 to 9: claiming, creating and deleting, the sync. */
import type { Mistake } from '#harness/testing';

/** As measured. */
const GREEN = 'In 2,390 lives, with caches that tell their version and without, no law was red.';

export const acting: readonly Mistake[] = [
  // Level 7 · Claiming
  {
    id: 'adopts-unasked',
    why: 'The cache does not show yet that the ReplicaSet is being deleted: the orphan goes with it.',
    origin: 'k#42639: why the server is asked before',
    law: 'Level 7',
    edits: [
      [
        '        mayAdopt ??= mustBeAlive(syncContext, rs);\n        await mayAdopt;\n',
        '        await mayAdopt;\n',
      ],
      ['/** The cache may not show yet', 'void mustBeAlive;\n\n/** The cache may not show yet'],
    ],
  },
  {
    id: 'the-gone-are-failures',
    why: 'A pod that is gone before it can be claimed makes the sync fail.',
    origin: 'common',
    law: 'Level 7',
    hidden: 'The sync is tried again, and by then the cache does not show the pod.',
    edits: [
      ['if (!isNotFound(error)) failures.push(error);', 'void isNotFound;\n      failures.push(error);'],
    ],
  },
  {
    id: 'adopts-any-of-the-name',
    why: 'The orphan is gone, and another pod has its name: that is adopted, although the ReplicaSet does not select it.',
    origin: 'common',
    law: 'Leaves others alone',
    edits: [
      [
        'await control.adopt(rs, pod);',
        'await control.adopt(rs, { ...pod, metadata: { ...pod.metadata, uid: undefined as never } });',
      ],
    ],
  },
  {
    id: 'one-failure-stops-all',
    why: 'A pod that cannot be claimed keeps the others from being claimed, and a failure is forgotten.',
    origin: 'common',
    law: 'Level 7',
    edits: [['if (!isNotFound(error)) failures.push(error);', 'if (!isNotFound(error)) return claimed;']],
  },

  {
    id: 'adoptions-are-not-noted',
    why: 'A cache that does not show the adoption yet is taken for good enough.',
    origin: 'common',
    law: 'Level 7',
    hidden: `A pod that is adopted twice is what it was. ${GREEN}`,
    edits: [
      [
        "  const adopted = await control.adopt(rs, pod);\n  written.wroteAt(rs.metadata.uid, 'pods', adopted.metadata.resourceVersion);\n",
        '  void written;\n  await control.adopt(rs, pod);\n',
      ],
    ],
  },

  // Level 8 · Creating and deleting
  {
    id: 'creations-are-not-noted',
    why: 'A cache that does not show yet what was created is taken for good enough.',
    origin: 'common',
    law: 'Level 8',
    hidden: `Expectations await the same pods. ${GREEN}`,
    edits: [
      [
        "      written.wroteAt(uid, 'pods', metadata.resourceVersion);\n    } catch",
        '      void written;\n    } catch',
      ],
    ],
  },
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
    id: 'a-namespace-that-goes-is-a-failure',
    why: 'Of a namespace that is being deleted it is told that no pod can be created, as if that were to be mended.',
    origin: 'common',
    law: 'A namespace that goes away',
    edits: [['|| isNamespaceTerminating(error) ?', '|| (isNamespaceTerminating(error) && false) ?']],
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
    id: 'deletes-any-of-the-name',
    why: 'The victim is gone, and another pod has its name: that is deleted.',
    origin: 'common',
    law: 'Leaves others alone',
    edits: [
      [
        'await control.delete(rs, pod);',
        'await control.delete(rs, { ...pod, metadata: { ...pod.metadata, uid: undefined as never } });',
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

  {
    id: 'ranks-of-its-own',
    why: 'How crowded a node is is read off its own pods, without those of the other ReplicaSets of the Deployment.',
    origin: 'common',
    law: 'Deletes in order',
    edits: [
      [
        'getPodsToDelete(active, caches.related(rs), count',
        'getPodsToDelete(active, caches.ownPods(rs), count',
      ],
    ],
  },

  {
    id: 'unseen-deletions-are-not-awaited',
    why: 'A pod that the cache does not show yet is deleted; the cache will show it, and it is counted.',
    origin: 'common',
    law: 'Level 9',
    hidden:
      'The cache shows it between two events of one stream. If it acts just then, the same pod goes first.',
    edits: [
      [
        "        expectations.expect(uid, 'deletions', [pod.metadata.uid]);\n      } catch",
        "        if (caches.pod(pod)) expectations.expect(uid, 'deletions', [pod.metadata.uid]);\n      } catch",
      ],
    ],
  },
  {
    id: 'the-adopted-do-not-count',
    why: 'A pod that it has adopted, and that its cache shows as an orphan, does not count: another is created.',
    origin: 'common',
    law: 'Level 9',
    edits: [["['keep', 'adopt'].includes(classifyPod(cached, rs))", "classifyPod(cached, rs) === 'keep'"]],
  },
  {
    id: 'begins-at-every-look',
    why: 'It started on an old cache which happens to show the right number, and then it believes that cache.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        '  if (replicasDiff(rs.spec.replicas, there.length) === 0) return undefined;\n  const { control, expectations } = syncContext;\n  const { uid } = rs.metadata;\n  expectations.begin(uid);\n',
        '  const { control, expectations } = syncContext;\n  const { uid } = rs.metadata;\n  expectations.begin(uid);\n  if (replicasDiff(rs.spec.replicas, there.length) === 0) return undefined;\n',
      ],
    ],
  },

  // Level 9 · The sync
  {
    id: 'acts-on-an-old-cache',
    why: 'The version of its cache says that it is older than what was written, and nothing asks for it.',
    origin: 'k#129795: why Kubernetes 1.36 asks first of all',
    law: 'Level 9',
    hidden: `Expectations await what the store would wait for, and deletions besides. ${GREEN}`,
    edits: [['  written.ensureReady(uid);\n', '']],
  },
  {
    id: 'statuses-are-not-noted',
    why: 'A cache that does not show the new status yet is taken for good enough.',
    origin: 'common',
    law: 'Level 9',
    hidden: `A status that is written on an old version is refused, and the second try writes the same again. ${GREEN}`,
    edits: [
      [
        "  const updated = await updateReplicaSetStatus(context.client, rs, status);\n  written.wroteAt(uid, 'replicasets', updated.metadata.resourceVersion);\n",
        '  await updateReplicaSetStatus(context.client, rs, status);\n',
      ],
    ],
  },
  {
    id: 'counts-what-has-gone',
    why: 'While it claimed a pod has gone. It deletes that pod, and awaits for five minutes what no handler tells of again.',
    origin: 'common',
    law: 'Prompt',
    edits: [
      ['const there = seen.filter((pod) => isStillSeen(syncContext, rs, pod));', 'const there = seen;'],
    ],
  },
  {
    id: 'dying-and-trusted',
    why: 'The server says that the ReplicaSet is going; the next sync believes the cache, which says that it lives.',
    origin: 'common',
    law: 'Level 9',
    hidden: 'For as long as the cache does not say so a pod may be created for it in any case.',
    edits: [['    expectations.doubt(uid);\n    return undefined;\n', '    return undefined;\n']],
  },
  {
    id: 'no-answer-no-status',
    why: 'The server could not be asked before it acts, and so the status is not written either.',
    origin: 'common',
    law: 'Level 9',
    hidden: `The sync is tried again a few milliseconds later, and writes its status then. ${GREEN}`,
    edits: [['    return asError(error);\n', '    throw error;\n']],
  },
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
    law: 'Leaves the deleted alone',
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
    id: 'fails-without-a-word',
    why: 'The sync ends with the failure, before the status could tell of it: nothing says why there are too few pods.',
    origin: 'common',
    law: 'Tells the truth',
    edits: [
      [
        '  const nowMs = context.clock.now();\n  const terminating',
        '  if (failure) throw failure;\n  const nowMs = context.clock.now();\n  const terminating',
      ],
    ],
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
    id: 'the-gone-are-not-expected',
    why: 'What the cache shows and the server no longer has is counted by the next sync: another pod is deleted in its place.',
    origin: 'common',
    law: 'Level 9',
    edits: [["  expectations.expect(uid, 'deletions', stale.map(uidOf));\n", '  void stale;\n']],
  },
  {
    id: 'asks-too-late',
    why: 'While it claims, what it waits for comes; then it counts pods that it looked up before, and creates others.',
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
