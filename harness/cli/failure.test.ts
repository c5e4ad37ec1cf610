import { describe, expect, test } from 'vitest';
import { exitCodeOf, Failure } from './failure.ts';
import { Screen } from './screen.fixture.ts';

describe('A failure', () => {
  test('is a sentence about what failed and why, and one about what to do', () => {
    expect(new Failure('read a.yaml', 'there is no such file', 'Name another.').message).toBe(
      'Failed to read a.yaml: there is no such file. Name another.',
    );
    expect(new Failure('apply', 'a full stop is enough.', 'Go on.').message).toBe(
      'Failed to apply: a full stop is enough. Go on.',
    );
  });

  test('is told on stderr and ends with exit code 1', async () => {
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

  test('is not what a mistake of ours is: that is thrown on', async () => {
    const screen = new Screen();
    const mistaken = exitCodeOf(() => Promise.reject(new TypeError('x is undefined')), screen);
    await expect(mistaken).rejects.toThrow(TypeError);
    expect(screen.err).toEqual([]);
  });

  test('did not happen: exit code 0', async () => {
    expect(await exitCodeOf(async () => {}, new Screen())).toBe(0);
  });
});
