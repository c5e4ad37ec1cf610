import { describe, expect, test } from 'vitest';
import { builtPage } from './built-page.fixture.ts';
import { siteSizes, sizeLines } from './site-sizes.ts';

/** Bytes after gzip: some seconds over a slow line. */
const FIRST_LOAD_MAX = 700_000;

describe('The site of the page', () => {
  test('loads at most 700 KB at first', async () => {
    const files = siteSizes(await builtPage());
    const first = files.filter(({ isFirst }) => isFirst).reduce((sum, { gzip }) => sum + gzip, 0);
    expect(files.map(({ name }) => name)).toContain('index.html');
    expect(first).toBeGreaterThan(100_000);
    expect(first).toBeLessThan(FIRST_LOAD_MAX);
  });
});

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
