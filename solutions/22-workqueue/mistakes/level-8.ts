import type { Mistake } from '#harness/testing';

/** Level 8 · All workers */
export const level8: readonly Mistake[] = [
  {
    id: 'one-too-many',
    why: 'Starts one worker too many.',
    origin: 'common',
    law: 'Bounded',
    edits: [['{ length: workers }, work', '{ length: workers + 1 }, work']],
  },
  {
    id: 'one-worker-for-all',
    why: 'Processes one item at a time, regardless of the number of workers.',
    misconception: 'You seem to believe that items wait for each other.',
    origin: 'common: await in a loop',
    law: 'Unkillable',
    edits: [['{ length: workers }, work', '{ length: 1 }, work']],
  },
  {
    id: 'in-lockstep',
    why: 'Takes a batch of items, and waits for all of them before it takes the next batch: the slowest delays all.',
    misconception: 'You seem to believe that all syncs take the same time.',
    origin: 'common: Promise.all over a batch',
    law: 'Lossless',
    edits: [
      [
        'await Promise.all(Array.from({ length: workers }, work));',
        `void work;
  const one = (): Promise<boolean> => processNextWorkItem(options);
  while ((await Promise.all(Array.from({ length: workers }, one))).every(Boolean));`,
      ],
    ],
  },
  {
    id: 'begins-after-the-abort',
    why: 'Processes the queued items after the abort, while another instance may already do the same.',
    misconception: 'You seem to believe that an abort means to finish the line first.',
    origin: 'common; controllers of Kubernetes do it, with a context that is cancelled',
    law: 'Stops',
    edits: [['if (!signal.aborted) await seeTo(item, options);', 'await seeTo(item, options);']],
  },
  {
    id: 'leaves-work-behind',
    why: 'Returns at the abort, while items are still in processing.',
    misconception: 'You seem to believe that an abort ends the syncs that are running.',
    origin: 'common; Run of most controllers did so',
    law: 'Stops',
    edits: [
      [
        'await Promise.all(Array.from({ length: workers }, work));',
        `const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
  await Promise.race([stopped, Promise.all(Array.from({ length: workers }, work))]);`,
      ],
    ],
  },
  {
    id: 'cannot-be-stopped',
    why: 'Does not shut the queue down: after the abort, the workers wait forever.',
    misconception: 'You seem to believe that a worker that waits notices an abort by itself.',
    origin: 'common',
    law: 'Stops',
    edits: [["signal.addEventListener('abort', stop, { once: true });\n", '']],
  },
  {
    id: 'stopped-before-it-began',
    why: 'Listens for an abort that has already happened.',
    misconception: 'You seem to believe that an abort always comes after you begin to listen.',
    origin: 'common',
    law: 'Stops',
    edits: [['if (signal.aborted) stop();\n', '']],
  },
  {
    id: 'returns-at-the-first-end',
    why: 'Returns when the first worker has ended, while others are still working.',
    misconception: 'You seem to believe that all workers end together.',
    origin: 'common',
    law: 'Stops',
    edits: [
      [
        `await Promise.all(Array.from({ length: workers }, work));`,
        `await Promise.race(Array.from({ length: workers }, work));`,
      ],
    ],
  },
  {
    id: 'listens-for-ever',
    why: 'Processes the queue, and then waits for an abort that never comes.',
    misconception: 'You seem to believe that only an abort ends the work.',
    origin: 'common',
    law: 'Stops',
    edits: [
      [
        `  signal.removeEventListener('abort', stop);`,
        `  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  signal.removeEventListener('abort', stop);`,
      ],
    ],
  },
  {
    id: 'drops-the-line-at-the-shut-down',
    why: 'Treats a shutdown like an abort: the queued items are taken but not processed.',
    misconception: 'You seem to believe that a shutdown and an abort mean the same.',
    origin: 'common',
    law: 'Stops',
    edits: [
      [
        `if (!signal.aborted) await seeTo(item, options);`,
        `if (!signal.aborted && !queue.shuttingDown()) await seeTo(item, options);`,
      ],
    ],
  },
  {
    id: 'leaves-the-queue-open',
    why: 'Ends the workers at the abort, but leaves the queue open: items that are added later are never processed, and its timers stay.',
    misconception: 'You seem to believe that a queue without workers needs no end.',
    origin: 'common: a race of get and abort',
    law: 'Stops',
    edits: [
      [
        'const item = await queue.get();',
        `const item = await Promise.race([
    queue.get(),
    new Promise<undefined>((resolve) => {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener('abort', () => resolve(undefined));
    }),
  ]);`,
      ],
      ['const stop = (): void => queue.shutDown();', 'const stop = (): void => {};'],
    ],
  },
  {
    id: 'no-more-than-three',
    why: `Starts at most three workers.`,
    origin: 'found in a trial',
    law: 'Unkillable',
    edits: [[`{ length: workers }, work`, `{ length: Math.min(workers, 3) }, work`]],
  },
  {
    id: 'looks-before-it-leaps',
    why: `Checks the signal, and calls sync only a microtask later.`,
    origin: 'found in a trial',
    law: 'Level 8',
    hidden: `An abort comes from a signal or a timer of the process, when no microtask is pending.`,
    edits: [
      [
        `    if (!signal.aborted) await seeTo(item, options);`,
        `    if (!signal.aborted) {
      await undefined;
      await seeTo(item, options);
    }`,
      ],
    ],
  },
  {
    id: 'keeps-what-it-had-at-the-abort',
    why: `Does not call done for items in processing at the abort: a later drain waits forever.`,
    misconception: 'You seem to believe that an abort gives the items back by itself.',
    origin: 'found in a trial',
    law: 'Stops',
    edits: [
      [
        `    queue.done(item);
  }
  return true;`,
        `    if (!signal.aborted) queue.done(item);
  }
  return true;`,
      ],
    ],
  },
  {
    id: 'leaves-its-listener',
    why: 'Leaves its abort listener on the signal: each call adds another one.',
    misconception: 'You seem to believe that a listener disappears with the function that added it.',
    origin: 'found in a trial',
    law: 'Ends clean',
    edits: [["\n  signal.removeEventListener('abort', stop);", '']],
  },
];
