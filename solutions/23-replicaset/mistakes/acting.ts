/** Levels 7 and 8: claiming, creating and deleting; and parts of the sync that act. */
import type { Mistake } from '#harness/testing';

/** A measured result. */
export const GREEN = 'No law failed in 2,390 runs, with and without caches that report their version.';

export const acting: readonly Mistake[] = [
  // Level 7 · Claiming
  {
    id: 'adopts-unasked',
    why: 'The cache does not show yet that the ReplicaSet is being deleted: the adopted orphan is deleted with it.',
    misconception: 'You seem to believe that your cache knows whether the ReplicaSet is being deleted.',
    origin: 'k#42639: why the server is asked before',
    law: 'Level 7',
    edits: [
      [
        '        mayAdopt ??= mustBeAlive(syncContext, rs);\n        await mayAdopt;\n',
        '        await mayAdopt;\n',
      ],
      ['async function mustBeAlive(', 'void mustBeAlive;\n\nasync function mustBeAlive('],
    ],
  },
  {
    id: 'the-gone-are-failures',
    why: 'If a pod is deleted before it can be claimed, the sync fails.',
    origin: 'common',
    law: 'Level 7',
    hidden: 'The sync is retried, and by then the cache does not show the pod.',
    edits: [
      ['if (!isNotFound(error)) failures.push(error);', 'void isNotFound;\n      failures.push(error);'],
    ],
  },
  {
    id: 'adopts-any-of-the-name',
    why: 'The orphan was deleted, and another pod has its name: that pod is adopted, although the ReplicaSet does not select it.',
    misconception: 'You seem to believe that a name still means the orphan that you saw a moment ago.',
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
    id: 'the-released-count',
    why: 'A pod that is released still counts in the status that the same sync writes.',
    misconception: 'You seem to believe that a pod still counts in the sync that lets it go.',
    origin: 'common',
    law: 'Truthful status',
    edits: [
      [
        "if (claim === 'adopt' || claim === 'keep') claimed.push(pod);",
        "if (claim !== 'ignore') claimed.push(pod);",
      ],
    ],
  },
  {
    id: 'counts-before-it-adopts',
    why: 'A pod that was deleted before its adoption counts.',
    origin: 'common',
    law: 'Level 7',
    hidden: 'The event of its deletion wakes the controller, which then counts again.',
    edits: [
      [
        "    try {\n      if (claim === 'adopt') {",
        "    if (claim === 'adopt') claimed.push(pod);\n    try {\n      if (claim === 'adopt') {",
      ],
      [
        "if (claim === 'adopt' || claim === 'keep') claimed.push(pod);",
        "if (claim === 'keep') claimed.push(pod);",
      ],
    ],
  },
  {
    id: 'one-failure-stops-all',
    why: 'A pod that cannot be claimed stops the claims of the others, and its failure is lost.',
    misconception: 'You seem to believe that after one pod fails, nothing can be done for the others.',
    origin: 'common',
    law: 'Level 7',
    edits: [['if (!isNotFound(error)) failures.push(error);', 'if (!isNotFound(error)) return claimed;']],
  },

  {
    id: 'adoptions-are-not-noted',
    why: 'A cache that does not show the adoption yet counts as fresh.',
    origin: 'common',
    law: 'Level 7',
    hidden: `Adopting a pod twice changes nothing. ${GREEN}`,
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
    why: 'A cache that does not show the created pods yet counts as fresh.',
    origin: 'common',
    law: 'Level 8',
    hidden: `Expectations wait for the same pods. ${GREEN}`,
    edits: [
      [
        "      written.wroteAt(uid, 'pods', metadata.resourceVersion);\n    } catch",
        '      void written;\n    } catch',
      ],
    ],
  },
  {
    id: 'creations-are-not-expected',
    why: 'A created pod that is not in the cache yet is created again.',
    misconception: 'You seem to trust your cache to show your creates at once.',
    origin: 'k#7561',
    law: 'Level 8',
    edits: [["      expectations.expect(uid, 'creations', [metadata.uid]);\n", '']],
  },
  {
    id: 'deletions-are-not-expected',
    why: 'While the cache still shows the deleted pods, each sync deletes others.',
    misconception: 'You seem to trust your cache to show your deletes at once.',
    origin: 'elastic/cloud-on-k8s#5274',
    law: 'Level 8',
    edits: [["        expectations.expect(uid, 'deletions', [pod.metadata.uid]);\n", '']],
  },
  {
    id: 'a-namespace-that-goes-is-a-failure',
    why: 'In a namespace that is being deleted, the controller reports the failed creates, although no one can fix them.',
    misconception: 'You seem to believe that every rejected create is a problem to report.',
    origin: 'common',
    law: 'Terminating namespace',
    edits: [['|| isNamespaceTerminating(error) ?', '|| (isNamespaceTerminating(error) && false) ?']],
  },
  {
    id: 'unanswered-create-did-not-happen',
    why: 'A create that timed out counts as failed, and is repeated.',
    misconception: 'You seem to believe that a create without a response did not happen.',
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
    id: 'a-refusal-is-a-doubt',
    why: 'After a rejected create the controller does not trust its cache, although nothing has happened.',
    origin: 'common',
    law: 'Level 8',
    hidden: 'It costs two requests to the server, and changes no object.',
    edits: [
      [
        '      if (mayHaveHappened(error)) expectations.doubt(uid);\n      throw error;\n    }\n  });\n  // The',
        '      expectations.doubt(uid);\n      throw error;\n    }\n  });\n  // The',
      ],
    ],
  },
  {
    id: 'unanswered-delete-did-not-happen',
    why: 'A delete that timed out counts as failed. Meanwhile another pod ranks first, so that two pods are deleted.',
    misconception: 'You seem to believe that a delete without a response did not happen.',
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
    why: 'A delete that timed out without effect is expected: the controller does nothing for five minutes.',
    misconception: 'You seem to believe that a delete without a response certainly happened.',
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
    why: 'The victim was deleted, and another pod has its name: that pod is deleted.',
    misconception: 'You seem to believe that a name still means the pod that you chose to delete.',
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
    why: 'A refused deletion is still expected: the controller retries only after five minutes.',
    misconception: 'You seem to believe that a request has its effect as soon as you send it.',
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
    why: "To rank the nodes, the controller counts only its own pods, not those of the Deployment's other ReplicaSets.",
    misconception: 'You seem to believe that only pods of this ReplicaSet can crowd a node.',
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
    why: 'The controller deletes a pod that the cache does not show yet. The cache will show it later, and it will count.',
    origin: 'common',
    law: 'Level 9',
    hidden:
      'The cache shows the pod between two events of one stream. If the controller acts just then, it deletes the same pod first.',
    edits: [
      [
        "        expectations.expect(uid, 'deletions', [pod.metadata.uid]);\n      } catch",
        "        if (caches.pod(pod)) expectations.expect(uid, 'deletions', [pod.metadata.uid]);\n      } catch",
      ],
    ],
  },
  {
    id: 'the-adopted-do-not-count',
    why: 'A pod that it has adopted, but that its cache shows as an orphan, does not count: another pod is created.',
    misconception: 'You seem to believe that a pod is yours only once your cache says so.',
    origin: 'common',
    law: 'Level 9',
    edits: [["['keep', 'adopt'].includes(classifyPod(cached, rs))", "classifyPod(cached, rs) === 'keep'"]],
  },
  {
    id: 'begins-at-every-look',
    why: 'It starts with a stale cache that happens to show the right number of pods, and then it trusts that cache.',
    misconception: 'You seem to believe that a cache with the right number of pods shows the right pods.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        '  if (replicasDiff(rs.spec.replicas, there.length) === 0) return undefined;\n  const { control, expectations } = syncContext;\n  const { uid } = rs.metadata;\n  expectations.begin(uid);\n',
        '  const { control, expectations } = syncContext;\n  const { uid } = rs.metadata;\n  expectations.begin(uid);\n  if (replicasDiff(rs.spec.replicas, there.length) === 0) return undefined;\n',
      ],
    ],
  },
];
