import type { Mistake } from '#harness/testing';

/** Mistakes about the decision to delete or keep an object, and about the delete request. */
export const deleting: readonly Mistake[] = [
  {
    id: 'stale-references',
    why: 'The collector uses the owner references from the informer, not the live ones.',
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
    why: 'The delete has a precondition only for the uid, so an object that gets an owner between the read and the delete is deleted.',
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
    why: 'The delete has no preconditions, so an object that was recreated under the same name is deleted.',
    origin: 'k#92743',
    law: 'Careful',
    edits: [['{ preconditions: { uid, resourceVersion }, propagationPolicy }', '{ propagationPolicy }']],
  },
  {
    id: 'second-delete-without-a-look',
    why: 'After a conflict, the delete is retried with the uid alone, whatever has changed.',
    origin: 'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/operations.go deleteObject',
    law: 'Careful',
    edits: [
      ['      if (!isLikewiseUnwanted(latest, changed)) throw error;\n', '      void isLikewiseUnwanted;\n'],
    ],
  },
  {
    id: 'second-delete-forgets-the-policy',
    why: 'A user deletes an object in the foreground; after a conflict the collector deletes it before its dependents.',
    origin: 'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/operations.go deleteObject',
    law: 'Foreground',
    edits: [
      ["(['ownerReferences', 'finalizers', 'deletionTimestamp'] as const)", "(['ownerReferences'] as const)"],
    ],
  },
  {
    id: 'a-conflict-is-the-end',
    why: 'After a conflict, the delete is not retried.',
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
    why: 'Every delete has a precondition for the version, so an object that changes all the time is never deleted.',
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
    why: 'A dependent that stays because of one owner keeps its reference to another owner, which then waits forever.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem',
    law: 'Thorough',
    edits: [['const unwanted = [...dangling, ...waiting].map(', 'const unwanted = dangling.map(']],
  },
  {
    id: 'dangling-references-stay',
    why: 'A dependent that stays keeps its references to absent owners.',
    origin: 'common',
    law: 'Tidy',
    edits: [['const unwanted = [...dangling, ...waiting].map(', 'const unwanted = waiting.map(']],
  },
  {
    id: 'acts-on-what-is-leaving',
    why: 'A user deletes an object and orphans its dependents. The collector has not observed that, and deletes the object with its dependents.',
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
    why: 'The collector examines an object that stays again and again, and patches it each time, although nothing changes.',
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
    why: 'A dependent that is deleted because its owner waits is deleted in the background, before its own dependents.',
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
    why: 'An object with the finalizer `orphan` is deleted together with its dependents.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem',
    law: 'Faithful',
    edits: [["  if (hasFinalizer(object, ORPHAN)) return 'Orphan';\n", '']],
  },
  {
    id: 'foreground-is-forgotten',
    why: 'An object with the finalizer `foregroundDeletion` is deleted before its dependents.',
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
    why: 'A failed attempt is not retried.',
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
