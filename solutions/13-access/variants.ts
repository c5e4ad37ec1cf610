/** Correct access control with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'one class, without the functions of the core levels: it translates each role into lines of text once, and remembers them with the object',
    file: 'variants/free.ts',
    free: true,
  },
  {
    id: 'newest-objects',
    why: 'reads the account and the object of a token from the storage each time: more reads, and never too old',
    edits: [['return (resource, key) => cache.get(resource, key) ?? read(resource, key);', 'return read;']],
  },
  {
    id: 'rules-of-newest-roles',
    why: 'reads every role from the storage, and only the bindings from the cache',
    edits: [
      [
        'RBAC: (attributes) => authorizeByRoles(attributes, cache),',
        'RBAC: (attributes) =>\n      authorizeByRoles(attributes, {\n        get: read,\n        list: (resource, namespace) => cache.list(resource, namespace),\n      }),',
      ],
    ],
  },
];
