import { expect, test } from 'vitest';
import { describeInBrowser } from './browser.fixture.ts';
import { builtPage } from './built-page.fixture.ts';
import { drawer, now, slider, typed, webPods, withWeb } from './page.fixture.ts';

describeInBrowser('The page', builtPage, ({ open }) => {
  test('draws the cluster: components, nodes, pods, workloads and Services', async () => {
    const page = await withWeb(open);
    expect(await webPods(page).count()).toBe(3);
    await page.getByRole('button', { name: 'Deployment default/web, 3 of 3 ready, complete' }).waitFor();
    await page.getByRole('button', { name: /^Node node-2, Ready/ }).waitFor();
    await page.getByRole('button', { name: /^replicaset-controller, reference, running/ }).waitFor();
  });

  test('goes back to before a deletion, where the pods still run, and to the end again', async () => {
    const page = await withWeb(open);
    const before = await now(page);
    await typed(page, 'delete deployment web');
    await webPods(page).first().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Pause' }).click();
    const after = await now(page);
    while ((await webPods(page).count()) < 3) {
      const from = await now(page);
      await page.getByRole('button', { name: /^Back:/ }).click();
      await slider(page)
        .and(page.locator(`:not([aria-valuenow="${from}"])`))
        .waitFor();
      await page.getByText('paused', { exact: true }).waitFor();
      expect(await now(page)).toBeLessThan(from);
    }
    // The deletion lies in the future now.
    expect(await now(page)).toBeGreaterThanOrEqual(before);
    expect(await now(page)).toBeLessThan(after);
    expect(Number(await slider(page).getAttribute('aria-valuemax'))).toBeGreaterThanOrEqual(after);
    await page.getByText('You look at the past').waitFor();
    await page.keyboard.press('End');
    await page.getByText('You look at the past').waitFor({ state: 'detached' });
    await webPods(page).first().waitFor({ state: 'detached' });
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

  test('shows the answer to a request of a menu, and its way by a rule to a pod', async () => {
    const page = await withWeb(open);
    await page.getByRole('button', { name: /^Service default\/web, / }).focus();
    await page.keyboard.press('m');
    const menu = page.getByRole('dialog');
    await menu.getByRole('button', { name: /^Send a request …/ }).click();
    await menu.getByRole('button', { name: 'Do it' }).click();
    await page.getByText(/^HTTP 200 from web-/).waitFor();
    await page.getByRole('button', { name: 'See its way' }).click();
    await page
      .getByText(/^PREROUTING DNAT by KUBE-SERVICES > KUBE-SVC-/)
      .first()
      .waitFor();
    await page.getByText('✓ delivered to web-').waitFor();
  });

  test('says that an action in the past drops the future, and brings it back', async () => {
    const page = await withWeb(open);
    await typed(page, 'scale deployment web --replicas=2');
    await page.getByRole('button', { name: /^Deployment default\/web, 2 of 2 ready/ }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused', { exact: true }).waitFor();
    const end = async () => Number(await slider(page).getAttribute('aria-valuemax'));
    const before = await end();
    await slider(page).focus();
    await page.keyboard.press('Home');
    await page.getByText(/^You are in the past\. A command that writes/).waitFor();
    await typed(page, 'cordon node-1');
    await page.getByRole('button', { name: /^Node node-1, .*cordoned/ }).waitFor();
    expect(await end()).toBeLessThan(before);
    await page.getByRole('button', { name: /^Undo/ }).click();
    await page.getByRole('button', { name: /^Node node-1, .*cordoned/ }).waitFor({ state: 'detached' });
    expect(await end()).toBe(before);
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
