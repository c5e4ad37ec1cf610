import type { Mistake } from '#harness/testing';

/** Level 3 · Shut down */
export const level3: readonly Mistake[] = [
  {
    id: 'open-after-the-shut-down',
    why: 'Accepts items after the shutdown: a controller never finishes its work.',
    origin: 'common',
    law: 'Closes',
    edits: [
      ['if (this.#shuttingDown || this.#dirty.has(item)) return;', 'if (this.#dirty.has(item)) return;'],
    ],
  },
  {
    id: 'shut-down-empties-the-line',
    why: 'Drops the queued items, although the contract is to hand them out.',
    origin: 'common',
    law: 'Closes',
    edits: [['this.#shuttingDown = true;', 'this.#shuttingDown = true;\n    this.#line.clear();']],
  },
  {
    id: 'shut-down-wakes-no-get',
    why: 'A get that waits at the shutdown waits forever, and so does the code that waits for the worker.',
    origin: 'common',
    law: 'Closes',
    edits: [['for (const give of this.#getters.splice(0)) give(undefined);\n', '']],
  },
  {
    id: 'shut-down-wakes-one',
    why: 'The shutdown wakes only one worker; the others wait forever.',
    origin: 'common: a signal in the place of a broadcast',
    law: 'Closes',
    edits: [
      ['for (const give of this.#getters.splice(0)) give(undefined);', 'this.#getters.shift()?.(undefined);'],
    ],
  },
  {
    id: 'shut-down-forgets-what-was-added-again',
    why: 'An item that was added during its processing, before the shutdown, is never handed out.',
    origin: 'common',
    law: 'Closes',
    edits: [
      [
        'if (this.#dirty.has(item)) this.#enqueue(item);',
        'if (this.#dirty.has(item) && !this.#shuttingDown) this.#enqueue(item);',
      ],
    ],
  },
  {
    id: 'never-says-that-it-is-shut-down',
    why: 'shuttingDown returns false after the shutdown: a caller that checks it keeps adding items.',
    origin: 'common',
    law: 'Closes',
    edits: [['return this.#shuttingDown;', 'return false;']],
  },
  {
    id: 'shut-down-wakes-four',
    why: `Ends only four of the waiting gets; the others wait forever.`,
    origin: 'found in a trial',
    law: 'Closes',
    edits: [[`this.#getters.splice(0)) give(undefined)`, `this.#getters.splice(0, 4)) give(undefined)`]],
  },
  {
    id: 'gives-to-a-get-that-has-ended',
    why: `Ends the waiting gets but keeps them in its list: an item that is queued later is passed to an ended get, and lost.`,
    origin: 'found in a trial',
    law: 'Level 3',
    edits: [[`this.#getters.splice(0)) give(undefined)`, `this.#getters) give(undefined)`]],
  },
  {
    id: 'second-shut-down-drops',
    why: `A second shutdown drops the queued items, which the first one still had to hand out.`,
    origin: 'found in a trial',
    law: 'Closes',
    edits: [
      [
        `  #close(): void {
`,
        `  #close(): void {
    if (this.#shuttingDown) {
      this.#line.clear();
      this.#dirty.clear();
    }
`,
      ],
    ],
  },
  {
    id: 'says-that-it-is-empty',
    why: `The length is 0 after the shutdown, although items are queued.`,
    origin: 'found in a trial',
    law: 'Counts',
    edits: [[`return this.#line.size;`, `return this.#shuttingDown ? 0 : this.#line.size;`]],
  },
];
