import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser } from './browser.fixture.ts';
import { builtPage } from './built-page.fixture.ts';

/** Types a line at the prompt. */
async function typed(page: Page, line: string): Promise<void> {
  const tab = page.getByRole('button', { name: 'kubectl', exact: true });
  if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
  await page.getByRole('textbox').fill(line);
  await page.getByRole('textbox').press('Enter');
}

/** Opens the page and applies the sample, three pods and a Service. */
async function withWeb(open: (address?: string) => Promise<Page>): Promise<Page> {
  const page = await open();
  await page.getByRole('button', { name: 'Apply web.yaml' }).click();
  await page.getByRole('button', { name: 'Service default/web, 10.96.1.1 80/TCP, 3 ready' }).waitFor();
  return page;
}

const webPod = (page: Page) => page.getByRole('button', { name: /^Pod default\/web-.*, Running, ready,/ });

describeInBrowser('The page', builtPage, ({ open }) => {
  test('draws the cluster: components, nodes, pods, workloads and Services', async () => {
    const page = await withWeb(open);
    expect(await webPod(page).count()).toBe(3);
    await page.getByRole('button', { name: 'Deployment default/web, 3 of 3 ready, complete' }).waitFor();
    await page.getByRole('button', { name: /^Node node-2, Ready/ }).waitFor();
    await page.getByRole('button', { name: /^replicaset-controller, reference, running/ }).waitFor();
  });

  test('goes back to before a deletion, where the pod still runs', async () => {
    const page = await withWeb(open);
    await typed(page, 'delete deployment web');
    await webPod(page).first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Close' }).click();
    const slider = page.getByRole('slider');
    const deletedMs = Number(await slider.getAttribute('aria-valuenow'));
    // The moment before is on the time line. Each press goes a moment back.
    while ((await webPod(page).count()) < 3) await page.getByRole('button', { name: /^Back/ }).click();
    expect(Number(await slider.getAttribute('aria-valuenow'))).toBeLessThan(deletedMs);
    expect(Number(await slider.getAttribute('aria-valuemax'))).toBeGreaterThanOrEqual(deletedMs);
  });

  test('looks into a pod and into the scheduler', async () => {
    const page = await withWeb(open);
    await webPod(page).first().click();
    await page.getByText('nodeName: node-').waitFor();
    await page.getByRole('tab', { name: /^Revisions/ }).click();
    await page.getByText('default-scheduler').last().waitFor();
    await page.getByRole('button', { name: /^default-scheduler, / }).click();
    await page.getByRole('tab', { name: /^Scheduling/ }).click();
    await page
      .getByRole('columnheader', { name: /NodeResourcesFit/ })
      .first()
      .waitFor();
  });

  test('takes commands at the prompt, and a fault from a menu', async () => {
    const page = await withWeb(open);
    await typed(page, 'kubectl get pods -o wide');
    await page.getByText('NOMINATED NODE').waitFor();
    await typed(page, 'scale deployment web --replicas=4');
    await page.getByText('deployment.apps/web scaled').waitFor();
    await page.getByRole('button', { name: /^Deployment default\/web, 4 of 4 ready/ }).waitFor();
    await page.getByRole('button', { name: /^replicaset-controller, / }).focus();
    await page.keyboard.press('m');
    await page.getByRole('button', { name: /^Kill/ }).first().click();
  });
});
