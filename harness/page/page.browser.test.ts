import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser } from './browser.fixture.ts';
import { builtPage } from './built-page.fixture.ts';

/** Opens a drawer, unless it is open. */
async function drawer(page: Page, name: string): Promise<void> {
  const tab = page.getByRole('button', { name, exact: true });
  if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
}

/** Types a line at the prompt. */
async function typed(page: Page, line: string): Promise<void> {
  await drawer(page, 'kubectl');
  const prompt = page.getByRole('textbox').last();
  await prompt.fill(line);
  await prompt.press('Enter');
}

/** Opens the page and applies the sample, three pods and a Service. */
async function withWeb(open: (address?: string) => Promise<Page>): Promise<Page> {
  const page = await open();
  await page.getByRole('button', { name: /^Apply web.yaml/ }).click();
  await page.getByRole('button', { name: 'Service default/web, 10.96.1.1 80/TCP, 3 ready' }).waitFor();
  return page;
}

const webPods = (page: Page): Locator =>
  page.getByRole('button', { name: /^Pod default\/web-.*, Running, ready,/ });
const slider = (page: Page): Locator => page.getByRole('slider', { name: 'Time line' });
const now = async (page: Page): Promise<number> => Number(await slider(page).getAttribute('aria-valuenow'));

describeInBrowser('The page', builtPage, ({ open }) => {
  test('draws the cluster: components, nodes, pods, workloads and Services', async () => {
    const page = await withWeb(open);
    expect(await webPods(page).count()).toBe(3);
    await page.getByRole('button', { name: 'Deployment default/web, 3 of 3 ready, complete' }).waitFor();
    await page.getByRole('button', { name: /^Node node-2, Ready/ }).waitFor();
    await page.getByRole('button', { name: /^replicaset-controller, reference, running/ }).waitFor();
  });

  test('goes back to before a deletion, where the pods still run', async () => {
    const page = await withWeb(open);
    const before = await now(page);
    await typed(page, 'delete deployment web');
    await webPods(page).first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Pause' }).click();
    const after = await now(page);
    await slider(page).focus();
    await page.keyboard.press('Home');
    await page.getByText('paused', { exact: true }).waitFor();
    expect(await now(page)).toBe(0);
    // The deletion lies in the future now. The reader goes a second on until the pods are ready again.
    while ((await now(page)) < before) {
      await page.keyboard.press('ArrowRight');
      await page.getByText('paused', { exact: true }).waitFor();
    }
    expect(await now(page)).toBeLessThan(after);
    await webPods(page).first().waitFor();
    expect(Number(await slider(page).getAttribute('aria-valuemax'))).toBeGreaterThanOrEqual(after);
  });

  test('looks into a pod and into the scheduler', async () => {
    const page = await withWeb(open);
    await webPods(page).first().click();
    await page.getByText('nodeName: node-').first().waitFor();
    await page.getByRole('tab', { name: /^Revisions/ }).click();
    await page.getByText('default-scheduler').last().waitFor();
    await page.getByRole('button', { name: /^default-scheduler, / }).click();
    await page.getByRole('tab', { name: /^Scheduling/ }).click();
    await page
      .getByRole('columnheader', { name: /NodeResources/ })
      .first()
      .waitFor();
  });

  test('follows a packet to the rule that sends it to a pod', async () => {
    const page = await withWeb(open);
    await typed(page, 'curl http://web');
    await page.getByText('Welcome to nginx!').first().waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await drawer(page, 'What happened here');
    await page
      .getByRole('button', { name: /^sends to 10\.96\.1\.1:80 tcp: arrives at web-/ })
      .last()
      .click();
    await page.getByText(/^PREROUTING DNAT by KUBE-SERVICES > KUBE-SVC-/).waitFor();
    await page.getByText('✓ delivered to web-').waitFor();
  });

  test('takes commands at the prompt, and a fault from a menu', async () => {
    const page = await withWeb(open);
    await typed(page, 'kubectl get pods -o wide');
    await page.getByText('NOMINATED NODE').waitFor();
    await typed(page, 'scale deployment web --replicas=4');
    await page.getByText('deployment.apps/web scaled').waitFor();
    await page.getByRole('button', { name: /^Deployment default\/web, 4 of 4 ready/ }).waitFor();
    await page.getByRole('button', { name: /^Node node-2, / }).focus();
    await page.keyboard.press('m');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Power off/ })
      .click();
    await page.getByRole('button', { name: /^Node node-2, .*(off|power)/i }).waitFor();
  });

  test('shares a run as an address that opens the same run', async () => {
    const page = await withWeb(open);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await drawer(page, 'Actions');
    await page.getByRole('button', { name: /^Share/ }).click();
    await page
      .getByRole('status')
      .getByText(/address/i)
      .first()
      .waitFor();
    const address = await page.evaluate<string>('navigator.clipboard.readText()');
    const other = await open(`#${address.split('#')[1]}`);
    await drawer(other, 'Actions');
    await other.getByText(/apply/).first().waitFor();
  });

  test('draws the sequence of an apply from kubectl to Running', async () => {
    const page = await withWeb(open);
    await drawer(page, 'Sequence');
    const picture = page
      .locator('svg')
      .filter({ hasText: 'kube-scheduler' })
      .or(page.locator('svg').filter({ hasText: 'scheduler' }));
    await picture.first().waitFor();
    for (const name of ['kubectl', 'apiserver', 'deployment-controller', 'replicaset-controller', 'kubelet'])
      expect(await picture.first().textContent()).toContain(name);
  });
});
