/** Workqueues that are built otherwise than the reference, and are right: no test may mind. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'condition',
    why: 'wakes all gets that wait, keeps what is not ready in one list with one timer, and starts all work from one loop',
    file: 'variants/condition.ts',
  },
  {
    id: 'free',
    why: 'one object that holds a record for each item, and none of the classes of the levels',
    file: 'variants/free.ts',
    free: true,
  },
  {
    id: 'hands-over-slowly',
    why: 'what get gives was taken off the line some turns before: it is in hand before a worker has it',
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
    why: 'when the time of an item has come, it is added in a turn of its own, in the same millisecond',
    edits: [
      [
        'this.#timers.delete(item);\n      this.add(item);',
        'this.#timers.delete(item);\n      this.#clock.after(0, () => this.add(item));',
      ],
    ],
  },
  {
    id: 'drains-the-line',
    why: 'a drain waits for what stands in line, too',
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
    why: 'of several gets that wait, the last one gets the next item; items keep their order',
    edits: [['this.#getters.shift()?.(', 'this.#getters.pop()?.(']],
  },
  {
    id: 'whole-milliseconds',
    why: 'rounds up what the bucket says to whole milliseconds',
    edits: [
      ['(-this.#tokens * 1_000) / this.#qps : 0', 'Math.ceil((-this.#tokens * 1_000) / this.#qps) : 0'],
    ],
  },
  {
    id: 'tells-first',
    why: 'tells of a failure before it decides what to do about it',
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
