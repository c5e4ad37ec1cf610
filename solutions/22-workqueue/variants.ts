/** Workqueues that are built otherwise than the reference and right all the same: no test may mind. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'condition',
    why: 'wakes all who wait, keeps what is not ready in one list with one timer, and starts all work from one loop',
    file: 'variants/condition.ts',
  },
  {
    id: 'hands-over-slowly',
    why: 'what get gives was taken off the line some turns before: it is in hand before anybody has it',
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
    why: 'of those who wait for an item, who came last gets the next one; items keep their order all the same',
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
    try {
      // An async listener is not waited for, and its failure is nobody's.
      Promise.resolve(onError?.(error, item)).catch(() => {});
    } catch {
      // Who only listens must not be able to end the work.
    }`,
        `    try {
      Promise.resolve(onError?.(error, item)).then(undefined, () => {});
    } catch {}
    if (queue.numRequeues(item) >= maxRetries) queue.forget(item);
    else queue.addRateLimited(item);`,
      ],
    ],
  },
];
