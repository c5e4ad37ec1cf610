import { describe, expect, test } from 'vitest';
import { findLadder, laddersIn } from './hints.ts';

const hints = [
  '# Hints · Kata 21 · The informer',
  'A ladder for each level.',
  '## Level 1',
  '### 1 · A question',
  '',
  'What else',
  'holds it?',
  '',
  '### 3. The shape of the code',
  '',
  '```ts',
  '## Level 9',
  '  add(object) {}',
  '```',
  '## Level 2 · Far away',
  '## No ghosts',
  '',
  'See Level 1, Level 2.',
  '## Honest',
  '',
  'What was it told',
  'last?',
  '',
  'See Level 1.',
  '## Not yet',
  '### A question',
  'Ten?',
].join('\n');

describe('Hints', () => {
  test('form a ladder for each level and each law', () => {
    expect(laddersIn(hints)).toEqual([
      {
        name: 'Level 1',
        steps: [
          { title: 'A question', text: 'What else\nholds it?' },
          { title: 'The shape of the code', text: '```ts\n## Level 9\n  add(object) {}\n```' },
        ],
        question: '',
        see: [],
      },
      { name: 'Level 2', steps: [], question: '', see: [] },
      { name: 'No ghosts', steps: [], question: '', see: ['Level 1', 'Level 2'] },
      { name: 'Honest', steps: [], question: 'What was it told\nlast?', see: ['Level 1'] },
      { name: 'Not yet', steps: [{ title: 'A question', text: 'Ten?' }], question: '', see: [] },
    ]);
  });

  test('are read from a file with Windows line ends', () => {
    expect(laddersIn(hints.replaceAll('\n', '\r\n'))).toEqual(laddersIn(hints));
  });

  test('are empty if the file is empty', () => expect(laddersIn('')).toEqual([]));

  test.each([
    ['1', 'Level 1'],
    ['level 2', 'Level 2'],
    ['No ghosts', 'No ghosts'],
    ['no g', 'No ghosts'],
    ['no', undefined],
    ['3', undefined],
    ['ghosts', undefined],
  ])("are found by level number or by the beginning of a law's name: %s", (meant, name) => {
    expect(findLadder(laddersIn(hints), meant)?.name).toBe(name);
  });
});
