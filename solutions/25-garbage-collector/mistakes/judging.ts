import type { Mistake } from '#harness/testing';

/** Mistakes about whether an owner is there. */
export const judging: readonly Mistake[] = [
  {
    id: 'absent-by-uid-alone',
    why: 'A reference with a wrong namespace finds no owner, and the uid counts as absent for dependents with a right one, too.',
    origin: 'k#65200',
    law: 'Careful',
    edits: [
      [
        'return JSON.stringify([apiVersion, kind, namespace, name, uid]);',
        'void [apiVersion, kind, namespace, name];\n  return uid;',
      ],
    ],
  },
  {
    id: 'absent-by-name',
    why: 'An owner that is gone counts as absent by its name: the dependents of its successor are deleted.',
    origin: 'k#92743',
    law: 'Careful',
    edits: [
      [
        'return JSON.stringify([apiVersion, kind, namespace, name, uid]);',
        'void uid;\n  return JSON.stringify([apiVersion, kind, namespace, name]);',
      ],
    ],
  },
  {
    id: 'absent-in-every-namespace',
    why: 'What is learnt of an owner in one namespace counts in all of them.',
    origin: 'k#65200',
    law: 'Careful',
    edits: [
      [
        'return JSON.stringify([apiVersion, kind, namespace, name, uid]);',
        'void namespace;\n  return JSON.stringify([apiVersion, kind, name, uid]);',
      ],
    ],
  },
  {
    id: 'every-owner-is-namespaced',
    why: 'A cluster-scoped owner is looked for in the namespace of its dependent, and is not found.',
    origin: 'k#98040',
    law: 'Careful',
    edits: [
      [
        "return { apiVersion, kind, namespace: scoped ? namespace : '', name, uid };",
        'void scoped;\n  return { apiVersion, kind, namespace, name, uid };',
      ],
      [
        '      return object.metadata.uid === reference.uid ? object : undefined;',
        '      if (!resource.namespaced && reference.namespace) return undefined;\n      return object.metadata.uid === reference.uid ? object : undefined;',
      ],
    ],
  },
  {
    id: 'namespaced-owner-is-absent',
    why: 'A cluster-scoped object names a namespaced owner, which is in no namespace: it counts as absent.',
    origin: 'k#65200',
    law: 'Careful',
    edits: [
      [
        "if (resource.namespaced && reference.namespace === '') throw new NamespacedOwnerOfClusterScopedObject();",
        "if (resource.namespaced && reference.namespace === '') return undefined;",
      ],
    ],
  },
  {
    id: 'not-served-is-absent',
    why: 'An owner of a kind that is not served in its version counts as absent.',
    origin: 'k#72192',
    law: 'Careful',
    edits: [
      [
        '    const resource = this.#served(reference);\n    if (resource.namespaced',
        '    const resource = this.#graph.mapper.resourceFor(reference.apiVersion, reference.kind);\n    if (!resource) return undefined;\n    if (resource.namespaced',
      ],
    ],
  },
  {
    id: 'an-error-is-absence',
    why: 'An owner that could not be read counts as absent.',
    origin: 'common',
    law: 'Careful',
    edits: [
      [
        '      if (isNotFound(error)) return undefined;\n      throw error;',
        '      if (isNotFound(error) || error instanceof Error) return undefined;\n      throw error;',
      ],
    ],
  },
  {
    id: 'believes-its-graph',
    why: 'An owner that no informer has told of yet counts as absent.',
    origin: 'k#88097',
    law: 'Careful',
    edits: [
      [
        '    const owner = await this.#live(reference);\n    if (!owner) this',
        '    const owner = this.#graph.get(reference.uid)?.object;\n    if (!owner) this',
      ],
    ],
  },
  {
    id: 'any-uid-will-do',
    why: 'An owner is known by its name alone: the dependents of one that was deleted and made again stay.',
    origin: 'common',
    law: 'Thorough',
    edits: [['return object.metadata.uid === reference.uid ? object : undefined;', 'return object;']],
  },
  {
    id: 'leaving-is-gone',
    why: 'An owner that is being deleted counts as gone while it waits for something else.',
    origin: 'common',
    law: 'Careful',
    edits: [
      [
        'const alike = !owner ? dangling :',
        'const alike = !owner || (isBeingDeleted(owner) && !isDeletingDependents(owner)) ? dangling :',
      ],
    ],
  },
  {
    id: 'a-waiting-owner-holds',
    why: 'An owner that waits for its dependents counts as one that wants them.',
    origin: 'k#38679',
    law: 'Thorough',
    edits: [['isDeletingDependents(owner) ? waiting : solid', 'waiting === undefined ? waiting : solid']],
  },
  {
    id: 'one-absent-owner-is-enough',
    why: 'A dependent is deleted as soon as one of its owners is gone.',
    origin: 'common',
    law: 'Careful',
    edits: [['if (solid.length > 0) {', 'if (solid.length > 0 && dangling.length === 0) {']],
  },
  {
    id: 'asks-for-each-dependent',
    why: 'A thousand dependents of one owner ask a thousand times whether it is there.',
    origin: 'k#31167',
    law: 'asks for no owner that it has seen go',
    hidden: 'It costs requests, and changes no object.',
    edits: [['    if (this.#absentOwners.has(reference)) return undefined;\n', '']],
  },
];
