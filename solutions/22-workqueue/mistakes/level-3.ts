import type { Mistake } from '#harness/testing';

/** Level 3 · Shut down */
export const level3: readonly Mistake[] = [
  {
    id: 'open-after-the-shut-down',
    why: 'Goes on adding: a controller that is to stop never comes to an end.',
    origin: 'common',
    law: 'Closes',
    edits: [
      ['if (this.#shuttingDown || this.#dirty.has(item)) return;', 'if (this.#dirty.has(item)) return;'],
    ],
  },
  {
    id: 'shut-down-empties-the-line',
    why: 'Throws away what stands in line; it was promised to be handed out.',
    origin: 'common',
    law: 'Closes',
    edits: [['this.#shuttingDown = true;', 'this.#shuttingDown = true;\n    this.#line.clear();']],
  },
  {
    id: 'shut-down-wakes-no-get',
    why: 'A get that waits when the queue is shut down waits for ever, and so does the code that waits for the worker.',
    origin: 'common',
    law: 'Closes',
    edits: [['for (const give of this.#getters.splice(0)) give(undefined);\n', '']],
  },
  {
    id: 'shut-down-wakes-one',
    why: 'Sends one worker home; the others wait for ever.',
    origin: 'common: a signal in the place of a broadcast',
    law: 'Closes',
    edits: [
      ['for (const give of this.#getters.splice(0)) give(undefined);', 'this.#getters.shift()?.(undefined);'],
    ],
  },
  {
    id: 'shut-down-forgets-what-was-added-again',
    why: 'What was added while it was in hand, before the shut down, is never handed out.',
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
    why: 'Says that it is open when it is shut down: what asks before it adds goes on adding.',
    origin: 'common',
    law: 'Closes',
    edits: [['return this.#shuttingDown;', 'return false;']],
  },
  {
    id: 'shut-down-wakes-four',
    why: `Ends four of the gets that wait; the others wait for ever.`,
    origin: 'found in a trial',
    law: 'Closes',
    edits: [[`this.#getters.splice(0)) give(undefined)`, `this.#getters.splice(0, 4)) give(undefined)`]],
  },
  {
    id: 'gives-to-a-get-that-has-ended',
    why: `Ends the gets that wait and keeps them in its list: what comes into line later is given to one that has ended, and lost.`,
    origin: 'found in a trial',
    law: 'Level 3',
    edits: [[`this.#getters.splice(0)) give(undefined)`, `this.#getters) give(undefined)`]],
  },
  {
    id: 'second-shut-down-drops',
    why: `Drops everything when it is shut down twice: what was promised by the first is not handed out.`,
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
    why: `Gives 0 for the length as soon as it is shut down, though items stand in line.`,
    origin: 'found in a trial',
    law: 'Counts',
    edits: [[`return this.#line.size;`, `return this.#shuttingDown ? 0 : this.#line.size;`]],
  },
];
