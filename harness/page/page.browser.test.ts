import { expect, test } from 'vitest';
import { describeInBrowser } from './browser.fixture.ts';
import { builtPage } from './built-page.fixture.ts';

describeInBrowser('The page', builtPage, ({ open }) => {
  test('starts a cluster in its worker', async () => {
    const page = await open();
    const status = page.getByRole('status');
    await status.getByText('is ready').waitFor();
    expect(await status.textContent()).toBe('The cluster is ready: node-1, node-2, node-3.');
  });
});
