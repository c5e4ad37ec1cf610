/** Informers that are built otherwise than the reference and right all the same: no test may mind. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'in-order',
    why: 'one queue of single events instead of DeltaFIFO, and handlers told last to first, each thing in a turn of its own',
    file: 'variants/in-order.ts',
  },
  {
    id: 'patient',
    why: 'spreads its waits otherwise: more often long than short, and still anything between once and twice',
    edits: [
      ['return ms * (1 + this.#random.float());', 'return ms * (1 + Math.sqrt(this.#random.float()));'],
    ],
  },
  {
    id: 'coalescing',
    why: 'takes its time before it empties the queue, and hands several updates of one object on as one',
    edits: [
      [
        'while (!signal.aborted) {\n      await this.#fifo.pop(',
        `while (!signal.aborted) {
      await this.#options.clock.sleep(10, signal).catch(() => {});
      await this.#fifo.pop(`,
      ],
      [
        'for (const { type, object } of deltas) {',
        `for (const [i, { type, object }] of deltas.entries()) {
      if (type !== 'Deleted' && deltas[i + 1]?.type === 'Updated') continue;`,
      ],
    ],
  },
  {
    id: 'pages-of-two',
    why: 'lists in pages so small that there are always several',
    edits: [['const PAGE_SIZE = 500;', 'const PAGE_SIZE = 2;']],
  },
  {
    id: 'in-one-piece',
    why: 'lists without pages: dearer for the server, and the same list',
    edits: [
      [
        "const limit = resourceVersion === '' || resourceVersion === '0' ? { limit: PAGE_SIZE } : {};",
        'const limit = {};',
      ],
    ],
  },
  {
    id: 'watches-again-after-a-short-watch',
    why: 'a watch that ended at once is no reason to list: it pauses and resumes where it was',
    edits: [
      [
        'if (events === 0 && clock.now() - startedMs < VERY_SHORT_WATCH_MS) {',
        `if (events === 0 && clock.now() - startedMs < VERY_SHORT_WATCH_MS) {
          await this.#pause(undefined, signal);
          continue;`,
      ],
    ],
  },
];
