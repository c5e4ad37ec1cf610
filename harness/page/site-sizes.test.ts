import { expect, test } from 'vitest';
import { sizeLines } from './site-sizes.ts';

test('The sizes are lines with a sum, without the editor', () => {
  const files = [
    { name: 'assets/editor-1.js', raw: 500_000, gzip: 150_000, isFirst: false },
    { name: 'index.html', raw: 400, gzip: 251, isFirst: true },
  ];
  expect(sizeLines(files)).toEqual([
    'assets/editor-1.js    500.0 KB  gzip   150.0 KB',
    'index.html              0.4 KB  gzip     0.3 KB',
    'the first load          0.4 KB  gzip     0.3 KB',
  ]);
});
