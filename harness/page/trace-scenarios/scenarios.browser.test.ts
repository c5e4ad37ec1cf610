import { expect, test } from 'vitest';
import { describeInBrowser } from '../browser.fixture.ts';
import { builtTracePage } from '../built-page.fixture.ts';
import { traceHashes, traceScenarios } from './scenarios.ts';

const names = Object.keys(traceScenarios);

describeInBrowser('A cluster in a worker', builtTracePage, ({ open }) => {
  test(`has the same traces as in Node: ${names.join(', ')}`, async () => {
    const page = await open('trace-scenarios/');
    const inNode = await traceHashes();
    const output = page.getByRole('status');
    await output.filter({ hasText: 'hash' }).waitFor();
    expect(JSON.parse((await output.textContent()) ?? '')).toEqual(inNode);
    expect(Object.keys(inNode)).toEqual(names);
  });
});
