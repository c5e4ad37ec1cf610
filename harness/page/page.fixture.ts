import type { Locator, Page } from 'playwright-core';

/** Opens a drawer, unless it is open. */
export async function drawer(page: Page, name: string): Promise<void> {
  const tab = page.getByRole('button', { name, exact: true });
  if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
}

/** Types a line at the prompt. */
export async function typed(page: Page, line: string): Promise<void> {
  await drawer(page, 'kubectl');
  const prompt = page.getByRole('textbox').last();
  await prompt.fill(line);
  await prompt.press('Enter');
}

/** Opens the page and applies the sample, three pods and a Service, without the slow motion of the hint. */
export async function withWeb(open: (address?: string) => Promise<Page>): Promise<Page> {
  const page = await open();
  await typed(page, 'apply -f web.yaml');
  await page.getByRole('button', { name: 'kubectl', exact: true }).click();
  await page.getByRole('button', { name: 'Service default/web, 10.96.1.1 80/TCP, 3 ready' }).waitFor();
  return page;
}

export const webPods = (page: Page): Locator =>
  page.getByRole('button', { name: /^Pod default\/web-.*, Running, ready,/ });
export const slider = (page: Page): Locator => page.getByRole('slider', { name: 'Time line' });
export const now = async (page: Page): Promise<number> =>
  Number(await slider(page).getAttribute('aria-valuenow'));
