import type { Mistake } from '#harness/testing';

/** Mistakes about owners that wait for their dependents. */
export const waiting: readonly Mistake[] = [
  {
    id: 'foreground-does-not-wait',
    why: 'An owner that is deleted in the foreground disappears before its dependents.',
    origin: 'common',
    law: 'Foreground',
    edits: [['    if (blocking.length === 0) {\n', '    if (blocking.length >= 0) {\n']],
  },
  {
    id: 'every-dependent-blocks',
    why: 'An owner also waits for dependents that do not block it.',
    origin: 'k#121113',
    law: 'Prompt',
    edits: [['uid === this.uid && blockOwnerDeletion', 'uid === this.uid && blockOwnerDeletion !== null']],
  },
  {
    id: 'no-dependent-blocks-that-leaves',
    why: 'An owner does not wait for dependents that are already being deleted.',
    origin: 'common',
    law: 'Foreground',
    edits: [
      [
        'return [...this.dependents].filter(({ owners }) =>\n',
        'return [...this.dependents].filter(({ owners, object }) => !isBeingDeleted(object) &&\n',
      ],
    ],
  },
  {
    id: 'owners-are-not-woken-by-an-end',
    why: 'The last dependent is deleted, but its owner is not processed again and keeps waiting.',
    origin: 'common',
    law: 'Thorough',
    edits: [['    for (const { uid } of node.owners) this.#wakeIfWaiting(uid);\n', '']],
  },
  {
    id: 'owners-are-not-woken-by-a-release',
    why: 'The last dependent stops blocking its owner, but the owner keeps waiting.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go addUnblockedOwnersToDeleteQueue',
    law: 'Thorough',
    edits: [
      [
        '      if (blockOwnerDeletion && !blocks) this.#wakeIfWaiting(uid);\n',
        '      void [blockOwnerDeletion, blocks, uid];\n',
      ],
    ],
  },
  {
    id: 'owners-are-woken-by-a-loss-alone',
    why: 'If a dependent keeps its reference but no longer blocks its owner, the owner is not processed again.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go addUnblockedOwnersToDeleteQueue',
    law: 'Thorough',
    edits: [['reference.uid === uid && reference.blockOwnerDeletion);\n', 'reference.uid === uid);\n']],
  },
  {
    id: 'late-dependents-wait',
    why: 'A dependent that is created while its owner waits for another one is ignored until that one is deleted.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go addDependentToOwners',
    law: 'Prompt',
    edits: [['      if (owner.isDeletingDependents) this.#attemptToDelete.add(owner.uid);\n', '']],
  },
  {
    id: 'those-in-a-circle-wait',
    why: 'Objects that own each other, and are all being deleted in the foreground, wait for each other forever.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem',
    law: 'Thorough',
    edits: [
      [
        'else if (dependent.object && waitsFor(dependent, node))',
        'else if (dependent.object && waitsFor(dependent, node) && !node)',
      ],
    ],
  },
  {
    id: 'sees-circles-everywhere',
    why: 'A dependent that waits for its own dependents is mistaken for a cycle, and its owner is deleted before it.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem',
    law: 'Gentle',
    edits: [
      [
        'else if (dependent.object && waitsFor(dependent, node))',
        'else if (dependent.object && (waitsFor(dependent, node) || node))',
      ],
    ],
  },
  {
    id: 'two-are-no-circle',
    why: 'The collector does not detect a cycle of two objects, or of one.',
    origin: 'common',
    law: 'Thorough',
    edits: [
      ['    if (node === other) return true;\n', '    if (node === other && seen.size > 1) return true;\n'],
    ],
  },
  {
    id: 'unblocks-the-first-reference',
    why: 'In a cycle, only the first owner reference stops blocking, although another one closes the cycle.',
    origin: 'common',
    law: 'Thorough',
    edits: [
      [
        '    .filter(({ blockOwnerDeletion }) => blockOwnerDeletion)\n    .map((reference)',
        '    .slice(0, 1)\n    .map((reference)',
      ],
    ],
  },
  {
    id: 'looks-one-step-ahead-for-circles',
    why: 'The collector does not detect a cycle of three or more objects.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem',
    law: 'Thorough',
    edits: [
      [
        '    return node.blockingDependents().some(reaches);\n',
        '    return node.blockingDependents().includes(other);\n',
      ],
    ],
  },
  {
    id: 'others-finalizers-go-too',
    why: 'Together with its own finalizer, the collector removes all other finalizers.',
    origin: 'common',
    law: 'Gentle',
    edits: [
      [
        'const left = finalizers.filter((each) => each !== finalizer);',
        'const left = finalizers.filter((each) => each === finalizer && !each);',
      ],
    ],
  },
  {
    id: 'finalizers-of-another-version',
    why: 'The collector overwrites the finalizers with those that it read, and ignores later changes.',
    origin: 'common',
    law: 'Orphans',
    edits: [
      [
        'metadata: { uid, resourceVersion, finalizers: left }',
        'metadata: { uid, finalizers: left, ...(resourceVersion ? {} : { resourceVersion }) }',
      ],
    ],
  },
  {
    id: 'orphans-are-not-freed',
    why: 'An owner is deleted while its dependents still reference it.',
    origin: 'k#25599',
    law: 'Orphans',
    edits: [
      ['        left().map(async (dependent) => {', '        left().slice(0, 0).map(async (dependent) => {'],
      ['} while (left().length > 0);', '} while (false as boolean);'],
    ],
  },
  {
    id: 'a-failure-is-passed-over',
    why: 'If a dependent cannot be orphaned, the collector ignores the error and deletes the owner.',
    origin: 'common',
    law: 'Orphans',
    edits: [
      [
        'catch((error: unknown) => {\n      if (!isNotFound(error)) throw error;\n    });',
        'catch((error: unknown) => {\n      void error;\n    });',
      ],
    ],
  },
  {
    id: 'orphans-known-at-the-start',
    why: 'Dependents that are observed while the others are being orphaned are deleted.',
    origin: 'k#26120',
    law: 'Orphans',
    edits: [['} while (left().length > 0);', '} while (left().length < 0);']],
  },
  {
    id: 'orphaning-is-not-tried-again',
    why: 'A failed attempt to orphan dependents is not retried, and the owner waits forever.',
    origin: 'common',
    law: 'Thorough',
    edits: [
      [
        'sync: (uid) => collector.attemptToOrphan(uid),',
        'sync: (uid) => collector.attemptToOrphan(uid).catch(() => {}),',
      ],
    ],
  },
  {
    id: 'a-second-deletion-is-no-news',
    why: 'If an object that is being deleted is deleted again, in the foreground or with orphans, it waits forever.',
    origin: 'k#77081',
    law: 'Thorough',
    edits: [
      [
        '    this.#noteDeletion(node, previous);\n',
        '    if (!previous?.metadata.deletionTimestamp) this.#noteDeletion(node, previous);\n',
      ],
    ],
  },
];
