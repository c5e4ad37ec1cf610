import type { Mistake } from '#harness/testing';

/** Level 7 · One at a time */
export const level7: readonly Mistake[] = [
  {
    id: 'all-at-once',
    why: 'Starts each pull at once.',
    origin: 'common',
    law: 'One at a time',
    edits: [['this.#before.then(() => {', 'Promise.resolve().then(() => {']],
  },
  {
    id: 'fails-with-the-one-before',
    why: 'Each pull fails if the previous one has failed.',
    origin: 'common',
    law: 'Level 7',
    edits: [['this.#before = turn.catch(() => {});', 'this.#before = turn;']],
  },
  {
    id: 'ends-with-a-failure',
    why: 'Never starts another pull after a failed one.',
    origin: 'common',
    law: 'Never stalls',
    edits: [
      ['this.#before = turn.catch(() => {});', 'this.#before = turn.catch(() => new Promise(() => {}));'],
    ],
  },
];
