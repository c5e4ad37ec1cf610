import type { Mistake } from '#harness/testing';

/** Level 9 · ★ Drain */
export const level9: readonly Mistake[] = [
  {
    id: 'drain-does-not-wait',
    why: 'Returns at once, and the process exits in the middle of a write.',
    misconception: 'You seem to believe that work is done as soon as it is handed out.',
    origin: 'ShutDown until k#101928',
    law: 'Drains',
    edits: [['if (this.#processing.size === 0) return;\n', 'if (this.#processing.size >= 0) return;\n']],
  },
  {
    id: 'drain-never-ends',
    why: 'Waits forever, even after the work is done.',
    misconception: 'You seem to believe that something else ends a drain when the work is done.',
    origin: 'common',
    law: 'Drains',
    edits: [['else if (this.#processing.size === 0) this.#endDrain();\n', '']],
  },
  {
    id: 'drain-waits-for-one',
    why: 'Returns when the first item is done, although others are still in processing.',
    misconception: 'You seem to believe that only one item is in processing.',
    origin: 'common',
    law: 'Drains',
    edits: [['else if (this.#processing.size === 0) this.#endDrain();', 'else this.#endDrain();']],
  },
  {
    id: 'drain-cannot-be-cut-short',
    why: 'A second signal, from an impatient user, does not end the drain.',
    misconception: 'You seem to believe that a drain is never interrupted.',
    origin: 'common',
    law: 'Drains',
    edits: [['this.#close();\n    this.#endDrain();', 'this.#close();']],
  },
  {
    id: 'drain-leaves-timers',
    why: 'A drain leaves the timers of delayed items on the clock.',
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
  {
    id: 'second-drain-ends-the-first',
    why: `Starts a drain with a shutdown, which ends a drain that already waits.`,
    misconception: 'You seem to believe that only one caller drains.',
    origin: 'found in a trial',
    law: 'Drains',
    edits: [
      [
        `    this.#close();
    if (this.#processing.size === 0) return;`,
        `    this.shutDown();
    if (this.#processing.size === 0) return;`,
      ],
    ],
  },
  {
    id: 'shut-down-ends-one-drain',
    why: `A shutdown ends only one of several drains.`,
    misconception: 'You seem to believe that only one caller drains.',
    origin: 'found in a trial',
    law: 'Drains',
    edits: [
      [
        `    this.#close();
    this.#endDrain();`,
        `    this.#close();
    this.#drainers.shift()?.();`,
      ],
    ],
  },
  {
    id: 'drain-empties-the-line',
    why: `A drain drops the queued items.`,
    misconception: 'You seem to believe that a drain is only about items in processing.',
    origin: 'found in a trial',
    law: 'Drains',
    edits: [
      [
        `    this.#close();
    if (this.#processing.size === 0) return;`,
        `    this.#close();
    for (const item of this.#line) this.#dirty.delete(item);
    this.#line.clear();
    if (this.#processing.size === 0) return;`,
      ],
    ],
  },
  {
    id: 'drain-wakes-no-get',
    why: `A drain does not end the waiting gets.`,
    misconception: 'You seem to believe that a worker that waits notices a drain by itself.',
    origin: 'found in a trial',
    law: 'Drains',
    edits: [
      [
        `    this.#close();
    if (this.#processing.size === 0) return;`,
        `    this.#shuttingDown = true;
    if (this.#processing.size === 0) return;`,
      ],
    ],
  },
  {
    id: 'no-drain-after-a-shut-down',
    why: `A drain does not wait for items in processing if the queue was already shut down.`,
    misconception: 'You seem to believe that a shutdown waits for the work in processing.',
    origin: 'found in a trial',
    law: 'Drains',
    edits: [
      [
        `    this.#cancelAll();
    return super.shutDownWithDrain();`,
        `    if (this.shuttingDown()) return Promise.resolve();
    this.#cancelAll();
    return super.shutDownWithDrain();`,
      ],
    ],
  },
  {
    id: 'drain-counts-what-is-not-in-hand',
    why: `Counts the calls of done, not the items: a done for an item that is not in processing ends the drain.`,
    origin: 'found in a trial',
    law: 'Level 9',
    hidden: `Only a done for an item that the caller does not have triggers it, and workers never call that.`,
    edits: [
      [
        `    if (!this.#processing.delete(item)) return;`,
        `    if (!this.#processing.delete(item)) {
      if (this.#drainers.length > 0) this.#endDrain();
      return;
    }`,
      ],
    ],
  },
  {
    id: 'drain-drops-late',
    why: `Keeps the delayed items and their timers until the drain is over.`,
    origin: 'found in a trial',
    law: 'Level 9',
    hidden: `While a drain waits, the process waits, too, with or without timers.`,
    edits: [
      [
        `    this.#cancelAll();
    return super.shutDownWithDrain();`,
        `    return super.shutDownWithDrain().then(() => this.#cancelAll());`,
      ],
    ],
  },
  {
    id: 'drain-forgets-what-was-added-again',
    why: 'During a drain, an item in processing that was added again before is not handed out after its done.',
    misconception: 'You seem to believe that a change before the drain is as late as one after it.',
    origin: 'found in a trial',
    law: 'Drains',
    edits: [
      [
        'if (this.#dirty.has(item)) this.#enqueue(item);',
        'if (this.#dirty.has(item) && this.#drainers.length === 0) this.#enqueue(item);',
      ],
    ],
  },
  {
    id: 'aborts-with-a-drain',
    why: 'Drains the queue at the abort: a drain that already waits goes on, although the abort must end it.',
    misconception: 'You seem to believe that an abort is patient.',
    origin: 'found in a trial',
    law: 'Drains',
    edits: [
      [
        'const stop = (): void => queue.shutDown();',
        'const stop = (): void => void queue.shutDownWithDrain();',
      ],
    ],
  },
];
