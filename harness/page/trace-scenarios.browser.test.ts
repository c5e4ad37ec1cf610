import { expect, test } from 'vitest';
import { describeInBrowser } from './browser.fixture.ts';
import { builtWorkers } from './built-page.fixture.ts';
import { type TraceHash, traceHash, traceScenarios } from './trace-scenarios.ts';

describeInBrowser('A cluster has the same trace as in Node', builtWorkers, ({ open }) => {
  test.each(Object.keys(traceScenarios))('with %s', async (name) => {
    const page = await open('empty');
    const inWorker = await page.evaluate(
      (scenario) =>
        new Promise<TraceHash>((resolve, reject) => {
          const worker = new Worker('/trace-worker.js', { type: 'module' });
          worker.onerror = ({ message }) => reject(new Error(message));
          worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data));
          worker.postMessage(scenario);
        }),
      name,
    );
    const inNode = await traceHash(name);
    expect(inNode.entries).toBeGreaterThan(1_000);
    expect(inWorker).toEqual(inNode);
  });
});
