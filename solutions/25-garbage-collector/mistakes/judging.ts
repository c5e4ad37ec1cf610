import type { Mistake } from '#harness/testing';

/** Mistakes about whether an owner exists. */
export const judging: readonly Mistake[] = [
  {
    id: 'absent-by-uid-alone',
    why: 'If a reference with a wrong namespace finds no owner, the uid counts as absent for dependents with a correct reference, too.',
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
    why: 'A deleted owner counts as absent by its name, so the dependents of its successor are deleted.',
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
    why: 'The absence of an owner in one namespace counts for all namespaces.',
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
    why: 'The collector looks for a cluster-scoped owner in the namespace of its dependent, and does not find it.',
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
    why: 'A cluster-scoped object references a namespaced owner, whose namespace is unknown, and the owner counts as absent.',
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
    why: 'An owner whose kind is not served in its version counts as absent.',
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
    why: 'An owner counts as absent after a failed read.',
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
    why: 'An owner that no informer has reported yet counts as absent.',
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
    why: 'An owner is identified by name alone: when it is deleted and recreated, the dependents of the first incarnation stay.',
    origin: 'common',
    law: 'Thorough',
    edits: [['return object.metadata.uid === reference.uid ? object : undefined;', 'return object;']],
  },
  {
    id: 'leaving-is-gone',
    why: 'An owner that is being deleted counts as absent while it waits for another finalizer.',
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
    why: 'An owner that waits for its dependents counts as an owner that keeps them.',
    origin: 'k#38679',
    law: 'Thorough',
    edits: [['isDeletingDependents(owner) ? waiting : solid', 'waiting === undefined ? waiting : solid']],
  },
  {
    id: 'one-absent-owner-is-enough',
    why: 'A dependent is deleted as soon as one of its owners is absent.',
    origin: 'common',
    law: 'Careful',
    edits: [['if (solid.length > 0) {', 'if (solid.length > 0 && dangling.length === 0) {']],
  },
  {
    id: 'asks-for-each-dependent',
    why: 'For a thousand dependents of one absent owner, the collector sends a thousand requests for the owner.',
    origin: 'k#31167',
    law: 'does not request an owner whose deletion it has observed',
    hidden: 'It costs requests, but changes no object.',
    edits: [['    if (this.#absentOwners.has(reference)) return undefined;\n', '']],
  },
];
