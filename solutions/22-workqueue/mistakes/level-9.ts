import type { Mistake } from '#harness/testing';

/** Level 9 · ★ Drain */
export const level9: readonly Mistake[] = [
  {
    id: 'drain-does-not-wait',
    why: 'Returns at once, and the process exits in the middle of a write.',
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
    why: 'A second signal to stop, from a user who has lost patience, changes nothing.',
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
  {
    id: 'second-drain-ends-the-first',
    why: `Begins a drain by a shut down, which ends the drain that waits.`,
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
    why: `Ends one of several drains at the shut down.`,
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
    why: `Drops what stands in line when it drains.`,
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
    why: `Does not end the gets that wait when it drains.`,
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
    why: `Does not wait for what is in hand if the queue was shut down before.`,
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
    why: `Counts how often something was given back, and not what: an item that is not in hand ends the drain.`,
    origin: 'found in a trial',
    law: 'Level 9',
    hidden: `Only code that gives back an item that it does not have meets it, and workers never do.`,
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
    why: `Keeps what waits for its time, and its timers, until the drain is over.`,
    origin: 'found in a trial',
    law: 'Level 9',
    hidden: `While a drain waits, the process does, too, with timers or without.`,
    edits: [
      [
        `    this.#cancelAll();
    return super.shutDownWithDrain();`,
        `    return super.shutDownWithDrain().then(() => this.#cancelAll());`,
      ],
    ],
  },
];
