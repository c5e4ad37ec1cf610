import { expect, test } from 'vitest';
import { describeInBrowser } from './browser.fixture.ts';
import { builtPage } from './built-page.fixture.ts';
import { webPods, withWeb } from './page.fixture.ts';

// The other parts of the page have nightly tests.
describeInBrowser('The page', builtPage, ({ open }) => {
  test('draws the cluster: components, nodes, pods, workloads and Services', async () => {
    const page = await withWeb(open);
    expect(await webPods(page).count()).toBe(3);
    await page.getByRole('button', { name: 'Deployment default/web, 3 of 3 ready, complete' }).waitFor();
    await page.getByRole('button', { name: /^Node node-2, Ready/ }).waitFor();
    await page.getByRole('button', { name: /^replicaset-controller, reference, running/ }).waitFor();
  });
});
