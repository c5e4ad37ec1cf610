import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';

/** The names of Chromium on this machine: Debian's, then others'. */
const CHROMIUMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const executablePath = CHROMIUMS.find((file) => existsSync(file));

/** A browser, for the tests of one group. */
export interface InBrowser {
  /**
   * Opens a page of the site in a new tab, without cookies and storage of earlier tests. The tab closes after the test, which fails
   * if the page has thrown an error or logged one.
   *
   * @param address relative to the site: `#failure=24`; the site's first page by default
   */
  open(address?: string): Promise<Page>;
}

/**
 * Groups tests in Chromium against a site. Without Chromium on this machine they are skipped, and the title says so.
 *
 *     describeInBrowser('The page', builtPage, ({ open }) => {
 *       test('starts a cluster', async () => {
 *         const page = await open();
 *         await page.getByText('The cluster is ready').waitFor();
 *       });
 *     });
 *
 * @param site returns the folder to serve, or a site that is served already
 */
export function describeInBrowser(
  title: string,
  site: () => Promise<string | Served>,
  tests: (context: InBrowser) => void,
): void {
  const why = executablePath ? '' : ' (skipped: Chromium is not installed)';
  describe.skipIf(why !== '')(`${title}, in Chromium${why}`, () => {
    let served: Served;
    let browser: Browser;
    beforeAll(async () => {
      const found = await site();
      served = typeof found === 'string' ? await serve(found) : found;
      browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
    });
    afterAll(async () => {
      await browser?.close();
      await served?.[Symbol.asyncDispose]();
    });
    tests({ open: (address = '') => opened(browser, `${served.url}${address}`) });
  });
}

async function opened(browser: Browser, url: string): Promise<Page> {
  // Marks that travel cost more CPU time than the cluster where no graphics card draws them.
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  // A limit would count the wall clock. The runner limits each test.
  page.setDefaultTimeout(0);
  const errors: string[] = [];
  const fail = (error: string): void => {
    errors.push(error);
    // A test that waits for the page fails now. Otherwise it would never end.
    void page.close();
  };
  page.on('pageerror', (error) => fail(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') fail(message.text());
  });
  onTestFinished(async () => {
    await page.close();
    expect(errors.join('\n')).toBe('');
  });
  await page.goto(url);
  return page;
}

/** A site on this machine, until it is disposed of. */
export interface Served extends AsyncDisposable {
  /** With a slash at the end. */
  readonly url: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

/** Serves the files of a folder. */
export async function serve(folder: string): Promise<Served> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const file = path.join(folder, pathname.replace(/\/$/, '/index.html'));
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return response.writeHead(404).end();
    response.setHeader('Content-Type', TYPES[path.extname(file)] ?? 'application/octet-stream');
    response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
