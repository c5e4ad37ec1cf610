import { expect, test } from 'vitest';
import { runScript } from './npm-script.fixture.ts';

test('npm run kata fails with one sentence when the kata does not exist', () => {
  const { status, out, err } = runScript('kata', ['99']);
  expect({ status, out }).toEqual({ status: 1, out: '' });
  expect(err).toMatch(/^Failed to find kata 99: .*\n$/);
});
