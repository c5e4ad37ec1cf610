import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The number of older bundles that are kept for running processes. */
const OTHERS_KEPT = 4;

/**
 * Bundles TypeScript into JavaScript files that Node loads directly: loading hundreds of modules takes longer than most
 * commands and tests. The bundle is cached, and built again when a source file changes. This file is plain JavaScript,
 * because it runs before anything can load TypeScript.
 *
 * @param {object} options
 * @param {string} options.root the workbook's folder
 * @param {string} options.name the folder of these bundles in the cache
 * @param {readonly string[]} options.sources the folders whose files may be in the bundle, relative to `root`
 * @param {Readonly<Record<string, string>>} options.entryPoints the files by the name of their bundle, relative to `root`
 * @param {readonly string[]} [options.conditions] the conditions of imports in package.json
 * @returns {Promise<(name: string) => string>} the path of each bundle
 */
export async function cachedBundle({ root, name, sources, entryPoints, conditions = [] }) {
  const kept = path.join(root, 'node_modules/.cache/kubernetes-katas', name);
  const folders = sources.map((source) => realpathSync(path.join(root, source)));
  const folder = path.join(kept, fingerprintOf(folders));
  const inFolder = (/** @type {string} */ entry) => path.join(folder, `${entry}.mjs`);
  if (Object.keys(entryPoints).every((entry) => existsSync(inFolder(entry)))) return inFolder;
  const made = `${folder}.${process.pid}`;
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      Object.entries(entryPoints).map(([entry, file]) => [entry, path.join(root, file)]),
    ),
    outdir: made,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // Modules that two entries share must exist only once, or the evidence of a test would be lost between two
    // copies.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    conditions: [...conditions],
    plugins: [keepOrigins],
  });
  keepLast(kept, path.basename(made));
  // Another run may have built it in the meantime.
  if (existsSync(folder)) rmSync(made, { recursive: true });
  else renameSync(made, folder);
  return inFolder;
}

/**
 * Removes old bundles, but keeps some: running processes still load from them.
 *
 * @param {string} kept
 * @param {string} newest
 */
function keepLast(kept, newest) {
  const others = readdirSync(kept).filter((name) => name !== newest);
  const age = (/** @type {string} */ name) => -statSync(path.join(kept, name)).mtimeMs;
  for (const name of others.toSorted((a, b) => age(a) - age(b)).slice(OTHERS_KEPT))
    rmSync(path.join(kept, name), { recursive: true, force: true });
}

/**
 * In a bundle, `import.meta` refers to the bundle. This plugin keeps the original path for code that looks for a file
 * next to its own.
 *
 * @type {import('esbuild').Plugin}
 */
const keepOrigins = {
  name: 'keep-origins',
  setup({ onLoad }) {
    onLoad({ filter: /\/(harness|solutions)\/.*\.ts$/ }, ({ path: file }) => {
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

/**
 * Returns a fingerprint of the files that may be in the bundle, based on their sizes and modification times.
 *
 * @param {readonly string[]} folders
 */
function fingerprintOf(folders) {
  const sum = createHash('sha256').update(process.version);
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (!entry.isFile() || !/\.(ts|mjs|json)$/.test(file) || /\.(test|bench)\.ts$|\/fixtures\//.test(file))
        continue;
      const { size, mtimeMs } = statSync(file);
      sum.update(`${file}\n${size} ${mtimeMs}\n`);
    }
  }
  return sum.digest('hex').slice(0, 16);
}
