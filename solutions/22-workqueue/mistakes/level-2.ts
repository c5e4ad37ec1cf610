import type { Mistake } from '#harness/testing';

/** Level 2 · In hand */
export const level2: readonly Mistake[] = [
  {
    id: 'two-hands',
    why: 'Puts an item in line although it is in hand: two workers see to it at once.',
    origin: 'common; the first thing that a controller must not do',
    law: 'Stingy',
    edits: [['if (!this.#processing.has(item)) this.#enqueue(item);', 'this.#enqueue(item);']],
  },
  {
    id: 'handed-over-and-not-in-hand',
    why: 'An item that is handed to a get that waited is not marked as in hand: a second worker gets it when it is added again.',
    origin: 'found in a review',
    law: 'Stingy',
    edits: [
      [
        `this.#getters.shift()?.(this.#take(item));`,
        `const give = this.#getters.shift();
    if (give === undefined) return;
    this.#line.delete(item);
    this.#dirty.delete(item);
    give(item);`,
      ],
    ],
  },
  {
    id: 'lost-while-in-hand',
    why: 'Drops what is added while it is in hand: the change that came during the work is never seen to.',
    origin: 'common',
    law: 'Re-entrant',
    edits: [
      [
        'if (this.#shuttingDown || this.#dirty.has(item)) return;',
        'if (this.#shuttingDown || this.#dirty.has(item) || this.#processing.has(item)) return;',
      ],
    ],
  },
  {
    id: 'cleaned-when-done',
    why: 'An item is dirty until it is done, so that whatever happens to it meanwhile is taken for old news.',
    origin: 'common',
    law: 'Re-entrant',
    edits: [
      ['this.#dirty.delete(item);\n    this.#processing.add(item);', 'this.#processing.add(item);'],
      [
        'if (this.#dirty.has(item)) this.#enqueue(item);',
        'this.#dirty.delete(item);\n    if (this.#dirty.has(item)) this.#enqueue(item);',
      ],
    ],
  },
  {
    id: 'dirty-for-ever',
    why: 'An item never gets clean: it is handed out again whenever it is done.',
    origin: 'common',
    law: 'Deduplicating',
    edits: [['this.#dirty.delete(item);\n    this.#processing.add(item);', 'this.#processing.add(item);']],
  },
  {
    id: 'again-at-once',
    why: 'What was added while it was in hand jumps the line when it is done: one that is added all the time is all that is seen to.',
    origin: 'common',
    law: 'Fair',
    edits: [
      [
        'if (this.#dirty.has(item)) this.#enqueue(item);',
        `if (this.#dirty.has(item)) {
      const others = [...this.#line];
      this.#line.clear();
      this.#enqueue(item);
      for (const other of others) this.#line.add(other);
    }`,
      ],
    ],
  },
  {
    id: 'done-wakes-no-get',
    why: 'Puts the item back in line and tells no get that waits.',
    origin: 'common',
    law: 'Re-entrant',
    edits: [
      ['if (this.#dirty.has(item)) this.#enqueue(item);', 'if (this.#dirty.has(item)) this.#line.add(item);'],
    ],
  },
  {
    id: 'counts-what-is-in-hand',
    why: 'Calls all that needs work its length, also items that no worker could take now.',
    origin: 'common',
    law: 'Counts',
    edits: [['return this.#line.size;', 'return this.#dirty.size;']],
  },
  {
    id: 'done-loses-what-stands-in-line',
    why: 'Takes an item that is given back, and is not in hand, out of the line: it is never seen to.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'Only code that gives back an item that it does not have meets it, and workers never do.',
    edits: [
      [
        'if (!this.#processing.delete(item)) return;',
        `if (!this.#processing.delete(item)) {
      this.#dirty.delete(item);
      this.#line.delete(item);
      return;
    }`,
      ],
    ],
  },
  {
    id: 'remembers-three',
    why: `Remembers of three items only that they were added again while they were in hand.`,
    origin: 'found in a trial',
    law: 'Re-entrant',
    edits: [
      [
        `    this.#dirty.add(item);
`,
        `    if (this.#processing.has(item) && this.#dirty.size - this.#line.size >= 3) return;
    this.#dirty.add(item);
`,
      ],
    ],
  },
];
