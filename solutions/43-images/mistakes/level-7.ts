import type { Mistake } from '#harness/testing';

/** Level 7 · One at a time */
export const level7: readonly Mistake[] = [
  {
    id: 'all-at-once',
    why: 'Begins each pull when it is asked for.',
    origin: 'common',
    law: 'One at a time',
    edits: [['this.#before.then(() => {', 'Promise.resolve().then(() => {']],
  },
  {
    id: 'fails-with-the-one-before',
    why: 'Lets each pull fail if the one before has failed.',
    origin: 'common',
    law: 'Level 7',
    edits: [['this.#before = turn.catch(() => {});', 'this.#before = turn;']],
  },
  {
    id: 'ends-with-a-failure',
    why: 'Never begins another pull after one that failed.',
    origin: 'common',
    law: 'Goes on',
    edits: [
      ['this.#before = turn.catch(() => {});', 'this.#before = turn.catch(() => new Promise(() => {}));'],
    ],
  },
];
