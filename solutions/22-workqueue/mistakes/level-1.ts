import type { Mistake } from '#harness/testing';

/** Level 1 · The line */
export const level1: readonly Mistake[] = [
  {
    id: 'a-line-with-doubles',
    why: 'Appends every added item: an item that is added ten times while it is queued is processed ten times.',
    misconception: 'You seem to believe that ten adds of an item ask for ten syncs.',
    origin: 'common: a channel or an array in the place of a queue',
    law: 'Deduplicating',
    edits: [
      ['if (this.#shuttingDown || this.#dirty.has(item)) return;', 'if (this.#shuttingDown) return;'],
      [
        'readonly #line = new Set<T>();',
        `readonly #line = new (class<U> {
    readonly all: U[] = [];
    get size() { return this.all.length; }
    add(item: U) { this.all.push(item); }
    delete(item: U) { this.all.splice(this.all.indexOf(item), 1); }
    [Symbol.iterator]() { return this.all[Symbol.iterator](); }
  })<T>();`,
      ],
    ],
  },
  {
    id: 'added-again-goes-to-the-end',
    why: 'A queued item that is added again moves to the end: an item that is added often is never processed.',
    misconception: 'You seem to believe that an item that is added again has waited less.',
    origin: 'common: a debounce in the place of a queue',
    law: 'Fair',
    edits: [
      [
        'if (this.#shuttingDown || this.#dirty.has(item)) return;',
        `if (!this.#shuttingDown && this.#line.delete(item)) this.#line.add(item);
    if (this.#shuttingDown || this.#dirty.has(item)) return;`,
      ],
    ],
  },
  {
    id: 'newest-first',
    why: 'The queue is a stack: the item that was added first waits until all others are processed.',
    misconception:
      'You seem to believe that the order in which waiting items are handed out does not matter.',
    origin: 'common',
    law: 'Fair',
    edits: [
      ['for (const first of this.#line) return', 'for (const first of [...this.#line].reverse()) return'],
    ],
  },
  {
    id: 'one-may-wait',
    why: 'Only the last waiting get is remembered; the others wait forever.',
    misconception: 'You seem to believe that only one worker waits at a time.',
    origin: 'common',
    law: 'Lossless',
    edits: [['this.#getters.push(resolve);', 'this.#getters[0] = resolve;']],
  },
  {
    id: 'one-item-for-all-gets',
    why: 'Wakes all waiting gets, and returns the same item to all of them.',
    misconception: 'You seem to believe that all workers that wait wait for the same item.',
    origin: 'common',
    law: 'Stingy',
    edits: [
      [
        'this.#getters.shift()?.(this.#take(item));',
        `const waiting = this.#getters.splice(0);
    if (waiting.length > 0) this.#take(item);
    for (const give of waiting) give(item);`,
      ],
    ],
  },
  {
    id: 'add-wakes-no-get',
    why: 'Queues the item without waking a get: a get that already waits keeps waiting.',
    misconception: 'You seem to believe that a worker asks again by itself.',
    origin: 'common',
    law: 'Lossless',
    edits: [['this.#getters.shift()?.(this.#take(item));\n', '']],
  },
  {
    id: 'nothing-is-an-item',
    why: "An item that is 0 or '' counts as an empty queue.",
    misconception: 'You seem to believe that every item is truthy.',
    origin: 'common',
    law: 'Lossless',
    edits: [
      [
        'for (const first of this.#line) return this.#take(first);',
        'const [first] = this.#line;\n    if (first) return this.#take(first);',
      ],
    ],
  },
  {
    id: 'woken-and-sent-home',
    why: `Wakes a waiting get, which checks again; if another get was faster, it returns undefined, and a worker stops while the queue is open.`,
    misconception: 'You seem to believe that a worker that is woken always finds an item.',
    origin: 'found in a trial',
    law: 'Closes',
    edits: [
      [
        `    for (const first of this.#line) return this.#take(first);
    if (this.#shuttingDown) return undefined;
    return new Promise((resolve) => {
      this.#getters.push(resolve);
    });
`,
        `    if (this.#line.size === 0 && !this.#shuttingDown) {
      await new Promise((resolve) => {
        this.#getters.push(resolve);
      });
    }
    for (const first of this.#line) return this.#take(first);
    return undefined;
`,
      ],
      [`this.#getters.shift()?.(this.#take(item));`, `this.#getters.shift()?.(item);`],
    ],
  },
  {
    id: 'not-a-number-stands-in-line-twice',
    why: `Searches an item with ===, which never finds NaN.`,
    misconception: 'You seem to believe that every value is equal to itself.',
    origin: 'found in a trial',
    law: 'Deduplicating',
    edits: [
      [
        `readonly #line = new Set<T>();`,
        `readonly #line = new (class<U> {
    readonly all: U[] = [];
    get size() { return this.all.length; }
    add(item: U) { this.all.push(item); }
    delete(item: U) { this.all.splice(this.all.indexOf(item), 1); }
    [Symbol.iterator]() { return this.all[Symbol.iterator](); }
  })<T>();`,
      ],
      [
        `if (this.#shuttingDown || this.#dirty.has(item)) return;`,
        `if (this.#shuttingDown || [...this.#dirty].indexOf(item) >= 0) return;`,
      ],
    ],
  },
];
