import { describe, expect, test } from 'vitest';
import { samples } from '../samples.ts';
import { containerAt, manifestLines } from './manifest-lines.ts';

/** Returns each line as `line: path = value`. */
const read = (text: string): readonly string[] =>
  manifestLines(text).map(
    ({ line, document, path, value }) => `${document} ${line}: ${path.join('.')} = ${value}`,
  );

describe('The lines of a manifest', () => {
  test('have the paths of their fields', () => {
    expect(
      read('kind: Pod # a comment\nmetadata:\n  name: "web"\n\n  labels:\n    a.b/c: d\nspec:\n'),
    ).toEqual([
      '0 0: kind = Pod',
      '0 1: metadata = ',
      '0 2: metadata.name = web',
      '0 4: metadata.labels = ',
      '0 5: metadata.labels.a.b/c = d',
      '0 6: spec = ',
    ]);
  });

  test('count the items of lists, with and without indentation', () => {
    expect(read('a:\n- b: 1\n  c: 2\n- b: 3\nd:\n  - e\n  - f\n  -\n    g: 1')).toEqual([
      '0 0: a = ',
      '0 1: a.0.b = 1',
      '0 2: a.0.c = 2',
      '0 3: a.1.b = 3',
      '0 4: d = ',
      '0 5: d.0 = e',
      '0 6: d.1 = f',
      '0 7: d.2 = ',
      '0 8: d.2.g = 1',
    ]);
  });

  test('have lists in lists', () => {
    expect(read('a:\n  - - 1\n    - 2\n  - - 3')).toEqual([
      '0 0: a = ',
      '0 1: a.0.0 = 1',
      '0 2: a.0.1 = 2',
      '0 3: a.1.0 = 3',
    ]);
  });

  test('skip blocks of text', () => {
    expect(read('a: |\n  b: 1\n\n  c: 2\nd: >-\n  e: 3\nf: 4')).toEqual([
      '0 0: a = |',
      '0 4: d = >-',
      '0 6: f = 4',
    ]);
  });

  test('belong to documents', () => {
    expect(read('---\n# first\na: 1\n---\na: 2\n---\n')).toEqual(['0 2: a = 1', '1 4: a = 2']);
  });

  test('take flow style as a value', () => {
    expect(read('command: [sh, -c, "a: b"]')).toEqual(['0 0: command = [sh, -c, "a: b"]']);
  });

  test.each(samples)('reach the innermost fields of $file', ({ text }) => {
    const paths = manifestLines(text).map(({ path }) => path.join('.'));
    expect(paths.some((path) => /containers\.0\.image$/.test(path))).toBe(true);
    expect(paths).not.toContainEqual(expect.stringMatching(/\s/));
  });
});

describe('A new field', () => {
  const text = 'spec:\n  containers:\n    - name: a\n      ports:\n        - containerPort: 80\n';
  test.each([
    ['', []],
    ['  ', ['spec']],
    ['    ', ['spec', 'containers']],
    ['    - ', ['spec', 'containers', 1]],
    ['      ', ['spec', 'containers', 0]],
    ['        ', ['spec', 'containers', 0, 'ports']],
    ['        - ', ['spec', 'containers', 0, 'ports', 1]],
    ['          ', ['spec', 'containers', 0, 'ports', 0]],
  ])('behind %j belongs to %j', (before, path) => {
    expect(containerAt(text, 5, before)).toEqual({ document: 0, path });
  });

  test('belongs to the document around it', () => {
    expect(containerAt('a:\n  b: 1\n---\nc:\n', 4, '  ')).toEqual({ document: 1, path: ['c'] });
  });
});
