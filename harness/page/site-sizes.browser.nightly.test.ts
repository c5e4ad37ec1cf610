import { describe, expect, test } from 'vitest';
import { builtPage } from './built-page.fixture.ts';
import { siteSizes } from './site-sizes.ts';

/**
 * Bytes after gzip: some seconds over a slow line. Each kata that the page runs adds 6 to 8 KB. The page loads all of
 * them at first, because a user can create an object of any kind at once, and virtual time waits for no download.
 */
const FIRST_LOAD_MAX = 800_000;

describe('The site of the page', () => {
  test('loads at most 800 KB at first', async () => {
    const files = siteSizes(await builtPage());
    const first = files.filter(({ isFirst }) => isFirst).reduce((sum, { gzip }) => sum + gzip, 0);
    expect(files.map(({ name }) => name)).toContain('index.html');
    expect(first).toBeGreaterThan(100_000);
    expect(first).toBeLessThan(FIRST_LOAD_MAX);
  });
});
