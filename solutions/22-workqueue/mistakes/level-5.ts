import type { Mistake } from '#harness/testing';

/** Level 5 · Each failure waits longer */
export const level5: readonly Mistake[] = [
  {
    id: 'shifts-bits',
    why: 'Doubles by shifting an integer: after 31 failures the delay is negative, and the item is retried in a hot loop.',
    misconception: 'You seem to believe that a shift doubles a number as often as you like.',
    origin: 'client-go until k#31396',
    law: 'Persistent',
    edits: [['this.#baseDelayMs * 2 ** failures', 'this.#baseDelayMs * (1 << failures)']],
  },
  {
    id: 'grows-slowly',
    why: 'Increases the delay linearly: a thousand broken items are retried much more often than they should be.',
    misconception: 'You seem to believe that a delay need not grow faster than the count of failures.',
    origin: 'common',
    law: 'Backs off',
    edits: [['this.#baseDelayMs * 2 ** failures', 'this.#baseDelayMs * (failures + 1)']],
  },
  {
    id: 'counts-before-it-asks',
    why: 'The first failure waits as long as the second.',
    misconception: 'You seem to believe that the first failure is already a repeated one.',
    origin: 'common',
    law: 'Backs off',
    edits: [['this.#baseDelayMs * 2 ** failures', 'this.#baseDelayMs * 2 ** this.numRequeues(item)']],
  },
  {
    id: 'no-ceiling',
    why: 'The delay is unlimited: after 25 failures it is longer than a day.',
    misconception: 'You seem to believe that the longest delay does not matter.',
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
    why: 'Applies the maximum to all delays but the first.',
    origin: 'found in a trial',
    law: 'Level 5',
    hidden: 'No controller has a base delay above its maximum: the defaults are 5 ms and 1000 s.',
    edits: [
      [
        'return Math.min(this.#baseDelayMs * 2 ** failures',
        'if (failures === 0) return this.#baseDelayMs;\n    return Math.min(this.#baseDelayMs * 2 ** failures',
      ],
    ],
  },
  {
    id: 'all-for-one',
    why: 'Counts the failures of all items together: one broken item slows all others down.',
    misconception: 'You seem to believe that items fail together.',
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
    why: 'Calls the rate limiter twice for one failure.',
    misconception: 'You seem to believe that to ask for a delay changes nothing.',
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
    why: 'Calls the rate limiter, but adds the item at once.',
    misconception: 'You seem to believe that to ask for a delay is the same as to wait.',
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
    why: 'Never resets the failures: an item that fails once a day waits a quarter of an hour after three weeks.',
    misconception: 'You seem to believe that an item that recovered is still in trouble.',
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
    why: 'Forget also calls done: another worker gets the item while it is still in processing.',
    misconception: "You seem to believe that to forget an item's failures also ends its processing.",
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
    why: 'Forget also cancels the retry of the item.',
    misconception: 'You seem to believe that an item without failures needs no further sync.',
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
    why: `Counts failures in a plain object: the count of an item called \`constructor\` is a function.`,
    misconception: 'You seem to believe that an empty object has no keys at all.',
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
    why: `Counts failures by the item's string: 1 and "1" count as one item.`,
    misconception: 'You seem to believe that two items that print alike are the same item.',
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
    why: `Counts at most 50 failures.`,
    misconception: 'You seem to believe that an item fails only a limited number of times.',
    origin: 'found in a trial',
    law: 'Backs off',
    edits: [
      [`this.#failures.set(item, failures + 1);`, `this.#failures.set(item, Math.min(failures + 1, 50));`],
    ],
  },
  {
    id: 'rounds-down-what-the-limiter-says',
    why: `Rounds the rate limiter's delay down: the item is a millisecond early.`,
    misconception: 'You seem to believe that a limiter speaks in whole milliseconds.',
    origin: 'found in a trial',
    law: 'Backs off',
    edits: [
      [
        `this.addAfter(item, this.rateLimiter.when(item));`,
        `this.addAfter(item, Math.floor(this.rateLimiter.when(item)));`,
      ],
    ],
  },
  {
    id: 'rounds-the-wait-of-the-limiter',
    why: `Rounds the rate limiter's delay to the nearest millisecond: an item with a delay of 2.25 ms is early.`,
    misconception: 'You seem to believe that a limiter speaks in whole milliseconds.',
    origin: 'found in a trial',
    law: 'Backs off',
    edits: [
      [
        `this.addAfter(item, this.rateLimiter.when(item));`,
        `this.addAfter(item, Math.round(this.rateLimiter.when(item)));`,
      ],
    ],
  },
  {
    id: 'doubles-thirty-times',
    why: 'Stops doubling after thirty failures, although the maximum may be higher.',
    origin: 'found in a trial',
    law: 'Level 5',
    hidden:
      'The maximum of a controller is at most a million times its base delay: twenty doublings reach it.',
    edits: [['2 ** failures', '2 ** Math.min(failures, 30)']],
  },
];
