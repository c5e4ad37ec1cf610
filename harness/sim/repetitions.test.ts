import { expect, test } from 'vitest';
import { Repetitions } from './repetitions.ts';

test('lists up to three repeated actions, the most frequent first', () => {
  const repetitions = new Repetitions();
  for (const what of ['get', 'list', 'list', 'watch', 'watch', 'watch', 'patch', 'patch']) {
    repetitions.note(what);
  }
  expect(repetitions.told()).toBe('The last 8 calls:\n  3 × watch\n  2 × list\n  2 × patch');
  repetitions.clear();
  expect(repetitions.told()).toBe('');
});
