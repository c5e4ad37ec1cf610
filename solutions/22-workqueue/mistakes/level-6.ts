import type { Mistake } from '#harness/testing';

/** Level 6 · All together */
export const level6: readonly Mistake[] = [
  {
    id: 'one-token-for-all',
    why: 'All failures wait for the same next token: a thousand failed items are retried at the same instant.',
    misconception: 'You seem to believe that one token pays for all items that wait for it.',
    origin: 'common: a bucket that cannot be in debt',
    law: 'Throttled',
    edits: [
      [
        'return this.#tokens < 0 ? (-this.#tokens * 1_000) / this.#qps : 0;',
        `const waitMs = this.#tokens < 0 ? (-this.#tokens * 1_000) / this.#qps : 0;
    this.#tokens = Math.max(0, this.#tokens);
    return waitMs;`,
      ],
    ],
  },
  {
    id: 'a-bucket-without-a-bottom',
    why: 'Accumulates tokens without a limit: after a quiet night, any number of retries run at once.',
    misconception: 'You seem to believe that unused tokens can be saved without limit.',
    origin: 'common',
    law: 'Throttled',
    edits: [
      [
        'Math.min(this.#burst, this.#tokens + (elapsedMs * this.#qps) / 1_000) - 1',
        'this.#tokens + (elapsedMs * this.#qps) / 1_000 - 1',
      ],
    ],
  },
  {
    id: 'whole-tokens-only',
    why: 'Counts whole tokens, and loses the time of a partial token.',
    misconception: 'You seem to believe that time that is too short for a token counts for nothing.',
    origin: 'common',
    law: 'Throttled',
    edits: [
      [
        'this.#tokens + (elapsedMs * this.#qps) / 1_000)',
        'this.#tokens + Math.floor((elapsedMs * this.#qps) / 1_000))',
      ],
    ],
  },
  {
    id: 'an-empty-bucket',
    why: 'Starts with an empty bucket: a new controller waits for tokens that it should already have.',
    misconception: 'You seem to believe that a bucket fills only after its first use.',
    origin: 'common',
    law: 'Throttled',
    edits: [['this.#tokens = burst;', 'this.#tokens = 0;']],
  },
  {
    id: 'bucket-rounds-down',
    why: 'Rounds the delay for a token down: the item is retried before its token exists.',
    origin: 'found in a review',
    law: 'Level 6',
    edits: [
      [`(-this.#tokens * 1_000) / this.#qps : 0`, `Math.floor((-this.#tokens * 1_000) / this.#qps) : 0`],
    ],
  },
  {
    id: 'pays-for-a-clock-set-back',
    why: 'A clock that is set back by an hour empties the bucket for an hour.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'A component measures time with a monotonic clock, which is never set back.',
    edits: [['Math.max(0, nowMs - this.#countedAtMs)', 'nowMs - this.#countedAtMs']],
  },
  {
    id: 'the-mildest-of-several',
    why: 'Uses the shorter delay of two rate limiters.',
    misconception: 'You seem to believe that one limiter that agrees is enough.',
    origin: 'common',
    law: 'Throttled',
    edits: [
      [
        `  return new MaxOfRateLimiter<T>(
    new ItemExponentialFailureRateLimiter({ baseDelayMs: 5, maxDelayMs: 1_000_000 }),
    new BucketRateLimiter({ clock, qps: 10, burst: 100 }),
  );`,
        `  const own = new ItemExponentialFailureRateLimiter<T>({ baseDelayMs: 5, maxDelayMs: 1_000_000 });
  const all = new BucketRateLimiter<T>({ clock, qps: 10, burst: 100 });
  return { when: (item) => Math.min(own.when(item), all.when(item)), forget: (item) => own.forget(item), numRequeues: (item) => own.numRequeues(item) };`,
      ],
    ],
  },
  {
    id: 'all-waits-together',
    why: 'Adds the delays of two rate limiters instead of using the longer one.',
    misconception: 'You seem to believe that two limiters are two waits, one after the other.',
    origin: 'common',
    law: 'Throttled',
    edits: [
      [
        `  return new MaxOfRateLimiter<T>(
    new ItemExponentialFailureRateLimiter({ baseDelayMs: 5, maxDelayMs: 1_000_000 }),
    new BucketRateLimiter({ clock, qps: 10, burst: 100 }),
  );`,
        `  const own = new ItemExponentialFailureRateLimiter<T>({ baseDelayMs: 5, maxDelayMs: 1_000_000 });
  const all = new BucketRateLimiter<T>({ clock, qps: 10, burst: 100 });
  return { when: (item) => own.when(item) + all.when(item), forget: (item) => own.forget(item), numRequeues: (item) => own.numRequeues(item) };`,
      ],
    ],
  },
  {
    id: 'one-of-several-forgets',
    why: 'Forget reaches only one of two rate limiters.',
    misconception: 'You seem to believe that only one of several limiters remembers failures.',
    origin: 'common',
    law: 'Forgets',
    edits: [
      [
        `  return new MaxOfRateLimiter<T>(
    new ItemExponentialFailureRateLimiter({ baseDelayMs: 5, maxDelayMs: 1_000_000 }),
    new BucketRateLimiter({ clock, qps: 10, burst: 100 }),
  );`,
        `  const own = new ItemExponentialFailureRateLimiter<T>({ baseDelayMs: 5, maxDelayMs: 1_000_000 });
  const all = new BucketRateLimiter<T>({ clock, qps: 10, burst: 100 });
  return { when: (item) => Math.max(own.when(item), all.when(item)), forget: (item) => all.forget(item), numRequeues: (item) => own.numRequeues(item) };`,
      ],
    ],
  },
  {
    id: 'no-limit-for-all-together',
    why: 'Limits each item, but not all items together: a thousand broken objects are retried at the same instant.',
    misconception: 'You seem to believe that slow items cannot be fast together.',
    origin: 'common',
    law: 'Throttled',
    edits: [
      [
        `  return new MaxOfRateLimiter<T>(
    new ItemExponentialFailureRateLimiter({ baseDelayMs: 5, maxDelayMs: 1_000_000 }),
    new BucketRateLimiter({ clock, qps: 10, burst: 100 }),
  );`,
        `  const own = new ItemExponentialFailureRateLimiter<T>({ baseDelayMs: 5, maxDelayMs: 1_000_000 });
  const all = new BucketRateLimiter<T>({ clock, qps: 10, burst: 100 });
  return { when: (item) => own.when(item), forget: (item) => own.forget(item), numRequeues: (item) => own.numRequeues(item) };`,
      ],
    ],
  },
  {
    id: 'a-maximum-of-an-hour',
    why: 'The maximum delay is an hour instead of 1000 s: a repaired object is processed much later.',
    misconception: 'You seem to believe that the longest delay does not matter.',
    origin: 'common',
    law: 'Persistent',
    edits: [[`baseDelayMs: 5, maxDelayMs: 1_000_000`, `baseDelayMs: 5, maxDelayMs: 3_600_000`]],
  },
  {
    id: 'ignores-the-given-limits',
    why: 'Always uses the default rate limiter and ignores the given one.',
    misconception: 'You seem to believe that all callers want the same limits.',
    origin: 'common',
    law: 'Backs off',
    edits: [
      [
        `const { clock, rateLimiter = defaultControllerRateLimiter<T>(clock) } = options;`,
        `const { clock } = options;
  const rateLimiter = defaultControllerRateLimiter<T>(clock);`,
      ],
    ],
  },
  {
    id: 'rounds-the-interval',
    why: `Rounds the interval between two tokens, not the delay: the error accumulates with each token.`,
    origin: 'found in a trial',
    law: 'Level 6',
    hidden: `By default, the interval is 100 ms, which is whole.`,
    edits: [[`(-this.#tokens * 1_000) / this.#qps : 0`, `-this.#tokens * Math.ceil(1_000 / this.#qps) : 0`]],
  },
  {
    id: 'owes-a-hundred-at-most',
    why: `Advances at most a hundred tokens: all later failures wait for the same token.`,
    misconception: 'You seem to believe that only a limited number of items waits for tokens.',
    origin: 'found in a trial',
    law: 'Throttled',
    edits: [
      [
        `(elapsedMs * this.#qps) / 1_000) - 1;`,
        `(elapsedMs * this.#qps) / 1_000) - 1;
    this.#tokens = Math.max(-100, this.#tokens);`,
      ],
    ],
  },
  {
    id: 'no-token-for-long-waits',
    why: `Failures with a long delay take no token: all items together are retried faster than the rate.`,
    misconception: 'You seem to believe that an item that waits long costs nothing.',
    origin: 'found in a trial',
    law: 'Throttled',
    edits: [
      [
        `    this.#countedAtMs = nowMs;
`,
        `    this.#countedAtMs = nowMs;
    this.#counts.set(_item, (this.#counts.get(_item) ?? 0) + 1);
    if ((this.#counts.get(_item) ?? 0) > 8) return 0;
`,
      ],
      [
        `  /** Negative when tokens`,
        `  readonly #counts = new Map<T, number>();
  /** Negative when tokens`,
      ],
    ],
  },
  {
    id: 'forget-gives-a-token-back',
    why: `Forget returns a token: all items together are retried faster than the rate.`,
    misconception: 'You seem to believe that a success undoes the token of a failure.',
    origin: 'found in a trial',
    law: 'Throttled',
    edits: [
      [
        `    this.#countedAtMs = clock.now();
  }
`,
        `    this.#countedAtMs = clock.now();
  }

  forget(_item: T): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + 1);
  }
`,
      ],
      [
        `    return this.#tokens < 0 ? (-this.#tokens * 1_000) / this.#qps : 0;
  }

  forget(_item: T): void {}
`,
        `    return this.#tokens < 0 ? (-this.#tokens * 1_000) / this.#qps : 0;
  }
`,
      ],
    ],
  },
];
