import path from 'node:path';
import { build, createServer } from 'vite';
import { Failure, type Terminal } from '../cli/failure.ts';
import { asksForHelp } from '../cli/help.ts';
import { findKata, readKatas } from '../cli/katas.ts';
import type { Stops } from '../cli/stops.ts';
import { type BuildOptions, FIRST_PORT, PAGE_HELP, pageOptions, type ServeOptions } from './page-options.ts';
import { siteSizes, sizeLines } from './site-sizes.ts';
import { pageConfig } from './vite.ts';

interface PageContext {
  /** The workbook's folder. */
  readonly root: string;
  /** The folder that relative paths refer to. */
  readonly cwd: string;
  readonly terminal: Terminal;
  readonly stops: Stops;
}

/**
 * Serves the page until the user stops it, or builds it as a static site.
 *
 * @param words the typed options: see {@link pageOptions}
 * @throws Failure when an option is wrong, or the port is in use
 */
export async function runPage(words: readonly string[], context: PageContext): Promise<void> {
  if (asksForHelp(words)) return context.terminal.print(PAGE_HELP.join('\n'));
  const options = pageOptions(words);
  return options.kind === 'build' ? buildPage(options, context) : servePage(options, context);
}

async function servePage(
  { port, failure }: ServeOptions,
  { root, terminal, stops }: PageContext,
): Promise<void> {
  const kata = failure === undefined ? undefined : findKata(readKatas(root), failure);
  const config = pageConfig({ logLevel: 'warn' });
  const server = await createServer({
    ...config,
    server: { ...config.server, port: port ?? FIRST_PORT, strictPort: port !== undefined },
  });
  try {
    await server.listen().catch((error: Error) => {
      throw new Failure('start the page', error.message, 'Name another port, or none.');
    });
    const [address = ''] = server.resolvedUrls?.local ?? [];
    const hash = kata ? `#failure=${kata.id.slice(0, 2)}` : '';
    terminal.print(`The page is at ${address}${hash} – end it with Ctrl-C.`);
    await stops.next();
    stops.close();
  } finally {
    await server.close();
  }
}

async function buildPage({ out }: BuildOptions, { root, cwd, terminal }: PageContext): Promise<void> {
  const outDir = out === undefined ? path.join(root, 'dist-page') : path.resolve(cwd, out);
  await build(pageConfig({ outDir, logLevel: 'warn' }));
  for (const line of sizeLines(siteSizes(outDir))) terminal.print(line);
}
