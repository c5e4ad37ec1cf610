import { expect, test } from 'vitest';
import { Repetitions } from './repetitions.ts';

test('What is done most often is told first, and the rest up to three', () => {
  const repetitions = new Repetitions();
  for (const what of ['get', 'list', 'list', 'watch', 'watch', 'watch', 'patch', 'patch']) {
    repetitions.note(what);
  }
  expect(repetitions.told()).toBe('The last 8 of them:\n  3 × watch\n  2 × list\n  2 × patch');
  repetitions.clear();
  expect(repetitions.told()).toBe('');
});
