import { expect, test } from 'vitest';
import { runScript } from './npm-script.fixture.ts';

// `start.nightly.test.ts` lets it come to its end.
test('npm start ends with one sentence and exit code 1 when the manifest does not exist', () => {
  expect(runScript('start', ['nope.yaml'])).toEqual({
    status: 1,
    out: '',
    err: 'Failed to read nope.yaml: there is no such file. Name a manifest that exists, or none: npm start takes docs/web.yaml then.\n',
  });
});

test('npm run kata ends with one sentence when there is no such kata', () => {
  const { status, out, err } = runScript('kata', ['99']);
  expect({ status, out }).toEqual({ status: 1, out: '' });
  expect(err).toMatch(/^Failed to find kata 99: .*\n$/);
});
