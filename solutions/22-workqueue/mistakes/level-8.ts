import type { Mistake } from '#harness/testing';

/** Level 8 · All workers */
export const level8: readonly Mistake[] = [
  {
    id: 'one-too-many',
    why: 'Has a worker more than it was asked for.',
    origin: 'common',
    law: 'Bounded',
    edits: [['{ length: workers }, work', '{ length: workers + 1 }, work']],
  },
  {
    id: 'one-worker-for-all',
    why: 'Sees to one item after the other, however many workers it has.',
    origin: 'common: await in a loop',
    law: 'Unkillable',
    edits: [['{ length: workers }, work', '{ length: 1 }, work']],
  },
  {
    id: 'in-lockstep',
    why: 'Takes a batch, and waits for all of it before it takes the next: the slowest makes all wait.',
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
    why: 'Works off what stands in line after it was stopped: another instance does the same by then.',
    origin: 'common; controllers of Kubernetes do it, with a context that is cancelled',
    law: 'Stops',
    edits: [['if (!signal.aborted) await seeTo(item, options);', 'await seeTo(item, options);']],
  },
  {
    id: 'leaves-work-behind',
    why: 'Returns at the abort, while items are still in hand.',
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
    why: 'Does not shut the queue down: after the abort the workers wait for work for ever.',
    origin: 'common',
    law: 'Stops',
    edits: [["signal.addEventListener('abort', stop, { once: true });\n", '']],
  },
  {
    id: 'stopped-before-it-began',
    why: 'Listens for an abort that has happened already.',
    origin: 'common',
    law: 'Stops',
    edits: [['if (signal.aborted) stop();\n', '']],
  },
  {
    id: 'returns-at-the-first-end',
    why: 'Returns when the first worker has gone home, while others are still at work.',
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
    why: 'Works the queue off and goes on waiting for an abort that never comes.',
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
    why: 'Treats a shut down like an abort: what stands in line is taken and not seen to.',
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
    why: 'Ends the workers at the abort, and leaves the queue open: what is added then is never seen to, and its timers stay.',
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
    why: `Has three workers at most, however many it is told to have.`,
    origin: 'found in a trial',
    law: 'Unkillable',
    edits: [[`{ length: workers }, work`, `{ length: Math.min(workers, 3) }, work`]],
  },
  {
    id: 'looks-before-it-leaps',
    why: `Looks whether it was aborted, lets a turn pass, and then calls sync.`,
    origin: 'found in a trial',
    law: 'Level 8',
    hidden: `An abort comes from a signal or a timer of the process, when all microtasks are over.`,
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
    why: `Does not give back what was in hand at the abort: a drain that follows waits for ever.`,
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
];
