import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { reachedFrom } from '../workbook/reached.ts';
import { listSources, root } from '../workbook/sources.ts';

const CACHE = path.join(root, 'node_modules/.cache/kubernetes-katas/pages');

/** The first module of the page. */
export const PAGE_ENTRY = 'harness/page/ui/main.tsx';

/** Builds the page into a folder, and returns it. The folder is cached, and rebuilt when a file of the page changes. */
export function builtPage(): Promise<string> {
  return built('site', PAGE_ENTRY);
}

/** Builds the page of the trace scenarios into a folder, and returns it. */
export function builtTracePage(): Promise<string> {
  const folder = 'harness/page/trace-scenarios';
  return built('traces', `${folder}/main.ts`, path.join(root, folder, 'index.html'));
}

async function built(name: string, entry: string, input?: string): Promise<string> {
  const folder = path.join(CACHE, `${name}-${fingerprintOf(entry)}`);
  if (existsSync(folder)) return folder;
  // Another process may build it at the same time.
  const outDir = `${folder}.${process.pid}`;
  await buildInto(outDir, input);
  try {
    renameSync(outDir, folder);
  } catch {
    // The other process was faster.
    rmSync(outDir, { recursive: true });
  }
  for (const other of readdirSync(CACHE)) {
    const isOld = other.startsWith(`${name}-`) && !other.startsWith(path.basename(folder));
    if (isOld) rmSync(path.join(CACHE, other), { recursive: true, force: true });
  }
  return folder;
}

async function buildInto(outDir: string, input: string | undefined): Promise<void> {
  const [{ build, mergeConfig }, { pageConfig }] = await Promise.all([import('vite'), import('./vite.ts')]);
  const config = pageConfig({ outDir, logLevel: 'error' });
  // Vitest has set it to `test`, and Vite would build a page for development.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    await build(
      input === undefined ? config : mergeConfig(config, { build: { rolldownOptions: { input } } }),
    );
  } finally {
    process.env.NODE_ENV = NODE_ENV;
  }
}

/** Returns a fingerprint of the files that the entry reaches, of the page's own folder, and of the versions of packages. */
function fingerprintOf(entry: string): string {
  const reached = reachedFrom(entry, 'browser').map(({ name }) => name);
  const own = listSources('harness/page', '.ts', '.tsx', '.html', '.css', '.json', '.svg').map(
    ({ file }) => file,
  );
  const files = [...new Set([...reached, ...own, 'package-lock.json'])].sort();
  const sum = createHash('sha256');
  for (const file of files) {
    const at = path.join(root, file);
    if (existsSync(at)) sum.update(`${file}\n`).update(readFileSync(at));
  }
  return sum.digest('hex').slice(0, 16);
}
