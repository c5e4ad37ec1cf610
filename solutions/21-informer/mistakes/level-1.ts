/** Mistakes of level 1 · The cache. */
import type { Mistake } from '#harness/testing';

/** Level 1 · The cache. */
export const level1: readonly Mistake[] = [
  {
    id: 'key-is-the-name',
    why: 'Two objects of one name in two namespaces are one object to this cache.',
    origin: 'common',
    law: 'Level 1',
    edits: [['return namespace ?', 'return namespace === undefined ?']],
  },
  {
    id: 'index-not-updated',
    why: 'An object that changes stays in its indexes under the values that it had.',
    origin: 'common',
    law: 'Indexed',
    edits: [['this.#remove(key);\n    this.#objects.set(key, object);', 'this.#objects.set(key, object);']],
  },
  {
    id: 'index-loses-what-stays',
    why: 'New values go in before the old ones go out, so that a value which the object keeps is lost.',
    origin: 'k#109115: client-go v0.24 pre-releases dropped values that were still valid on an update',
    law: 'Indexed',
    edits: [
      ['this.#remove(key);\n    this.#objects.set(key, object);', 'const old = this.#objects.get(key);'],
      [
        'index.set(value, keys.add(key));\n    });',
        `index.set(value, keys.add(key));
    });
    if (old !== undefined) this.#remove(key);
    this.#objects.set(key, object);`,
      ],
    ],
  },
  {
    id: 'index-keeps-the-dead',
    why: 'A deleted object stays in the indexes, which then find something that is not there.',
    origin: 'k#43566: what an index function had failed on was never taken out again',
    law: 'Level 1',
    edits: [
      [
        'delete(key: string): void {\n    this.#remove(key);',
        'delete(key: string): void {\n    this.#objects.delete(key);',
      ],
    ],
  },
  {
    id: 'one-value-an-object',
    why: 'An index function may give any number of values; this looks at the first.',
    origin: 'common',
    law: 'Level 1',
    edits: [['this.#indexers[name]?.(object) ?? []', 'this.#indexers[name]?.(object).slice(0, 1) ?? []']],
  },
  {
    id: 'replace-only-adds',
    why: 'A replaced cache still holds what the new list does not.',
    origin: 'common',
    law: 'Level 1',
    edits: [['for (const key of this.listKeys()) this.#remove(key);\n', '']],
  },
];
