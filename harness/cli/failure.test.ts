import { describe, expect, test } from 'vitest';
import { exitCodeOf, Failure } from './failure.ts';
import { Screen } from './screen.fixture.ts';

describe('A failure', () => {
  test('says in one sentence what failed and why, and in a second one what to do', () => {
    expect(new Failure('read a.yaml', 'the file does not exist', 'Name another.').message).toBe(
      'Failed to read a.yaml: the file does not exist. Name another.',
    );
    expect(new Failure('apply', 'a full stop is enough.', 'Go on.').message).toBe(
      'Failed to apply: a full stop is enough. Go on.',
    );
  });

  test('is printed to stderr, with exit code 1', async () => {
    const screen = new Screen();
    const code = await exitCodeOf(async () => {
      throw new Failure('start', 'of a reason', 'Do this.');
    }, screen);
    expect({ code, out: screen.out, err: screen.err }).toEqual({
      code: 1,
      out: [],
      err: ['Failed to start: of a reason. Do this.'],
    });
  });

  test('differs from a bug of the workbook, which is rethrown', async () => {
    const screen = new Screen();
    const mistaken = exitCodeOf(() => Promise.reject(new TypeError('x is undefined')), screen);
    await expect(mistaken).rejects.toThrow(TypeError);
    expect(screen.err).toEqual([]);
  });

  test('does not happen: exit code 0', async () => {
    expect(await exitCodeOf(async () => {}, new Screen())).toBe(0);
  });
});
