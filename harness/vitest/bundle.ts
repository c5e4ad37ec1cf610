import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin as EsbuildPlugin } from 'esbuild';

/** The harness in a few files of JavaScript, which Node loads as they are. All paths are absolute. */
export interface Bundle {
  /** `#harness` */
  readonly harness: string;
  /** `#harness/testing` */
  readonly testing: string;
  /** What `setup.ts` is, with the same modules behind it. */
  readonly setup: string;
  /** What `config.ts` is: how Vitest runs here. */
  readonly config: string;
  /** What `preload.ts` is. */
  readonly preload: string;
  /** What `judge-kata.ts` is. */
  readonly judge: string;
  /** `#laws/NN-name`, by `NN-name`. */
  readonly laws: Readonly<Record<string, string>>;
}

/** How many older bundles are kept for runs that are under way. */
const OTHERS_KEPT = 4;

const ENTRY_POINTS = {
  harness: 'index.ts',
  testing: 'testing/index.ts',
  setup: 'vitest/setup.ts',
  config: 'vitest/config.ts',
  preload: 'vitest/preload.ts',
  judge: 'vitest/judge-kata.ts',
} as const;

/**
 * The harness in a few files. A learner runs a kata again and again, and to load hundreds of modules takes longer than its
 * tests do. What was bundled is kept, and made anew when a file of the harness has changed.
 *
 * @param root the workbook's folder
 */
export async function bundleHarness(root: string): Promise<Bundle> {
  const source = realpathSync(path.join(root, 'harness'));
  const kept = path.join(root, 'node_modules/.cache/kubernetes-katas/harness');
  const folder = path.join(kept, fingerprintOf(source));
  const inFolder = (name: string): string => path.join(folder, `${name}.mjs`);
  const laws = readdirSync(path.join(source, 'laws'));
  const entries: Readonly<Record<string, string>> = {
    ...ENTRY_POINTS,
    ...Object.fromEntries(laws.map((id) => [`laws/${id}`, `laws/${id}/index.ts`])),
  };
  const bundled: Bundle = {
    harness: inFolder('harness'),
    testing: inFolder('testing'),
    setup: inFolder('setup'),
    config: inFolder('config'),
    preload: inFolder('preload'),
    judge: inFolder('judge'),
    laws: Object.fromEntries(laws.map((id) => [id, inFolder(`laws/${id}`)])),
  };
  if (Object.keys(entries).every((name) => existsSync(inFolder(name)))) return bundled;
  const made = `${folder}.${process.pid}`;
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [name, path.join(source, file)]),
    ),
    outdir: made,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What two entries share is one module of which there is one, or a test's evidence would be lost between two.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins: [keepOrigins],
  });
  keepLast(kept, path.basename(made));
  // Another run may have made it meanwhile.
  if (existsSync(folder)) rmSync(made, { recursive: true });
  else renameSync(made, folder);
  return bundled;
}

/** Removes old bundles. Runs that are under way load from theirs. */
function keepLast(kept: string, newest: string): void {
  const others = readdirSync(kept).filter((name) => name !== newest);
  const age = (name: string): number => -statSync(path.join(kept, name)).mtimeMs;
  for (const name of others.toSorted((a, b) => age(a) - age(b)).slice(OTHERS_KEPT))
    rmSync(path.join(kept, name), { recursive: true, force: true });
}

/** In a bundle, `import.meta` is of the bundle: code that looks for a file beside its own must be told where that is. */
const keepOrigins: EsbuildPlugin = {
  name: 'keep-origins',
  setup({ onLoad }) {
    onLoad({ filter: /\/harness\/.*\.ts$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8');
      if (!text.includes('import.meta.')) return undefined;
      const url = JSON.stringify(pathToFileURL(file).href);
      const contents = text
        .replaceAll('import.meta.url', url)
        .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)));
      return { contents, loader: 'ts' };
    });
  },
};

/** Another one as soon as a file differs that may be in the bundle, as far as its size and its time of change tell. */
function fingerprintOf(folder: string): string {
  const sum = createHash('sha256').update(process.version);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.(ts|json)$/.test(file) || /\.(test|bench)\.ts$|\/fixtures\//.test(file))
      continue;
    const { size, mtimeMs } = statSync(file);
    sum.update(`${file}\n${size} ${mtimeMs}\n`);
  }
  return sum.digest('hex').slice(0, 16);
}
