import type { Mistake } from '#harness/testing';

/** Level 6 · All together */
export const level6: readonly Mistake[] = [
  {
    id: 'one-token-for-all',
    why: 'Lets all wait for the same next token: a thousand items that failed come back at one instant.',
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
    why: 'Saves up tokens without end: after a quiet night everything may go at once.',
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
    why: 'Counts whole tokens, and forgets the time that was not enough for one.',
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
    why: 'Begins with nothing: a controller that has just started waits for tokens that it should have had.',
    origin: 'common',
    law: 'Throttled',
    edits: [['this.#tokens = burst;', 'this.#tokens = 0;']],
  },
  {
    id: 'bucket-rounds-down',
    why: 'Rounds the wait for a token down: the item is back before the token is.',
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
    hidden: 'A component measures time on a monotonic clock, which is never set back.',
    edits: [['Math.max(0, nowMs - this.#countedAtMs)', 'nowMs - this.#countedAtMs']],
  },
  {
    id: 'the-mildest-of-several',
    why: 'Waits as long as the most lenient of two rate limiters says.',
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
    why: 'Waits for one rate limiter after the other, where the longer wait would do.',
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
    why: 'Tells only one of two rate limiters to forget.',
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
    why: 'Counts the failures of each item and not all together: a thousand broken objects come back at one instant.',
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
    why: 'The longest wait is an hour and not 1000 s: what is mended is looked at much later.',
    origin: 'common',
    law: 'Persistent',
    edits: [[`baseDelayMs: 5, maxDelayMs: 1_000_000`, `baseDelayMs: 5, maxDelayMs: 3_600_000`]],
  },
  {
    id: 'ignores-the-given-limits',
    why: 'Always has the default rate limits, whatever rate limiter it is given.',
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
    why: `Rounds the time between two tokens and not the wait: the error adds up with each token.`,
    origin: 'found in a trial',
    law: 'Level 6',
    hidden: `By default a token drops every 100 ms, which is whole.`,
    edits: [[`(-this.#tokens * 1_000) / this.#qps : 0`, `-this.#tokens * Math.ceil(1_000 / this.#qps) : 0`]],
  },
  {
    id: 'owes-a-hundred-at-most',
    why: `Owes a hundred tokens at most: from then on all failures wait for the same token.`,
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
    why: `Takes no token for a failure that waits long anyway: all together come back faster than the rate.`,
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
        `  /** Below zero when some`,
        `  readonly #counts = new Map<T, number>();
  /** Below zero when some`,
      ],
    ],
  },
  {
    id: 'forget-gives-a-token-back',
    why: `Puts a token back when an item is forgotten: all together fail faster than the rate.`,
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
