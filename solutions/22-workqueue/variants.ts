/** Correct workqueues with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'condition',
    why: 'wakes all waiting gets, keeps delayed items in one list with one timer, and starts all work from one loop',
    file: 'variants/condition.ts',
  },
  {
    id: 'free',
    why: 'a single class with a record for each item, without the classes of the levels',
    file: 'variants/free.ts',
    free: true,
  },
  {
    id: 'hands-over-slowly',
    why: 'get takes an item off the queue some microtasks before it returns: the item is in processing before a worker has it',
    edits: [
      [
        'for (const first of this.#line) return this.#take(first);',
        `for (const first of this.#line) {
      const taken = this.#take(first);
      for (let i = 0; i < 10; i++) await undefined;
      return taken;
    }`,
      ],
    ],
  },
  {
    id: 'adds-a-turn-later',
    why: 'adds a delayed item in a separate task, in the same millisecond',
    edits: [
      [
        'this.#timers.delete(item);\n      this.add(item);',
        'this.#timers.delete(item);\n      this.#clock.after(0, () => this.add(item));',
      ],
    ],
  },
  {
    id: 'drains-the-line',
    why: 'a drain also waits for queued items',
    edits: [
      [
        'if (this.#processing.size === 0) return;\n',
        'if (this.#processing.size + this.#line.size === 0) return;\n',
      ],
      [
        'else if (this.#processing.size === 0) this.#endDrain();',
        'else if (this.#processing.size + this.#line.size === 0) this.#endDrain();',
      ],
    ],
  },
  {
    id: 'last-come-first-served',
    why: 'if several gets wait, the last one gets the next item; items keep their order',
    edits: [['this.#getters.shift()?.(', 'this.#getters.pop()?.(']],
  },
  {
    id: 'whole-milliseconds',
    why: 'rounds the delay of the token bucket up to whole milliseconds',
    edits: [
      ['(-this.#tokens * 1_000) / this.#qps : 0', 'Math.ceil((-this.#tokens * 1_000) / this.#qps) : 0'],
    ],
  },
  {
    id: 'tells-first',
    why: 'reports a failure before it decides whether to retry',
    edits: [
      [
        `    if (queue.numRequeues(item) < maxRetries) queue.addRateLimited(item);
    else queue.forget(item);
    tell(onError, error, item);`,
        `    tell(onError, error, item);
    if (queue.numRequeues(item) >= maxRetries) queue.forget(item);
    else queue.addRateLimited(item);`,
      ],
    ],
  },
];
