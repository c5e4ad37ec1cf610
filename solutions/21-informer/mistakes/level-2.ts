/** Mistakes of level 2 · What happened, by object. */
import type { Mistake } from '#harness/testing';

/** Level 2 · What happened, by object. */
export const level2: readonly Mistake[] = [
  {
    id: 'place-lost',
    why: 'Each change sends an object to the end of the line: one that changes often is never handled.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        'this.#items.set(key, dedupDeltas([...(this.#items.get(key) ?? []), { type, object }]));',
        `const before = this.#items.get(key) ?? [];
    this.#items.delete(key);
    this.#items.set(key, dedupDeltas([...before, { type, object }]));`,
      ],
    ],
  },
  {
    id: 'only-the-newest-delta',
    why: 'Keeps the last delta of each object: a deletion and a new object of that name become one update.',
    origin: 'common; upstream merges nothing but deletions for this reason',
    law: 'Level 2',
    edits: [
      ['dedupDeltas([...(this.#items.get(key) ?? []), { type, object }])', 'dedupDeltas([{ type, object }])'],
    ],
  },
  {
    id: 'dedupe-keeps-the-tombstone',
    why: 'Of two deletions it keeps the one that knows less.',
    origin: 'common',
    law: 'Level 2',
    edits: [['DeletedFinalStateUnknown ? newer : older;', 'DeletedFinalStateUnknown ? older : newer;']],
  },
  {
    id: 'second-death',
    why: 'A deletion that a relist has reported is reported again.',
    origin: 'k#27004: the queue did not look at what its consumer knew',
    law: 'Level 2',
    edits: [['if (!this.#items.has(key) && this.#knownObjects?.getByKey(key) === undefined) return;\n', '']],
  },
  {
    id: 'relist-finds-no-dead',
    why: 'A relist adds and updates, and never compares with what is known: who vanished in a gap stays for ever.',
    origin: 'ManageIQ/kubeclient#599',
    law: 'No ghosts',
    edits: [
      [
        `for (const key of this.#knownObjects?.listKeys() ?? []) {
      if (listed.has(key)`,
        `for (const key of [] as string[]) {
      if (listed.has(key)`,
      ],
    ],
  },
  {
    id: 'relist-forgets-the-queued',
    why: 'What is queued and in no cache yet, and not in the new list, is added when it is popped: born dead.',
    origin: 'k#115658',
    law: 'Level 2',
    edits: [['if (listed.has(key)) continue;', 'if (listed.has(key) || this.#knownObjects) continue;']],
  },
  {
    id: 'relist-leaves-the-dead-dead',
    why: 'An object that waits to be reported deleted is not queued again when the list has it: it is missing until it changes.',
    origin: 'k#83810',
    law: 'Level 2',
    edits: [
      [
        'this.#queue(this.#listed, object);',
        "if (this.#items.get(this.keyOf(object))?.at(-1)?.type !== 'Deleted') this.#queue(this.#listed, object);",
      ],
    ],
  },
  {
    id: 'tombstone-without-a-state',
    why: 'The tombstone carries a key and nothing else, so that no owner can be found from it.',
    origin: 'k#8676: replication controllers slept until the next relist',
    law: 'No ghosts',
    edits: [['this.#knownObjects?.getByKey(key) as T)', 'undefined as T)']],
  },
  {
    id: 'tombstone-taken-for-an-object',
    why: 'Asks a tombstone for its metadata, which it does not have.',
    origin: 'longhorn/longhorn#1900',
    law: 'Converges',
    edits: [
      [
        'object instanceof DeletedFinalStateUnknown ? object.key : this.#keyFunc(object);',
        'this.#keyFunc(object as T);',
      ],
    ],
  },
  {
    id: 'resync-of-the-pending',
    why: 'Puts the known state behind a newer one that is queued: the cache goes back in time.',
    origin: 'k#31981',
    law: 'Level 2',
    edits: [
      [
        'const object = this.#items.has(key) ? undefined : this.#knownObjects?.getByKey(key);',
        'const object = this.#knownObjects?.getByKey(key);',
      ],
    ],
  },
  {
    id: 'synced-when-queued',
    why: 'Calls itself synced as soon as the first list is queued, when none of it is in the cache.',
    origin: 'common',
    law: 'Level 2',
    edits: [['return this.#populated && this.#initialPopulationCount === 0;', 'return this.#populated;']],
  },
];
