import type { Mistake } from '#harness/testing';

/** Level 7 · One worker */
export const level7: readonly Mistake[] = [
  {
    id: 'error-swallowed',
    why: 'What fails is never tried again: the cluster stays as it is until a user touches the object.',
    origin: 'k#67662, kubernetes-sigs/kubebuilder#224',
    law: 'Persistent',
    edits: [
      [
        'if (queue.numRequeues(item) < maxRetries) queue.addRateLimited(item);\n    else queue.forget(item);',
        'if (queue.numRequeues(item) > maxRetries) queue.addRateLimited(item);\n    else queue.forget(item);',
      ],
    ],
  },
  {
    id: 'hot-retry',
    why: 'Tries again at once, and again, as fast as the apiserver can say no.',
    origin: 'common',
    law: 'Persistent',
    edits: [
      [
        'if (queue.numRequeues(item) < maxRetries) queue.addRateLimited(item);',
        'if (queue.numRequeues(item) < maxRetries) queue.add(item);',
      ],
    ],
  },
  {
    id: 'forget-forgotten',
    why: 'A success leaves the failures before it standing: the next one waits as if it were the tenth.',
    origin: 'common',
    law: 'Forgives',
    edits: [['await sync(item);\n    queue.forget(item);', 'await sync(item);']],
  },
  {
    id: 'success-of-an-old-failure-kept',
    why: 'A success forgets only if there were two failures or more: one failure long ago makes the next wait longer.',
    origin: 'found in a review',
    law: 'Forgives',
    edits: [
      [
        `    await sync(item);
    queue.forget(item);`,
        `    await sync(item);
    if (queue.numRequeues(item) !== 1) queue.forget(item);`,
      ],
    ],
  },
  {
    id: 'forgets-every-time',
    why: 'Forgets the failures of what has just failed: every wait is the first.',
    origin: 'common',
    law: 'Persistent',
    edits: [
      [
        'if (!signal.aborted) await seeTo(item, options);',
        'if (!signal.aborted) await seeTo(item, options);\n    queue.forget(item);',
      ],
    ],
  },
  {
    id: 'done-forgotten',
    why: 'Never gives an item back: it is seen to once, and then never again.',
    origin: 'rancher/steve#3, flyteorg/flyteplugins#139',
    law: 'Re-entrant',
    edits: [['\n    queue.done(item);\n  }\n  return true;', '\n  }\n  return true;']],
  },
  {
    id: 'done-only-if-well',
    why: 'Gives back what succeeded; what failed once is in hand for ever.',
    origin: 'common: a return before the done',
    law: 'Persistent',
    edits: [
      ['\n    queue.done(item);\n  }\n  return true;', '\n  }\n  return true;'],
      [
        'await sync(item);\n    queue.forget(item);',
        'await sync(item);\n    queue.forget(item);\n    queue.done(item);',
      ],
    ],
  },
  {
    id: 'one-retry-too-many',
    why: 'Counts attempts where it should count retries.',
    origin: 'common',
    law: 'Gives up',
    edits: [['queue.numRequeues(item) < maxRetries', 'queue.numRequeues(item) <= maxRetries']],
  },
  {
    id: 'given-up-for-good',
    why: 'Gives an item up and remembers its failures: when it is added anew it has no retry left.',
    origin: 'common',
    law: 'Gives up',
    edits: [['    else queue.forget(item);\n', '']],
  },
  {
    id: 'never-retries-by-default',
    why: 'Takes "no limit" for "no retry".',
    origin: 'common',
    law: 'Persistent',
    edits: [['maxRetries = Number.POSITIVE_INFINITY', 'maxRetries = 0']],
  },
  {
    id: 'dies-of-a-throw',
    why: 'A sync that throws before it has a promise to give takes its worker with it.',
    origin: 'common',
    law: 'Unkillable',
    edits: [['  try {\n    await sync(item);', '  const work = sync(item);\n  try {\n    await work;']],
  },
  {
    id: 'nothing-is-no-error',
    why: 'Takes a rejection with nothing for a success.',
    origin: 'common: if (error) …',
    law: 'Persistent',
    edits: [['  } catch (error) {\n    if (', '  } catch (error) {\n    if (!error) return;\n    if (']],
  },
  {
    id: 'dies-of-its-listener',
    why: 'An onError that throws takes the worker with it.',
    origin: 'common',
    law: 'Unkillable',
    edits: [[`tell(onError, error, item);`, `onError?.(error, item);`]],
  },
  {
    id: 'waits-for-its-listener',
    why: 'Awaits onError: one that writes to a log that does not answer keeps the item, and the worker, for ever.',
    origin: 'found in a trial',
    law: 'Unkillable',
    edits: [
      [
        `    tell(onError, error, item);`,
        `    await (async () => onError?.(error, item))().catch(() => {});`,
      ],
    ],
  },
  {
    id: 'dies-of-an-async-listener',
    why: 'Nothing catches what an async onError rejects with: the process ends of it.',
    origin: 'found in a trial',
    law: 'Unkillable',
    edits: [
      [
        `    tell(onError, error, item);`,
        `    try {
      onError?.(error, item);
    } catch {}`,
      ],
    ],
  },
  {
    id: 'tells-only-the-last',
    why: 'Says nothing about a failure as long as it goes on trying.',
    origin: 'common',
    law: 'Tells',
    edits: [
      [
        `    tell(onError, error, item);`,
        `    if (queue.numRequeues(item) === 0) tell(onError, error, item);`,
      ],
    ],
  },
  {
    id: 'tells-without-the-error',
    why: 'Tells that something failed, and not what was thrown.',
    origin: 'common',
    law: 'Tells',
    edits: [[`tell(onError, error, item);`, `tell(onError, new Error(\`sync failed: \${error}\`), item);`]],
  },
  {
    id: 'does-not-await',
    why: 'Gives the item back before sync has settled: the next worker takes it, too.',
    origin: 'common: a missing await',
    law: 'Stingy',
    edits: [
      ['if (!signal.aborted) await seeTo(item, options);', 'if (!signal.aborted) void seeTo(item, options);'],
    ],
  },
  {
    id: 'goes-home-at-zero',
    why: "Takes an item that is 0 or '' for the end of work.",
    origin: 'common',
    law: 'Stops',
    edits: [['if (item === undefined) return false;', 'if (!item) return false;']],
  },
  {
    id: 'counts-only-its-own-tries',
    why: `Counts its own tries, where the queue counts failures: what others have counted does not count.`,
    origin: 'found in a trial',
    law: 'Gives up',
    edits: [
      [
        `  const { queue, sync, maxRetries = Number.POSITIVE_INFINITY, onError } = options;
`,
        `  const { queue, sync, maxRetries = Number.POSITIVE_INFINITY, onError } = options;
  const counted: Map<unknown, number> = tries.get(queue) ?? new Map();
  tries.set(queue, counted);
`,
      ],
      [
        `    queue.forget(item);
  } catch (error) {
    if (queue.numRequeues(item) < maxRetries) queue.addRateLimited(item);
    else queue.forget(item);`,
        `    queue.forget(item);
    counted.delete(item);
  } catch (error) {
    const before = counted.get(item) ?? 0;
    counted.set(item, before + 1);
    if (before < maxRetries) queue.addRateLimited(item);
    else {
      queue.forget(item);
      counted.delete(item);
    }`,
      ],
      [
        `/** Upstream: kubernetes/client-go@v0.36.3 examples/workqueue/main.go handleErr */`,
        `const tries = new WeakMap<object, Map<unknown, number>>();
`,
      ],
    ],
  },
  {
    id: 'tells-only-of-errors',
    why: `Tells of an Error and of nothing at all, and not of a string that was thrown.`,
    origin: 'found in a trial',
    law: 'Tells',
    edits: [
      [
        `    tell(onError, error, item);`,
        `    if (error instanceof Error || error === undefined) tell(onError, error, item);`,
      ],
    ],
  },
  {
    id: 'nothing-seen-to-after-the-abort',
    why: `Says that there was no item when it gives one back after the abort.`,
    origin: 'found in a trial',
    law: 'Level 7',
    hidden: `All workers end at the abort, and whether they take what stands in line is open.`,
    edits: [
      [
        `  return true;
`,
        `  return !signal.aborted;
`,
      ],
    ],
  },
];
