import { describe, expect, test } from 'vitest';
import { serve } from '../browser.fixture.ts';
import { builtTracePage } from '../built-page.fixture.ts';
import { Firefox, hasFirefox } from '../firefox.fixture.ts';
import { testSameTraces } from './same-traces.fixture.ts';
import { traceHashes, traceScenarios } from './scenarios.ts';

const names = Object.keys(traceScenarios);

testSameTraces(names);

/** The text of the page once it has one, or the first error of the page. */
const TEXT = `new Promise((resolve, reject) => {
  const output = document.querySelector('output');
  const look = () => output.value && resolve(output.value);
  addEventListener('unhandledrejection', ({ reason }) => reject(reason));
  new MutationObserver(look).observe(output, { childList: true });
  look();
})`;

const why = hasFirefox ? '' : ' (skipped: Firefox is not installed)';
describe.skipIf(why !== '')(`A cluster in a worker, in Firefox${why}`, () => {
  test(`has the same traces as in Node: ${names.join(', ')}`, async () => {
    await using site = await serve(await builtTracePage());
    await using firefox = await Firefox.start();
    const url = `${site.url}trace-scenarios/#${encodeURIComponent(JSON.stringify(names))}`;
    expect(JSON.parse(await firefox.evaluate(url, TEXT))).toEqual(await traceHashes(names));
  });
});
