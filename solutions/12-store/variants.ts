/** Correct stores with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'performs one call after the other, keeps the versions of each key, and has no watch cache: each watch is a watch of the store',
    file: 'variants/free.ts',
    free: true,
  },
  {
    id: 'a-history-that-is-copied',
    why: 'copies its history for each write, and serves the newest watch first: no order between watches is promised',
    edits: [
      ['      this.history.push(event);', '      this.history = [...this.history, event];'],
      [
        '    for (const watch of this.#open) this.send(watch);',
        '    for (const watch of [...this.#open].reverse()) this.send(watch);',
      ],
    ],
  },
  {
    id: 'creates-by-version',
    why: 'creates an object if its version is 0 instead of its revision: a missing key has neither',
    edits: [[`target: 'modRevision', is: '=', to: 0`, `target: 'version', is: '=', to: 0`]],
  },
];
