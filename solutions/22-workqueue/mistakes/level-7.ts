import type { Mistake } from '#harness/testing';

/** Level 7 · One worker */
export const level7: readonly Mistake[] = [
  {
    id: 'error-swallowed',
    why: 'A failed item is not retried: the cluster stays as it is until a user changes the object.',
    misconception: 'You seem to believe that a failed sync is repeated by somebody else.',
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
    why: 'Retries at once, in a hot loop, as fast as the apiserver can refuse.',
    misconception: 'You seem to believe that a failed sync succeeds if you only repeat it at once.',
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
    why: 'A success does not reset the failures: the next failure waits like the tenth.',
    misconception: 'You seem to believe that an item that recovered is still in trouble.',
    origin: 'common',
    law: 'Forgives',
    edits: [['await sync(item);\n    queue.forget(item);', 'await sync(item);']],
  },
  {
    id: 'success-of-an-old-failure-kept',
    why: 'A success resets the failures only if there were at least two: an old failure makes the next delay longer.',
    misconception: 'You seem to believe that a single old failure no longer counts for anything.',
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
    why: 'Resets the failures after each failure: every delay is the first one.',
    misconception: 'You seem to believe that each failure is the first.',
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
    why: 'Never calls done: an item is processed once, and never again.',
    misconception: 'You seem to believe that the queue notices the end of a sync by itself.',
    origin: 'rancher/steve#3, flyteorg/flyteplugins#139',
    law: 'Re-entrant',
    edits: [['\n    queue.done(item);\n  }\n  return true;', '\n  }\n  return true;']],
  },
  {
    id: 'done-only-if-well',
    why: 'Calls done only after a success; a failed item stays in processing forever.',
    misconception: 'You seem to believe that a failed sync has not ended.',
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
    why: 'Counts attempts instead of retries.',
    misconception: 'You seem to believe that the first attempt is a retry.',
    origin: 'common',
    law: 'Gives up',
    edits: [['queue.numRequeues(item) < maxRetries', 'queue.numRequeues(item) <= maxRetries']],
  },
  {
    id: 'given-up-for-good',
    why: 'Drops an item without resetting its failures: when it is added again, it has no retry left.',
    misconception: 'You seem to believe that an item that was given up once stays hopeless.',
    origin: 'common',
    law: 'Gives up',
    edits: [['    else queue.forget(item);\n', '']],
  },
  {
    id: 'never-retries-by-default',
    why: 'Treats "no limit" as "no retries".',
    misconception: 'You seem to believe that no limit and a limit of zero mean the same.',
    origin: 'common',
    law: 'Persistent',
    edits: [['maxRetries = Number.POSITIVE_INFINITY', 'maxRetries = 0']],
  },
  {
    id: 'dies-of-a-throw',
    why: 'A sync that throws synchronously ends its worker.',
    misconception: 'You seem to believe that a function that returns a promise never throws.',
    origin: 'common',
    law: 'Unkillable',
    edits: [['  try {\n    await sync(item);', '  const work = sync(item);\n  try {\n    await work;']],
  },
  {
    id: 'nothing-is-no-error',
    why: 'Treats a rejection with undefined as a success.',
    misconception: 'You seem to believe that every failure has a reason.',
    origin: 'common: if (error) …',
    law: 'Persistent',
    edits: [['  } catch (error) {\n    if (', '  } catch (error) {\n    if (!error) return;\n    if (']],
  },
  {
    id: 'dies-of-its-listener',
    why: 'An onError that throws ends the worker.',
    misconception: 'You seem to believe that a listener never fails.',
    origin: 'common',
    law: 'Unkillable',
    edits: [[`tell(onError, error, item);`, `onError?.(error, item);`]],
  },
  {
    id: 'waits-for-its-listener',
    why: 'Awaits onError: if it never settles, the item stays in processing, and the worker is blocked forever.',
    misconception: 'You seem to believe that a listener always answers.',
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
    why: 'The rejection of an async onError is not handled, which ends the process.',
    misconception: 'You seem to believe that a listener fails only while you call it.',
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
    why: 'Reports only the last failure, not those that are retried.',
    misconception: 'You seem to believe that a failure that is retried interests nobody.',
    origin: 'common',
    law: 'Reports failures',
    edits: [
      [
        `    tell(onError, error, item);`,
        `    if (queue.numRequeues(item) === 0) tell(onError, error, item);`,
      ],
    ],
  },
  {
    id: 'tells-without-the-error',
    why: 'Reports a failure without the error.',
    misconception: 'You seem to believe that it is enough to know which item failed.',
    origin: 'common',
    law: 'Reports failures',
    edits: [[`tell(onError, error, item);`, `tell(onError, new Error(\`sync failed: \${error}\`), item);`]],
  },
  {
    id: 'does-not-await',
    why: 'Calls done before sync has settled: another worker takes the item, too.',
    misconception: 'You seem to believe that a sync has ended when its function returns.',
    origin: 'common: a missing await',
    law: 'Stingy',
    edits: [
      ['if (!signal.aborted) await seeTo(item, options);', 'if (!signal.aborted) void seeTo(item, options);'],
    ],
  },
  {
    id: 'goes-home-at-zero',
    why: "Treats an item that is 0 or '' as the end of the work.",
    misconception: 'You seem to believe that every item is truthy.',
    origin: 'common',
    law: 'Stops',
    edits: [['if (item === undefined) return false;', 'if (!item) return false;']],
  },
  {
    id: 'counts-only-its-own-tries',
    why: `Counts its own attempts instead of the queue's failures: failures that other workers counted are ignored.`,
    misconception: 'You seem to believe that one worker sees all failures of an item.',
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
    why: `Reports an Error and undefined, but not a thrown string.`,
    misconception: 'You seem to believe that everything thrown is an Error.',
    origin: 'found in a trial',
    law: 'Reports failures',
    edits: [
      [
        `    tell(onError, error, item);`,
        `    if (error instanceof Error || error === undefined) tell(onError, error, item);`,
      ],
    ],
  },
  {
    id: 'nothing-seen-to-after-the-abort',
    why: `Returns false, as if there had been no item, when it returns an item after the abort.`,
    origin: 'found in a trial',
    law: 'Level 7',
    hidden: `All workers end at the abort, and the contract leaves open whether they take the queued items.`,
    edits: [
      [
        `  return true;
`,
        `  return !signal.aborted;
`,
      ],
    ],
  },
  {
    id: 'forgets-after-done',
    why: 'Forgets the failures of a successful item some microtasks after done: a failure of the next sync that came meanwhile is forgotten, too.',
    misconception: 'You seem to believe that nothing happens between the end of a sync and your next line.',
    origin: 'found in a trial',
    law: 'Persistent',
    edits: [
      [
        `    await sync(item);
    queue.forget(item);`,
        `    await sync(item);
    void Promise.resolve()
      .then(() => Promise.resolve())
      .then(() => Promise.resolve())
      .then(() => queue.forget(item));`,
      ],
    ],
  },
  {
    id: 'no-retries-means-no-limit',
    why: 'Treats a limit of 0 retries as no limit.',
    misconception: 'You seem to believe that a limit of zero is no limit.',
    origin: 'found in a trial',
    law: 'Gives up',
    edits: [
      [
        'const { queue, sync, maxRetries = Number.POSITIVE_INFINITY, onError } = options;',
        'const { queue, sync, onError } = options;\n  const maxRetries = options.maxRetries || Number.POSITIVE_INFINITY;',
      ],
    ],
  },
];
