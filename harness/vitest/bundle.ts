import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin as EsbuildPlugin } from 'esbuild';
import type { Plugin } from 'vitest/config';

/** Where the harness is to be had in a few files, all paths absolute. */
export interface Bundle {
  /** `#harness` */
  readonly harness: string;
  /** `#harness/testing` */
  readonly testing: string;
  /** What `setup.ts` is, with the same modules behind it. */
  readonly setup: string;
  /** `#laws/NN-name`, by `NN-name`. */
  readonly laws: Readonly<Record<string, string>>;
}

const DOORS = { harness: 'index.ts', testing: 'testing/index.ts', setup: 'vitest/setup.ts' } as const;

/**
 * The harness in a few files. A learner runs a kata again and again, and to load two hundred modules takes longer
 * than its tests do. What was bundled is kept, and made anew when a file of the harness has changed.
 *
 * @param root the workbook's folder
 */
export async function bundleHarness(root: string): Promise<Bundle> {
  const source = path.join(root, 'harness');
  const kept = path.join(root, 'node_modules/.cache/kubernetes-katas');
  const folder = path.join(kept, fingerprintOf(source));
  const inFolder = (name: string): string => path.join(folder, `${name}.mjs`);
  const laws = readdirSync(path.join(source, 'laws'));
  const entries: Readonly<Record<string, string>> = {
    ...DOORS,
    ...Object.fromEntries(laws.map((id) => [`laws/${id}`, `laws/${id}/index.ts`])),
  };
  const bundled: Bundle = {
    harness: inFolder('harness'),
    testing: inFolder('testing'),
    setup: inFolder('setup'),
    laws: Object.fromEntries(laws.map((id) => [id, inFolder(`laws/${id}`)])),
  };
  if (Object.keys(entries).every((name) => existsSync(inFolder(name)))) return bundled;
  rmSync(kept, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      Object.entries(entries).map(([name, file]) => [name, path.join(source, file)]),
    ),
    outdir: folder,
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
  return bundled;
}

/** Serves the bundle to whoever asks for the harness by its doors. */
export function bundled({ harness, testing, laws }: Bundle): Plugin {
  const doors: Readonly<Record<string, string>> = {
    '#harness': harness,
    '#harness/testing': testing,
    ...Object.fromEntries(Object.entries(laws).map(([id, file]) => [`#laws/${id}`, file])),
  };
  return {
    name: 'bundled',
    enforce: 'pre',
    // As it is, by Node itself: Vite has nothing to do there.
    resolveId(source) {
      const file = doors[source];
      return file === undefined ? null : { id: pathToFileURL(file).href, external: true };
    },
    // What Vitest keeps of a test says where the harness is: with another bundle it is another text.
    configureVitest: ({ experimental_defineCacheKeyGenerator: defineKey }) => defineKey(() => harness),
  };
}

/** In a bundle, `import.meta` is of the bundle: who looks for a file beside its own must be told where that is. */
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

/** Another one as soon as a file differs that may be in the bundle. */
function fingerprintOf(folder: string): string {
  const sum = createHash('sha256').update(process.version);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.(ts|json)$/.test(file) || /\.(test|bench)\.ts$|\/fixtures\//.test(file))
      continue;
    sum.update(`${file}\n`).update(readFileSync(file));
  }
  return sum.digest('hex').slice(0, 16);
}
