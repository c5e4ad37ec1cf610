import type { Mistake } from '#harness/testing';

/** Level 10 · Several at once */
export const level10: readonly Mistake[] = [
  {
    id: 'as-many-as-come',
    why: 'Has no limit.',
    origin: 'common',
    law: 'Within the limit',
    edits: [['    this.#free = max;', '    this.#free = Math.max(max, 99);']],
  },
  {
    id: 'takes-places-with-it',
    why: 'Does not release the slot of a cancelled pull.',
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
    why: 'Each pull waits for the previous one.',
    origin: 'common',
    law: 'Level 10',
    edits: [['    this.#free = max;', '    this.#free = Math.min(max, 1);']],
  },
];
