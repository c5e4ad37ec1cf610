import { expect, test } from 'vitest';
import { Stops } from '../cli/stops.ts';
import { root } from '../workbook/sources.ts';
import { describeInBrowser, type Served } from './browser.fixture.ts';
import { runPage } from './page-command.ts';

describeInBrowser('npm run page -- --failure 24', served, ({ open }) => {
  test('serves the page, with the failure in its address', async () => {
    const page = await open();
    await page.getByText('ready').first().waitFor();
    expect(new URL(page.url()).hash).toBe('#failure=24');
  });
});

async function served(): Promise<Served> {
  const stops = new Stops();
  let ended: Promise<void> | undefined;
  const line = await new Promise<string>((resolve, reject) => {
    const terminal = { print: resolve, complain: (complaint: string) => reject(new Error(complaint)) };
    ended = runPage(['--failure', '24'], { root, cwd: root, terminal, stops });
    ended.catch(reject);
  });
  const [, url = ''] = /The page is at (\S+)/.exec(line) ?? [];
  return {
    url,
    async [Symbol.asyncDispose]() {
      stops.request();
      await ended;
    },
  };
}
