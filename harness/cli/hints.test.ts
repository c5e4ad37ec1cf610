import { describe, expect, test } from 'vitest';
import { hintsIn } from './hints.ts';

const step = (title: string, ...lines: readonly string[]): string =>
  [`<details><summary>${title}</summary>`, '', ...lines, '', '</details>', ''].join('\n');

const readme = [
  '# 21 · Informer',
  '## Levels',
  '### Level 1 · not a hint',
  step('1 · A question', 'Not this one.'),
  '## Hints',
  'A ladder for each level.',
  '### Level 1 · The cache',
  step('1 · A question', 'Who else', 'holds it?'),
  step('2 · A <em>direction</em>', '  Two maps.', '', '    indented', '  More.'),
  step('3. The shape of the code', '```ts', '## Hints', '### Level 9', 'add(object) {}', '```'),
  '### Level 2',
  'None yet.',
  '### Level 10 · Far away',
  step('1 · A question', 'Ten?'),
  '## Time',
  '### Level 3',
  step('1 · A question', 'Not this one either.'),
].join('\n');

describe('Hints', () => {
  test('are the ladders of the section, level by level', () => {
    const ladders = hintsIn(readme);
    expect([...ladders.keys()]).toEqual([1, 2, 10]);
    expect(ladders.get(2)).toEqual([]);
    expect(ladders.get(10)).toEqual([{ title: 'A question', text: 'Ten?' }]);
  });

  test('keep their lines and code as they are', () => {
    expect(hintsIn(readme).get(1)).toEqual([
      { title: 'A question', text: 'Who else\nholds it?' },
      { title: 'A direction', text: 'Two maps.\n\n  indented\nMore.' },
      { title: 'The shape of the code', text: '```ts\n## Hints\n### Level 9\nadd(object) {}\n```' },
    ]);
  });

  test('are read from a file of Windows, too', () => {
    expect(hintsIn(readme.replaceAll('\n', '\r\n'))).toEqual(hintsIn(readme));
  });

  test('are none where the README has no such section', () =>
    expect(hintsIn('# 21\n## Level 1').size).toBe(0));
});
