import { expect, test } from 'vitest';
import { describeInBrowser } from '../browser.fixture.ts';
import { builtTracePage } from '../built-page.fixture.ts';
import { traceHashes } from './scenarios.ts';

/** Runs scenarios in a worker of a browser and in Node, and compares their traces. */
export function testSameTraces(names: readonly string[]): void {
  describeInBrowser('A cluster in a worker', builtTracePage, ({ open }) => {
    test(`has the same traces as in Node: ${names.join(', ')}`, async () => {
      const page = await open(`trace-scenarios/#${JSON.stringify(names)}`);
      const inNode = await traceHashes(names);
      const output = page.getByRole('status');
      await output.filter({ hasText: 'hash' }).waitFor();
      expect(JSON.parse((await output.textContent()) ?? '')).toEqual(inNode);
      expect(Object.keys(inNode)).toEqual(names);
    });
  });
}
