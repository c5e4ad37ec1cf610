import type { Mistake } from '#harness/testing';

/** Mistakes about owners that wait for their dependents. */
export const waiting: readonly Mistake[] = [
  {
    id: 'foreground-does-not-wait',
    why: 'An owner that is deleted in the foreground goes before its dependents.',
    origin: 'common',
    law: 'Foreground',
    edits: [['    if (blocking.length === 0) {\n', '    if (blocking.length >= 0) {\n']],
  },
  {
    id: 'every-dependent-blocks',
    why: 'An owner waits for dependents that do not block it, too.',
    origin: 'k#121113',
    law: 'Prompt',
    edits: [['uid === this.uid && blockOwnerDeletion', 'uid === this.uid && blockOwnerDeletion !== null']],
  },
  {
    id: 'no-dependent-blocks-that-leaves',
    why: 'An owner does not wait for dependents that are being deleted already.',
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
    why: 'The last dependent goes, and its owner goes on waiting.',
    origin: 'common',
    law: 'Thorough',
    edits: [['    for (const { uid } of node.owners) this.#wakeIfWaiting(uid);\n', '']],
  },
  {
    id: 'owners-are-not-woken-by-a-release',
    why: 'The last dependent blocks its owner no more, and the owner goes on waiting.',
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
    why: 'A dependent keeps its reference and blocks its owner no more: that is no news.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go addUnblockedOwnersToDeleteQueue',
    law: 'Thorough',
    edits: [['reference.uid === uid && reference.blockOwnerDeletion);\n', 'reference.uid === uid);\n']],
  },
  {
    id: 'late-dependents-wait',
    why: 'A dependent that comes while its owner waits for another is left alone until that one has gone.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go addDependentToOwners',
    law: 'Prompt',
    edits: [['      if (owner.isDeletingDependents) this.#attemptToDelete.add(owner.uid);\n', '']],
  },
  {
    id: 'those-in-a-circle-wait',
    why: 'Objects that own each other and are all being deleted in the foreground wait for each other for ever.',
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
    why: 'A dependent that waits for its own dependents is taken for a circle, and its owner goes before it.',
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
    id: 'looks-one-step-ahead-for-circles',
    why: 'A circle of three or more is not found.',
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
    why: 'With its own finalizer the collector takes away those of others.',
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
    why: 'Finalizers are replaced by those of an object that was read, whatever it has by now.',
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
    why: 'An owner is let go with its dependents still naming it.',
    origin: 'k#25599',
    law: 'Orphans',
    edits: [
      ['        left().map(async (dependent) => {', '        left().slice(0, 0).map(async (dependent) => {'],
      ['} while (left().length > 0);', '} while (false as boolean);'],
    ],
  },
  {
    id: 'a-failure-is-passed-over',
    why: 'A dependent that could not be freed is passed over, and its owner let go.',
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
    why: 'Dependents that were told of while the others were freed are deleted.',
    origin: 'k#26120',
    law: 'Orphans',
    edits: [['} while (left().length > 0);', '} while (left().length < 0);']],
  },
  {
    id: 'orphaning-is-not-tried-again',
    why: 'An orphaning that failed is not tried again, and its owner waits for ever.',
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
    why: 'An object that is being deleted is deleted again, in the foreground or with orphans, and waits for ever.',
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
