import { describe, expect, test } from 'vitest';
import { didYouMean } from './did-you-mean.ts';

const words = ['next', 'diff', 'solution', 'reset', 'remove', 'Queue.add'];

describe('A suggestion', () => {
  test.each([
    ['nxt', 'Did you mean "next"?'],
    ['dif', 'Did you mean "diff"?'],
    ['DIFF', 'Did you mean "diff"?'],
    ['sloution', 'Did you mean "solution"?'],
    ['queue.ad', 'Did you mean "Queue.add"?'],
    ['re', 'Did you mean "reset" or "remove"?'],
    ['Queue.len', ''],
    ['99', ''],
    ['compare', ''],
    ['', ''],
  ])('for "%s" is: %s', (typed, suggestion) => {
    expect(didYouMean(typed, words)).toBe(suggestion);
  });
});
