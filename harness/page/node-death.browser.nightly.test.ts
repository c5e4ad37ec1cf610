import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser } from './browser.fixture.ts';
import { builtPage } from './built-page.fixture.ts';
import { webPods, withWeb } from './page.fixture.ts';

const node = (page: Page, state: string): Locator =>
  page.getByRole('button', { name: new RegExp(`^Node node-2, ${state}`) });
const webPodsOn = (page: Page, name: string): Locator =>
  page.getByRole('button', { name: new RegExp(`^Pod default/web-.*, on ${name},`) });

/** Chooses an item of the menu of node-2. */
async function choose(page: Page, item: RegExp): Promise<void> {
  await node(page, '').focus();
  await page.keyboard.press('m');
  await page.getByRole('dialog').getByRole('button', { name: item }).click();
}

describeInBrowser('The death of a node', builtPage, ({ open }) => {
  test('is reported after a minute, moves its pods five minutes later, and leaves no trace once it is back', async () => {
    const page = await withWeb(open);
    const lost = await webPodsOn(page, 'node-2').count();
    expect(lost).toBeGreaterThan(0);
    await choose(page, /^Power off/);
    await node(page, 'off, disk').waitFor();
    for (let presses = 0; presses < 4; presses++) {
      await page.getByRole('button', { name: 'Faster', exact: true }).click();
    }

    await node(page, 'off, NotReady, .*taint node\\.kubernetes\\.io/unreachable:NoExecute').waitFor();
    const endpoints = new RegExp(`^Service default/web, .*, ${3 - lost} ready · ${lost} unready$`);
    await page.getByRole('button', { name: endpoints }).waitFor();
    expect(await webPodsOn(page, 'node-2').count()).toBe(lost);

    const moment = page.getByRole('button', { name: /is evicted from node-2 by a taint/ });
    await moment.first().waitFor();
    await page.getByRole('button', { name: 'Deployment default/web, 3 of 3 ready, complete' }).waitFor();
    // The dead kubelet confirms no deletion.
    expect(await page.getByRole('button', { name: /^Pod default\/web-.*, Terminating,/ }).count()).toBe(lost);

    await choose(page, /^Power on/);
    await node(page, 'Ready').waitFor();
    await webPodsOn(page, 'node-2').first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Service default\/web, .*, 3 ready$/ }).waitFor();
    expect(await webPods(page).count()).toBe(3);
    await node(page, '.*taint').waitFor({ state: 'detached' });
  });
});
