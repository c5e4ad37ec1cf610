import type { Mistake } from '#harness/testing';

/** Level 9 · ★ Drain */
export const level9: readonly Mistake[] = [
  {
    id: 'drain-does-not-wait',
    why: 'Returns at once, and the process exits in the midst of a write.',
    origin: 'ShutDown until k#101928',
    law: 'Drains',
    edits: [['if (this.#processing.size === 0) return;\n', 'if (this.#processing.size >= 0) return;\n']],
  },
  {
    id: 'drain-never-ends',
    why: 'Waits for work that was done long ago.',
    origin: 'common',
    law: 'Drains',
    edits: [['else if (this.#processing.size === 0) this.#endDrain();\n', '']],
  },
  {
    id: 'drain-waits-for-one',
    why: 'Returns when the first item is done, though others are still in hand.',
    origin: 'common',
    law: 'Drains',
    edits: [['else if (this.#processing.size === 0) this.#endDrain();', 'else this.#endDrain();']],
  },
  {
    id: 'drain-cannot-be-cut-short',
    why: 'A second signal to stop, from somebody who has lost patience, changes nothing.',
    origin: 'common',
    law: 'Drains',
    edits: [['this.#close();\n    this.#endDrain();', 'this.#close();']],
  },
  {
    id: 'drain-leaves-timers',
    why: 'A drain leaves the timers of the items that wait for their time on the clock.',
    origin: 'common',
    law: 'Level 9',
    edits: [
      [
        `    this.#cancelAll();
    return super.shutDownWithDrain();`,
        `    return super.shutDownWithDrain();`,
      ],
    ],
  },
];
