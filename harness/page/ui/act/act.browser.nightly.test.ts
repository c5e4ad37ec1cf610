import { test } from 'vitest';
import { describeInBrowser } from '../../browser.fixture.ts';
import { builtPage } from '../../built-page.fixture.ts';

describeInBrowser('The page', builtPage, ({ open }) => {
  test('has an editor that shows an error at its line, completes fields, and applies', async () => {
    const page = await open();
    await page.getByRole('button', { name: /^Node node-1, Ready/ }).waitFor();
    await page.getByRole('button', { name: 'Manifest', exact: true }).click();
    const text = page.getByRole('textbox', { name: /^Manifest in YAML/ });
    await text.getByText('replicas: 3').click();
    await page.keyboard.press('End');
    await page.keyboard.type('\nreplicaz: 4');
    await page.keyboard.press('Control+Enter');
    await page.getByText('✗ unknown field "spec.replicaz"').waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await page.keyboard.type('minR');
    await page.getByRole('option', { name: /minReadySeconds/ }).click();
    await page.keyboard.type('1');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    const result = page.getByRole('status', { name: 'Result of the apply' });
    await result.getByText('deployment.apps/web created').waitFor();
  });

  test('reports a damaged address in words', async () => {
    const page = await open('#run=1.abc');
    await page.getByText('Failed to read the run in this address: it is damaged').waitFor();
  });
});
