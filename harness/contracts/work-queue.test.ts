import { expect, test } from 'vitest';
import { tell } from './work-queue.ts';

test('tell passes on the error and the item', () => {
  const told: unknown[] = [];
  tell((...what) => told.push(what), 'broken', 'a');
  expect(told).toEqual([['broken', 'a']]);
});

test.each([
  ['is absent', undefined],
  [
    'throws',
    () => {
      throw new Error('broken, too');
    },
  ],
  ['rejects', () => Promise.reject(new Error('broken, too'))],
  ['never answers', () => new Promise<void>(() => {})],
])('tell tolerates a listener that %s', (_, onError) =>
  expect(() => tell(onError, 'broken', 'a')).not.toThrow(),
);
