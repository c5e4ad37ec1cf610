import type { Mistake } from '#harness/testing';

/** Level 5 · Each failure waits longer */
export const level5: readonly Mistake[] = [
  {
    id: 'shifts-bits',
    why: 'Doubles by shifting an integer: after 31 failures the wait is negative, and the item is tried in a hot loop.',
    origin: 'client-go until k#31396',
    law: 'Persistent',
    edits: [['this.#baseDelayMs * 2 ** failures', 'this.#baseDelayMs * (1 << failures)']],
  },
  {
    id: 'grows-slowly',
    why: 'Adds to the wait instead of doubling it: a thousand broken items ask a thousand times as often as they should.',
    origin: 'common',
    law: 'Backs off',
    edits: [['this.#baseDelayMs * 2 ** failures', 'this.#baseDelayMs * (failures + 1)']],
  },
  {
    id: 'counts-before-it-asks',
    why: 'The first failure waits as long as the second.',
    origin: 'common',
    law: 'Backs off',
    edits: [['this.#baseDelayMs * 2 ** failures', 'this.#baseDelayMs * 2 ** this.numRequeues(item)']],
  },
  {
    id: 'no-ceiling',
    why: 'After twenty failures it comes back tomorrow.',
    origin: 'common',
    law: 'Persistent',
    edits: [
      [
        'Math.min(this.#baseDelayMs * 2 ** failures, this.#maxDelayMs)',
        'this.#baseDelayMs * 2 ** failures + 0 * this.#maxDelayMs',
      ],
    ],
  },
  {
    id: 'the-first-is-free',
    why: 'Holds the maximum against all waits but the first.',
    origin: 'found in a trial',
    law: 'Level 5',
    hidden: 'No controller has a first wait above its maximum: the default is 5 ms, up to 1000 s.',
    edits: [
      [
        'return Math.min(this.#baseDelayMs * 2 ** failures',
        'if (failures === 0) return this.#baseDelayMs;\n    return Math.min(this.#baseDelayMs * 2 ** failures',
      ],
    ],
  },
  {
    id: 'all-for-one',
    why: 'Counts the failures of all items together: one that is broken slows all others down.',
    origin: 'common',
    law: 'Backs off',
    edits: [
      [
        'const failures = this.numRequeues(item);',
        'const failures = [...this.#failures.values()].reduce((sum, each) => sum + each, 0);',
      ],
    ],
  },
  {
    id: 'counts-twice',
    why: 'Asks the rate limiter twice for one failure.',
    origin: 'common',
    law: 'Backs off',
    edits: [
      [
        `this.addAfter(item, this.rateLimiter.when(item));`,
        `if (this.rateLimiter.when(item) >= 0) this.addAfter(item, this.rateLimiter.when(item));`,
      ],
    ],
  },
  {
    id: 'asks-and-does-not-listen',
    why: 'Asks how long to wait, and adds the item at once.',
    origin: 'common',
    law: 'Backs off',
    edits: [
      [
        `this.addAfter(item, this.rateLimiter.when(item));`,
        `this.rateLimiter.when(item);
    this.add(item);`,
      ],
    ],
  },
  {
    id: 'never-forgets',
    why: 'What fails once a day waits a quarter of an hour after three weeks.',
    origin: 'kubernetes-sigs/controller-runtime#392 has the symptom',
    law: 'Forgets',
    edits: [
      [
        `  override addRateLimited(item: T): void {
`,
        `  override forget(_item: T): void {}

  override addRateLimited(item: T): void {
`,
      ],
    ],
  },
  {
    id: 'forgetting-gives-back',
    why: 'Forgetting an item gives it back: another worker gets it while it is still in hand.',
    origin: 'common',
    law: 'Stingy',
    edits: [
      [
        `  override addRateLimited(item: T): void {
`,
        `  override forget(item: T): void {
    super.forget(item);
    this.done(item);
  }

  override addRateLimited(item: T): void {
`,
      ],
    ],
  },
  {
    id: 'forgetting-calls-off',
    why: 'Forgetting an item calls off its retry: what was to be tried again is not.',
    origin: 'common',
    law: 'Backs off',
    edits: [
      [
        `  override addRateLimited(item: T): void {
`,
        `  readonly #forgotten = new Set<T>();

  override forget(item: T): void {
    super.forget(item);
    this.#forgotten.add(item);
  }

  override async get(): Promise<T | undefined> {
    for (;;) {
      const item = await super.get();
      if (item === undefined || !this.#forgotten.delete(item)) return item;
      this.done(item);
    }
  }

  override add(item: T): void {
    this.#forgotten.delete(item);
    super.add(item);
  }

  override addRateLimited(item: T): void {
`,
      ],
    ],
  },
  {
    id: 'failures-in-a-plain-object',
    why: `Counts failures in a plain object: what is called \`constructor\` has a function for its count.`,
    origin: 'found in a trial',
    law: 'Backs off',
    edits: [
      [`readonly #failures = new Map<T, number>();`, `readonly #failures: Record<string, number> = {};`],
      [`this.#failures.set(item, failures + 1);`, `this.#failures[String(item)] = failures + 1;`],
      [`this.#failures.delete(item);`, `delete this.#failures[String(item)];`],
      [`return this.#failures.get(item) ?? 0;`, `return this.#failures[String(item)] ?? 0;`],
    ],
  },
  {
    id: 'failures-by-name',
    why: `Counts failures by name: 1 and "1" are one item.`,
    origin: 'found in a trial',
    law: 'Backs off',
    edits: [
      [`readonly #failures = new Map<T, number>();`, `readonly #failures = new Map<string, number>();`],
      [`this.#failures.set(item, failures + 1);`, `this.#failures.set(String(item), failures + 1);`],
      [`this.#failures.delete(item);`, `this.#failures.delete(String(item));`],
      [`return this.#failures.get(item) ?? 0;`, `return this.#failures.get(String(item)) ?? 0;`],
    ],
  },
  {
    id: 'counts-to-fifty',
    why: `Counts no further than 50.`,
    origin: 'found in a trial',
    law: 'Backs off',
    edits: [
      [`this.#failures.set(item, failures + 1);`, `this.#failures.set(item, Math.min(failures + 1, 50));`],
    ],
  },
  {
    id: 'rounds-down-what-the-limiter-says',
    why: `Cuts a fraction off what the rate limiter says: the item is a millisecond early.`,
    origin: 'found in a trial',
    law: 'Backs off',
    edits: [
      [
        `this.addAfter(item, this.rateLimiter.when(item));`,
        `this.addAfter(item, Math.floor(this.rateLimiter.when(item)));`,
      ],
    ],
  },
];
