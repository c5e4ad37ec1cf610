import type { Mistake } from '#harness/testing';

/** Level 2 · In hand */
export const level2: readonly Mistake[] = [
  {
    id: 'two-hands',
    why: 'Queues an item that is in processing: two workers process it at the same time.',
    misconception: 'You seem to believe that an item that a worker holds can be handed out again.',
    origin: 'common; the first thing that a controller must not do',
    law: 'Stingy',
    edits: [['if (!this.#processing.has(item)) this.#enqueue(item);', 'this.#enqueue(item);']],
  },
  {
    id: 'handed-over-and-not-in-hand',
    why: 'An item that is passed to a waiting get is not marked as in processing: if it is added again, a second worker gets it.',
    misconception: 'You seem to believe that it matters on which way an item came to its worker.',
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
    why: 'Drops an item that is added while it is in processing: a change during the processing is lost.',
    misconception: 'You seem to believe that the running sync already sees a change that comes now.',
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
    why: 'An item is dirty until it is done, so that an add during its processing has no effect.',
    misconception: 'You seem to believe that the running sync already sees a change that comes now.',
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
    why: 'An item never becomes clean: it is handed out again after every done.',
    misconception: 'You seem to believe that one sync of an item is never enough.',
    origin: 'common',
    law: 'Deduplicating',
    edits: [['this.#dirty.delete(item);\n    this.#processing.add(item);', 'this.#processing.add(item);']],
  },
  {
    id: 'again-at-once',
    why: 'An item that was added during its processing goes to the front of the queue: if it is added all the time, no other item is processed.',
    misconception:
      'You seem to believe that an item that changed during its sync is more urgent than all others.',
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
    why: 'Queues the item again without waking a waiting get.',
    misconception: 'You seem to believe that only an add brings work for a worker that waits.',
    origin: 'common',
    law: 'Re-entrant',
    edits: [
      ['if (this.#dirty.has(item)) this.#enqueue(item);', 'if (this.#dirty.has(item)) this.#line.add(item);'],
    ],
  },
  {
    id: 'counts-what-is-in-hand',
    why: 'The length counts all dirty items, including items that no worker can take now.',
    misconception: 'You seem to believe that every item with news can be taken now.',
    origin: 'common',
    law: 'Counts',
    edits: [['return this.#line.size;', 'return this.#dirty.size;']],
  },
  {
    id: 'done-loses-what-stands-in-line',
    why: 'A done for a queued item that is not in processing removes it from the queue: it is never processed.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'Only a done for an item that the caller does not have triggers it, and workers never call that.',
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
    why: `Records for at most three items that they were added during their processing.`,
    misconception: 'You seem to believe that only a few items change during their syncs.',
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
  {
    id: 'hands-out-before-it-takes-back',
    why: 'Done hands the item to a waiting get, and only then takes it out of processing: nobody remembers that the get has it.',
    misconception:
      'You seem to believe that a worker that receives an item does so after your function returns.',
    origin: 'found in a trial',
    law: 'Stingy',
    isFirstDraft: true,
    edits: [
      [
        `    if (!this.#processing.delete(item)) return;
    if (this.#dirty.has(item)) this.#enqueue(item);
    else if (this.#processing.size === 0) this.#endDrain();`,
        `    if (!this.#processing.has(item)) return;
    const again = this.#dirty.has(item);
    if (again) this.#enqueue(item);
    this.#processing.delete(item);
    if (!again && this.#processing.size === 0) this.#endDrain();`,
      ],
    ],
  },
];
