import type { Mistake } from '#harness/testing';

/** Mistakes about how an object is deleted, or stays. */
export const deleting: readonly Mistake[] = [
  {
    id: 'stale-references',
    why: 'An object is judged by the owners that an informer told of, not by those that it has.',
    origin: 'k#114603',
    law: 'Careful',
    edits: [
      [
        'await this.#deleteIfUnwanted(node, latest, latest.metadata.ownerReferences);',
        'await this.#deleteIfUnwanted(node, latest, node.owners);',
      ],
    ],
  },
  {
    id: 'delete-without-version',
    why: 'A delete names the uid alone: an object that is given an owner between the look and the delete is deleted.',
    origin: 'k#114603',
    law: 'Careful',
    edits: [
      [
        '{ preconditions: { uid, resourceVersion }, propagationPolicy }',
        '{ preconditions: { uid }, propagationPolicy }',
      ],
    ],
  },
  {
    id: 'delete-without-preconditions',
    why: 'A delete names neither uid nor version: an object that was made again under the name is deleted.',
    origin: 'k#92743',
    law: 'Careful',
    edits: [['{ preconditions: { uid, resourceVersion }, propagationPolicy }', '{ propagationPolicy }']],
  },
  {
    id: 'second-delete-without-a-look',
    why: 'A delete that is refused because the object has changed is tried again by the uid, whatever has changed.',
    origin: 'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/operations.go deleteObject',
    law: 'Careful',
    edits: [
      ['      if (!isLikewiseUnwanted(latest, changed)) throw error;\n', '      void isLikewiseUnwanted;\n'],
    ],
  },
  {
    id: 'second-delete-forgets-the-policy',
    why: 'People delete an object in the foreground; after a conflict the collector deletes it before its dependents.',
    origin: 'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/operations.go deleteObject',
    law: 'Foreground',
    edits: [
      ["(['ownerReferences', 'finalizers', 'deletionTimestamp'] as const)", "(['ownerReferences'] as const)"],
    ],
  },
  {
    id: 'a-conflict-is-the-end',
    why: 'A delete that is refused because the object has changed is not tried again.',
    origin: 'common',
    law: 'Thorough',
    edits: [
      [
        '      if (!isConflict(error)) throw error;\n',
        '      if (isConflict(error)) return;\n      throw error;\n',
      ],
    ],
  },
  {
    id: 'only-the-version-that-was-read',
    why: 'A delete is tried by version alone, and one that changes all the time is never deleted.',
    origin: 'k#132632',
    law: 'Prompt',
    edits: [
      [
        '      if (!isLikewiseUnwanted(latest, changed)) throw error;\n',
        '      throw isLikewiseUnwanted(latest, changed) ? error : error;\n',
      ],
    ],
  },
  {
    id: 'of-two-owners-one-waits',
    why: 'A dependent stays for the sake of one owner, keeps its reference to the other, and that one waits for ever.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem',
    law: 'Thorough',
    edits: [['const unwanted = [...dangling, ...waiting].map(', 'const unwanted = dangling.map(']],
  },
  {
    id: 'dangling-references-stay',
    why: 'A dependent that stays keeps its references to owners that are gone.',
    origin: 'common',
    law: 'Tidy',
    edits: [['const unwanted = [...dangling, ...waiting].map(', 'const unwanted = waiting.map(']],
  },
  {
    id: 'acts-on-what-is-leaving',
    why: 'People delete an object with its dependents orphaned; the collector has not heard of it, and deletes it with its dependents.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem',
    law: 'Orphans',
    edits: [
      [
        'latest.metadata.ownerReferences?.length && !isBeingDeleted(latest)',
        'latest.metadata.ownerReferences?.length',
      ],
    ],
  },
  {
    id: 'looks-for-ever',
    why: 'An object that stays is looked at again and again, and patched each time, although there is nothing to change.',
    origin: 'common',
    law: 'Restful',
    edits: [
      [
        '    if (node.isVirtual && this.#graph.get(uid) === node) throw',
        '    if (this.#graph.get(uid) === node) throw',
      ],
      ['      if (unwanted.length > 0) await this.#patch(', '      await this.#patch('],
    ],
  },
  {
    id: 'dependents-go-in-the-background',
    why: 'What goes because its owner waits is deleted in the background, before its own dependents.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem',
    law: 'Deep',
    edits: [
      [
        "waiting.length > 0 && node.dependents.size > 0 ? 'Foreground' : policyRecordedIn(latest);",
        'policyRecordedIn(latest);',
      ],
    ],
  },
  {
    id: 'all-go-in-the-background',
    why: 'An object that says `orphan` of its dependents is deleted with them.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem',
    law: 'Faithful',
    edits: [["  if (hasFinalizer(object, ORPHAN)) return 'Orphan';\n", '']],
  },
  {
    id: 'foreground-is-forgotten',
    why: 'An object that says `foregroundDeletion` of its dependents goes before them.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem',
    law: 'Faithful',
    edits: [
      [
        "return hasFinalizer(object, FOREGROUND_DELETION) ? 'Foreground' : 'Background';",
        "return 'Background';",
      ],
    ],
  },
  {
    id: 'a-failure-is-swallowed',
    why: 'What failed is not tried again.',
    origin: 'common',
    law: 'Thorough',
    edits: [
      [
        'sync: (uid) => collector.attemptToDelete(uid),',
        'sync: (uid) => collector.attemptToDelete(uid).catch(() => {}),',
      ],
    ],
  },
];
