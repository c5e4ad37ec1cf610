import type { Mistake } from '#harness/testing';

/** Level 10 · Several at once */
export const level10: readonly Mistake[] = [
  {
    id: 'as-many-as-come',
    why: 'Knows no limit.',
    origin: 'common',
    law: 'Within the limit',
    edits: [['    this.#free = max;', '    this.#free = Math.max(max, 99);']],
  },
  {
    id: 'takes-places-with-it',
    why: 'Keeps the place of a pull that was given up.',
    origin: 'common',
    law: 'Uses the limit',
    edits: [
      [
        'if (next) next();',
        `if (signal?.aborted) return await new Promise<T>(() => {});
      if (next) next();`,
      ],
    ],
  },
  {
    id: 'still-one-at-a-time',
    why: 'Lets each pull wait for the one before.',
    origin: 'common',
    law: 'Level 10',
    edits: [['    this.#free = max;', '    this.#free = Math.min(max, 1);']],
  },
];
