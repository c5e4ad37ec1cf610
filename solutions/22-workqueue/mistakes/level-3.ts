import type { Mistake } from '#harness/testing';

/** Level 3 · Shut down */
export const level3: readonly Mistake[] = [
  {
    id: 'open-after-the-shut-down',
    why: 'Accepts items after the shutdown: a controller never finishes its work.',
    misconception: 'You seem to believe that producers notice a shutdown by themselves.',
    origin: 'common',
    law: 'Closes',
    edits: [
      ['if (this.#shuttingDown || this.#dirty.has(item)) return;', 'if (this.#dirty.has(item)) return;'],
    ],
  },
  {
    id: 'shut-down-empties-the-line',
    why: 'Drops the queued items, although the contract is to hand them out.',
    misconception: 'You seem to believe that items in line lose their worth at a shutdown.',
    origin: 'common',
    law: 'Closes',
    edits: [['this.#shuttingDown = true;', 'this.#shuttingDown = true;\n    this.#line.clear();']],
  },
  {
    id: 'shut-down-wakes-no-get',
    why: 'A get that waits at the shutdown waits forever, and so does the code that waits for the worker.',
    misconception: 'You seem to believe that a worker that waits notices a shutdown by itself.',
    origin: 'common',
    law: 'Closes',
    edits: [['for (const give of this.#getters.splice(0)) give(undefined);\n', '']],
  },
  {
    id: 'shut-down-wakes-one',
    why: 'The shutdown wakes only one worker; the others wait forever.',
    misconception: 'You seem to believe that one worker tells the others about a shutdown.',
    origin: 'common: a signal in the place of a broadcast',
    law: 'Closes',
    edits: [
      ['for (const give of this.#getters.splice(0)) give(undefined);', 'this.#getters.shift()?.(undefined);'],
    ],
  },
  {
    id: 'shut-down-forgets-what-was-added-again',
    why: 'An item that was added during its processing, before the shutdown, is never handed out.',
    misconception: 'You seem to believe that a change before the shutdown is as late as one after it.',
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
    misconception: 'You seem to believe that no caller asks whether the queue is shut down.',
    origin: 'common',
    law: 'Closes',
    edits: [['return this.#shuttingDown;', 'return false;']],
  },
  {
    id: 'shut-down-wakes-four',
    why: `Ends only four of the waiting gets; the others wait forever.`,
    misconception: 'You seem to believe that only a few workers wait.',
    origin: 'found in a trial',
    law: 'Closes',
    edits: [[`this.#getters.splice(0)) give(undefined)`, `this.#getters.splice(0, 4)) give(undefined)`]],
  },
  {
    id: 'gives-to-a-get-that-has-ended',
    why: `Ends the waiting gets but keeps them in its list: an item that is queued later is passed to an ended get, and lost.`,
    misconception: 'You seem to believe that a worker that was sent home still takes items.',
    origin: 'found in a trial',
    law: 'Level 3',
    edits: [[`this.#getters.splice(0)) give(undefined)`, `this.#getters) give(undefined)`]],
  },
  {
    id: 'second-shut-down-drops',
    why: `A second shutdown drops the queued items, which the first one still had to hand out.`,
    misconception: 'You seem to believe that the second shutdown asks for more than the first.',
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
    misconception: 'You seem to believe that a queue that is shut down has nothing left to hand out.',
    origin: 'found in a trial',
    law: 'Counts',
    edits: [[`return this.#line.size;`, `return this.#shuttingDown ? 0 : this.#line.size;`]],
  },
];
