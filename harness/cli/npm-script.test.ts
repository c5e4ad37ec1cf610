import { expect, test } from 'vitest';
import { runScript } from './npm-script.fixture.ts';

test('npm run kata ends with one sentence when there is no such kata', () => {
  const { status, out, err } = runScript('kata', ['99']);
  expect({ status, out }).toEqual({ status: 1, out: '' });
  expect(err).toMatch(/^Failed to find kata 99: .*\n$/);
});
