import { describe, expect, test } from 'vitest';
import { pageOptions } from './page-options.ts';

describe('npm run page --', () => {
  test('serves the page at any free port', () => {
    expect(pageOptions([])).toEqual({ kind: 'serve', port: undefined, failure: undefined });
  });

  test('reads every option', () => {
    const served = { kind: 'serve', port: 8080, failure: '24' };
    expect(pageOptions(['--port', '8080', '--failure', '24'])).toEqual(served);
    expect(pageOptions(['--build', '--out', 'site'])).toEqual({ kind: 'build', out: 'site' });
    expect(pageOptions(['--build'])).toEqual({ kind: 'build', out: undefined });
  });

  test.each([
    [['--nope'], "unknown option '--nope'"],
    [['--port', '0'], '--port 0 is not a whole number from 1 to 65535'],
    [['--out', 'site'], '--out needs --build'],
    [['--build', '--port', '80'], '--port is for a page that is served, not for --build'],
    [['--build', '--failure', '24'], '--failure is for a page that is served, not for --build'],
    [['24'], "unexpected argument '24'"],
  ])('rejects %j', (words, why) => {
    expect(() => pageOptions(words)).toThrow(`Failed to start the page: ${why}. Type npm run page`);
  });
});
